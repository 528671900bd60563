import type { InputDefinition } from './input-definition.js';
import type { MCPConfig } from './mcp-config.js';
import { PLACEHOLDER, replaceInArguments, replaceInUrl, withoutScheme } from './secrets.js';
import type { ServerConfig, Transport } from './server-config.js';

/** What stands in place of a secret; of fixed length, since lengths tell. */
export const MASK = '********';

/**
 * The configuration as it may be shown. Values of environments and headers are masked whatever their name, since names lie;
 * placeholders stay readable, because they are what a person wants to check and hold no secret themselves.
 */
export function maskConfig(config: MCPConfig): MCPConfig {
  return { ...config, servers: config.servers.map(maskServer), inputs: config.inputs.map(maskInput) };
}

export function maskServer(server: ServerConfig): ServerConfig {
  return { ...server, transport: maskTransport(server.transport) };
}

function maskTransport(transport: Transport): Transport {
  switch (transport.type) {
    case 'stdio':
      return {
        ...transport,
        argv: maskArguments(transport.argv) as [string, ...string[]],
        env: maskValues(transport.env),
      };
    case 'unix':
      return transport;
    case 'sse':
      return { ...transport, url: maskUrl(transport.url), http_headers: maskValues(transport.http_headers) };
    case 'streamable_http':
      return {
        ...transport,
        url: maskUrl(transport.url),
        sse_url: transport.sse_url && maskUrl(transport.sse_url),
        http_headers: maskValues(transport.http_headers),
      };
  }
}

function maskValues(map: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, maskText(value)]));
}

/** Everything but placeholders, of which the default is masked too. `Bearer ` and its like stay, being no secret. */
function maskText(text: string): string {
  const { scheme, rest } = withoutScheme(text);
  if (rest === '') return text;
  const placeholders = [...rest.matchAll(PLACEHOLDER)].map(
    ([, name = '']) => `\${${name.split(':-')[0]}${name.includes(':-') ? `:-${MASK}` : ''}}`,
  );
  const outside = rest.replaceAll(PLACEHOLDER, '');
  return scheme + [...placeholders, ...(outside === '' ? [] : [MASK])].join('');
}

function maskArguments(argv: readonly string[]): string[] {
  return replaceInArguments(argv, ({ text }) => maskText(text));
}

/** Credentials, values of the query, and parts of the path that look random: some services put their key there. */
export function maskUrl(url: string): string {
  return replaceInUrl(url, ({ text }) => maskText(text));
}

export function maskInput(input: InputDefinition): InputDefinition {
  if (input.type === 'command') {
    const command = maskArguments(input.command.split(' ')).join(' ');
    return { ...input, command, args: input.args && maskValues(input.args) };
  }
  return input.type === 'promptString' && input.password && input.default !== null
    ? { ...input, default: MASK }
    : input;
}
