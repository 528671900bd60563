import { Command } from 'commander';
import { addRootOptions, addTrustOptions } from '../config-options.js';
import { addExamples, addTimeoutOption } from '../options.js';
import { call, list, type MCPOptions, notify, read, request, servers } from './one-shot.js';
import { addTypedServerOptions, operandsOf } from './typed-server.js';

/** `a2c mcp`: sends one request to an MCP server and prints one JSON document, or text at a terminal. */
export function mcpCommand(): Command {
  const mcp = addExamples(
    new Command('mcp'),
    'a2c mcp tools --trust',
    'a2c mcp call --stdio "npx -y @modelcontextprotocol/server-everything" get-sum a=2 b=3',
  );
  const subcommand = (name: string, description: string, example: string) => {
    const command = addTrustOptions(addRootOptions(mcp.command(name).description(description)));
    addTimeoutOption(command, 'time limit (default: 60 for the start of a server, and 60 for its answer)');
    return addExamples(command.option('--json', 'print one JSON document on one line, also at a terminal'), example);
  };
  const serverCommand = (name: string, description: string, example: string) =>
    addTypedServerOptions(subcommand(name, description, example));

  subcommand(
    'servers',
    'print the configured servers, with secrets masked; starts no server',
    'a2c mcp servers',
  ).action(servers);

  serverCommand('tools', 'list the tools of one server, or of all', 'a2c mcp tools filesystem --trust')
    .argument('[server]', 'only this server')
    .action(onServer(0, ([server], options) => list('tools', server, options)));
  serverCommand(
    'resources',
    'list the resources and templates of one server, or of all',
    'a2c mcp resources everything --trust',
  )
    .argument('[server]', 'only this server')
    .action(onServer(0, ([server], options) => list('resources', server, options)));
  serverCommand('prompts', 'list the prompts of one server, or of all', 'a2c mcp prompts --trust')
    .argument('[server]', 'only this server')
    .action(onServer(0, ([server], options) => list('prompts', server, options)));

  serverCommand('call', 'call a tool; exit code 1 if it fails', 'a2c mcp call everything get-sum a=2 b=3 --trust')
    .argument('<server>', 'name of the MCP server')
    .argument('<tool>', 'name or alias of the tool')
    .argument('[args...]', ARGS)
    .option('--save <dir>', 'write the images and files of the result into this folder')
    .action(onServer(2, ([server = '', tool = '', ...words], options) => call(server, tool, words, options)));

  serverCommand(
    'read',
    'read a resource',
    'a2c mcp read everything demo://resource/static/document/features.md --trust',
  )
    .argument('<server>', 'name of the MCP server')
    .argument('<uri>', 'URI of the resource')
    .action(onServer(2, ([server = '', uri = ''], options) => read(server, uri, options)));

  serverCommand('request', 'send a request with any method', 'a2c mcp request everything ping --trust')
    .argument('<server>', 'name of the MCP server')
    .argument('<method>', 'MCP method')
    .argument('[params...]', ARGS)
    .action(onServer(2, ([server = '', method = '', ...words], options) => request(server, method, words, options)));

  serverCommand(
    'notify',
    'send a notification with any method',
    'a2c mcp notify everything notifications/cancelled requestId=7 --trust',
  )
    .argument('<server>', 'name of the MCP server')
    .argument('<method>', 'MCP method')
    .argument('[params...]', ARGS)
    .action(onServer(2, ([server = '', method = '', ...words], options) => notify(server, method, words, options)));

  return mcp;
}

const ARGS = 'a JSON object, @FILE with one, or KEY=VALUE …';

type ServerAction = (operands: readonly string[], options: MCPOptions) => Promise<void>;

/** An action whose first argument is the server, configured or typed. */
function onServer(required: number, run: ServerAction) {
  return function action(this: Command): Promise<void> {
    return run(operandsOf(this, required), this.opts());
  };
}
