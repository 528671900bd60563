import { Command } from 'commander';
import { addRootOptions, addTrustOptions } from '../config-options.js';
import { addExamples, addTimeoutOption } from '../options.js';
import { call, list, notify, read, request, servers } from './one-shot.js';

/** `a2c mcp`: sends one request to a configured MCP server and prints one JSON document. */
export function mcpCommand(): Command {
  const mcp = addExamples(new Command('mcp'), 'a2c mcp tools --trust');
  const subcommand = (name: string, description: string, example: string) => {
    const command = addTrustOptions(addRootOptions(mcp.command(name).description(description)));
    addTimeoutOption(command, 'time limit (default: 30 for the start of a server, 60 for its answer)');
    return addExamples(command.option('--json', 'print the document on one line'), example);
  };

  subcommand(
    'servers',
    'print the configured servers, with secrets masked; starts no server',
    'a2c mcp servers',
  ).action(servers);

  subcommand('tools', 'list the tools of one server, or of all', 'a2c mcp tools filesystem --trust')
    .argument('[server]', 'only this server')
    .action(list('tools'));
  subcommand(
    'resources',
    'list the resources and templates of one server, or of all',
    'a2c mcp resources everything --trust',
  )
    .argument('[server]', 'only this server')
    .action(list('resources'));
  subcommand('prompts', 'list the prompts of one server, or of all', 'a2c mcp prompts --trust')
    .argument('[server]', 'only this server')
    .action(list('prompts'));

  subcommand('call', 'call a tool; exit code 1 if it fails', 'a2c mcp call everything get-sum a=2 b=3 --trust')
    .argument('<server>', 'name of the MCP server')
    .argument('<tool>', 'name or alias of the tool')
    .argument('[args...]', ARGS)
    .action(call);

  subcommand('read', 'read a resource', 'a2c mcp read everything demo://resource/static/document/features.md --trust')
    .argument('<server>', 'name of the MCP server')
    .argument('<uri>', 'URI of the resource')
    .action(read);

  subcommand('request', 'send a request with any method', 'a2c mcp request everything ping --trust')
    .argument('<server>', 'name of the MCP server')
    .argument('<method>', 'MCP method')
    .argument('[params...]', ARGS)
    .action(request);

  subcommand(
    'notify',
    'send a notification with any method',
    'a2c mcp notify everything notifications/cancelled requestId=7 --trust',
  )
    .argument('<server>', 'name of the MCP server')
    .argument('<method>', 'MCP method')
    .argument('[params...]', ARGS)
    .action(notify);

  return mcp;
}

const ARGS = 'a JSON object, @FILE with one, or KEY=VALUE …';
