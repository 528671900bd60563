import { Command } from 'commander';
import { addRootOptions, addTimeoutOption, addTrustOptions } from '../config-options.js';
import { call, list, notify, read, request, servers } from './one-shot.js';

/** `a2c mcp`: one request to the configured MCP servers, one JSON document, and everything is ended again. */
export function mcpCommand(): Command {
  const mcp = new Command('mcp').addHelpText('after', example('a2c mcp tools --trust'));

  one(mcp, 'servers', 'what is configured, secrets masked; starts nothing', 'a2c mcp servers').action(servers);

  one(mcp, 'tools', 'the tools of one server, or of all', 'a2c mcp tools filesystem --trust')
    .argument('[server]', 'only this one')
    .action(list('tools'));
  one(mcp, 'resources', 'the resources and templates of one server, or of all', 'a2c mcp resources everything --trust')
    .argument('[server]', 'only this one')
    .action(list('resources'));
  one(mcp, 'prompts', 'the prompts of one server, or of all', 'a2c mcp prompts --trust')
    .argument('[server]', 'only this one')
    .action(list('prompts'));

  one(mcp, 'call', 'call a tool; exit code 1 when it fails', 'a2c mcp call everything get-sum a=2 b=3 --trust')
    .argument('<server>')
    .argument('<tool>', 'its name or alias')
    .argument('[args...]', ARGS)
    .action(call);

  one(mcp, 'read', 'read a resource', 'a2c mcp read everything demo://resource/static/document/features.md --trust')
    .argument('<server>')
    .argument('<uri>')
    .action(read);

  one(mcp, 'request', 'send any request', 'a2c mcp request everything ping --trust')
    .argument('<server>')
    .argument('<method>')
    .argument('[params...]', ARGS)
    .action(request);

  one(mcp, 'notify', 'send any notification', 'a2c mcp notify everything notifications/cancelled requestId=7 --trust')
    .argument('<server>')
    .argument('<method>')
    .argument('[params...]', ARGS)
    .action(notify);

  return mcp;
}

const ARGS = 'a JSON object, @FILE with one, or KEY=VALUE …';

function one(mcp: Command, name: string, description: string, line: string): Command {
  const command = addTrustOptions(addRootOptions(mcp.command(name).description(description)));
  return addTimeoutOption(command, 'how long the request may take (default: 30 to start a server, 60 for its answer)')
    .option('--json', 'print the document on one line')
    .addHelpText('after', example(line));
}

function example(line: string): string {
  return `\nExample:\n  $ ${line}`;
}
