import { Command, InvalidArgumentError, Option } from 'commander';
import { addJsonOption, addRootOptions, addTrustOptions, collect } from '../config-options.js';
import { proxy } from './proxy.js';

/** `a2c proxy`: every configured MCP server behind two tools. */
export function proxyCommand(): Command {
  const command = new Command('proxy')
    .option('--http <[host:]port>', 'serve Streamable HTTP there instead of stdio; port 0 picks a free one', address)
    .addOption(new Option('--token <token>', 'with --http, let in whoever has this token').env('A2C_PROXY_TOKEN'))
    .option('--allowed-host <name>', 'with --http, a name the server may be addressed by; repeatable', collect)
    .option('--allowed-origin <host>', 'with --http, let web pages of this host call; repeatable', collect)
    .option('--pass-through', 'show the servers as they are, instead of inspect and exec')
    .option('--catalogue-tokens <number>', 'what the list of tools in the description of inspect may cost', count)
    .option('--max-result <number>', 'cut longer results, in characters; inspect reads on', count)
    .option('--no-structured-content', 'only text, for hosts that show a model both')
    .addHelpText('after', EXAMPLE);
  return addJsonOption(addTrustOptions(addRootOptions(command))).action(proxy);
}

const EXAMPLE = `
A file named with --config is trusted; one that is found is not, unless --trust says so.

Example:
  $ a2c proxy --config mcp.json
  $ a2c proxy --config mcp.json --http 8000`;

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
