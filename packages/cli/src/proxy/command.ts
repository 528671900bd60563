import { Command, InvalidArgumentError, Option } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../agent/agent-options.js';
import { addRootOptions, addTrustOptions, type ConfigOptions } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { addJsonLinesOption, collect, portNumber, positiveInteger } from '../options.js';
import { addPinOption } from '../pin-options.js';
import { addSkillOptions, type SkillChoice } from '../skill-options.js';
import { type ProxyCommandOptions, proxy } from './proxy.js';

/** `a2c proxy`: the tools of a configuration, or of the Computers in an office, behind two tools. */
export function proxyCommand(): Command {
  const command = new Command('proxy')
    .option('--http <[host:]port>', 'serve Streamable HTTP instead of stdio; port 0 picks a free one', address)
    .addOption(new Option('--token <token>', 'with --http: require this bearer token').env('A2C_PROXY_TOKEN'))
    .option('--allowed-host <name>', 'with --http: accept this Host header; repeatable', collect)
    .option('--allowed-origin <host>', 'with --http: allow web pages of this host; repeatable', collect)
    .option('--pass-through', 'list every tool instead of inspect and exec')
    .addOption(
      new Option('--code [when]', 'code mode: add the tool run; "auto" only with ten tools or more')
        .choices(['on', 'auto'])
        .preset('on')
        .conflicts('passThrough'),
    )
    .addOption(
      new Option('--mode <mode>', 'auto: show all tools directly while that costs less than inspect and exec')
        .choices(['two', 'auto'])
        .conflicts('passThrough'),
    )
    .option('--toolset <name>', 'use the tools of this toolset of the configuration')
    .option('--allow-tool <pattern>', 'use only these tools: server or server/tool, with *; repeatable', collect)
    .option('--deny-tool <pattern>', 'do not use these tools; repeatable', collect)
    .option('--pin-tool <pattern>', 'show these tools directly beside inspect and exec; repeatable', collect)
    .option('--query-tool', 'add the tool query: exec for tools that only read, for clients to approve')
    .option(
      '--embeddings-url <url>',
      'also rank tools with this embeddings endpoint, such as http://127.0.0.1:11434/v1',
    )
    .option('--embeddings-model <name>', 'with --embeddings-url: the model')
    .addOption(new Option('--embeddings-key <key>', 'with --embeddings-url: the API key').env('A2C_EMBEDDINGS_KEY'))
    .option('--trust-read-only', 'ask no consent for tools that declare that they only read')
    .option(
      '--catalogue-tokens <number>',
      'size of the tool list in the description of inspect, in tokens (default: 2000)',
      positiveInteger,
    )
    .option(
      '--max-result <number>',
      'cut longer results, in characters; inspect returns the rest (default: 60000)',
      positiveInteger,
    )
    .addOption(
      new Option(
        '--structured-content',
        'also return data for programs; left out for clients known to show it to the model',
      ).conflicts('passThrough'),
    )
    .addOption(new Option('--no-structured-content', 'return only text, to all clients').conflicts('passThrough'))
    .addHelpText('after', NOTES);
  addSkillOptions(addTrustOptions(addRootOptions(addPinOption(command))));
  addConnectionOptions(command, {
    namePrefix: 'proxy',
    officeIsMandatory: false,
    timeout: 'time limit of a call (default: 120 in an office)',
  });
  return addJsonLinesOption(command).action((options: ProxyCommandOptions) => proxy(options, sourceOf(command)));
}

/** Options of the command line decide where the tools come from. Environment variables only supply values. */
function sourceOf(command: Command): 'config' | 'office' {
  const given = (names: readonly string[]) =>
    command.options.find(
      (option) =>
        names.includes(option.attributeName()) && command.getOptionValueSource(option.attributeName()) === 'cli',
    )?.long;
  const [ofConfig, ofOffice] = [given(OF_CONFIG), given(OF_OFFICE)];
  if (ofConfig && ofOffice) {
    throw new UsageError(
      `${ofConfig} and ${ofOffice} cannot be combined: the tools come from a configuration or from an office`,
    );
  }
  if (ofOffice && command.opts().office === undefined) {
    throw new UsageError(`${ofOffice} needs --office: the office to join on the server`);
  }
  return ofOffice ? 'office' : 'config';
}

const OF_CONFIG: readonly (keyof ConfigOptions | keyof SkillChoice)[] = [
  'config',
  'root',
  'trust',
  'allowHost',
  'allowLocalhost',
  'allowPrivateIp',
  'dnsCheck',
  'skills',
  'skillMount',
  'plugin',
];

const OF_OFFICE: readonly (keyof ConnectionOptions)[] = [
  'url',
  'office',
  'name',
  'apiKey',
  'auth',
  'headers',
  'tlsCa',
  'tlsCert',
  'tlsKey',
  'insecure',
  'dialect',
];

const NOTES = `
The tools come from a configuration or, with --url and --office, from the
Computers in an office. A file given with --config is trusted; a file found in
the root needs --trust. An office has one Agent at a time: several clients can
share one proxy with --http.

Examples:
  $ a2c proxy --config mcp.json
  $ a2c proxy --config mcp.json --http 8000
  $ a2c proxy --config mcp.json --code
  $ a2c proxy --url https://example.org --office demo`;

export interface Address {
  readonly host?: string;
  readonly port: number;
}

function address(text: string): Address {
  const [, host, port] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  if (port === undefined) throw new InvalidArgumentError('expected PORT or HOST:PORT');
  return { ...(host && { host: host.replace(/^\[(.*)\]$/, '$1') }), port: portNumber(port) };
}
