import { Command, InvalidArgumentError, Option } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../agent/agent-options.js';
import { addRootOptions, addTrustOptions, type ConfigOptions, collect } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { addJsonLinesOption } from '../json-lines-option.js';
import { type ProxyCommandOptions, proxy } from './proxy.js';

/** `a2c proxy`: every MCP server of a configuration, or of the Computers in an office, behind two tools. */
export function proxyCommand(): Command {
  const command = new Command('proxy')
    .option('--http <[host:]port>', 'serve Streamable HTTP there instead of stdio; port 0 picks a free one', address)
    .addOption(new Option('--token <token>', 'with --http, let in whoever has this token').env('A2C_PROXY_TOKEN'))
    .option('--allowed-host <name>', 'with --http, a name the server may be addressed by; repeatable', collect)
    .option('--allowed-origin <host>', 'with --http, let web pages of this host call; repeatable', collect)
    .option('--pass-through', 'show the servers as they are, instead of inspect and exec')
    .option(
      '--catalogue-tokens <number>',
      'what the list of tools in the description of inspect may cost (default: 2000)',
      count,
    )
    .option('--max-result <number>', 'cut longer results, in characters; inspect reads on (default: 60000)', count)
    .option('--no-structured-content', 'only text, for hosts that show a model both')
    .addHelpText('after', EXAMPLE);
  addTrustOptions(addRootOptions(command));
  addConnectionOptions(command, {
    kind: 'proxy',
    officeIsMandatory: false,
    patience: 'a call may take (default: 120 in an office)',
  });
  return addJsonLinesOption(command).action((options: ProxyCommandOptions) => proxy(options, sourceOf(command)));
}

/** Where the tools come from: what stands on the command line decides, and variables of the environment only fill in. */
function sourceOf(command: Command): 'config' | 'office' {
  const said = (names: readonly string[]) =>
    command.options.find(
      (option) =>
        names.includes(option.attributeName()) && command.getOptionValueSource(option.attributeName()) === 'cli',
    )?.long;
  const [ofConfig, ofOffice] = [said(OF_CONFIG), said(OF_OFFICE)];
  if (ofConfig && ofOffice) {
    throw new UsageError(
      `${ofConfig} and ${ofOffice} exclude each other: the tools come from a configuration or from an office`,
    );
  }
  if (ofOffice && command.opts().office === undefined) {
    throw new UsageError(`${ofOffice} needs --office: the office to join on the server`);
  }
  return ofOffice ? 'office' : 'config';
}

const OF_CONFIG: readonly (keyof ConfigOptions)[] = [
  'config',
  'root',
  'trust',
  'allowHost',
  'allowLocalhost',
  'allowPrivateIp',
  'dnsCheck',
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

const EXAMPLE = `
The tools come from a configuration, or with --url and --office from the Computers in an office. --timeout is what a call
may take, in seconds. An office has one Agent at a time: several clients share one proxy with --http.
A file named with --config is trusted; one that is found is not, unless --trust says so.

Examples:
  $ a2c proxy --config mcp.json
  $ a2c proxy --config mcp.json --http 8000
  $ a2c proxy --url https://example.org --office demo`;

export interface Address {
  readonly host?: string;
  readonly port: number;
}

function address(text: string): Address {
  const [, host, digits] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) throw new InvalidArgumentError('expected PORT or HOST:PORT');
  return { ...(host && { host: host.replace(/^\[(.*)\]$/, '$1') }), port };
}

function count(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('expected a whole number above 0');
}
