import { type MCPConfig, maskConfig, type ServerConfig, type Transport } from '@a2c/config';
import { type ConfigOptions, loadFrom, policyFrom } from '../config-options.js';
import { print, printJson } from '../output.js';

export async function show(file: string | undefined, options: ConfigOptions): Promise<void> {
  const loaded = await loadFrom(options, file);
  const { trusted } = await policyFrom(options, loaded);
  const { format, servers, inputs, client, proxy } = maskConfig(loaded);
  if (options.json) printJson({ source: loaded.source, format, trusted, servers, inputs, client, proxy });
  else print(describe({ format, servers, inputs, client, proxy }, loaded.source.files[0].file, trusted));
}

function describe({ format, servers, inputs, client, proxy }: MCPConfig, file: string, trusted: boolean): string {
  const lines = [`${file} (${format}, ${trusted ? 'trusted' : 'untrusted'})`];
  for (const server of servers) lines.push('', ...describeServer(server));
  for (const { id, type, description } of inputs) lines.push('', `input ${id}: ${type}`, ...detail('', description));
  if (client) lines.push('', 'client', ...detail('', JSON.stringify(client)));
  if (proxy) lines.push('', 'proxy', ...detail('', JSON.stringify(proxy)));
  return lines.join('\n');
}

function describeServer(server: ServerConfig): string[] {
  const { name, transport, disabled, forbidden_tools, tool_meta, default_tool_meta, vrl, timeouts } = server;
  return [
    `${name}: ${transport.type}${disabled ? ', disabled' : ''}`,
    ...describeTransport(transport),
    ...detail('forbidden', forbidden_tools.join(', ')),
    ...Object.entries(tool_meta).flatMap(([tool, meta]) => detail(`tool ${tool}`, JSON.stringify(meta))),
    ...detail('every tool', default_tool_meta ? JSON.stringify(default_tool_meta) : ''),
    ...detail('vrl', vrl ?? ''),
    ...detail('timeout', timeouts.timeout === null ? '' : `${timeouts.timeout} s`),
    ...detail('sse read timeout', timeouts.sse_read_timeout === null ? '' : `${timeouts.sse_read_timeout} s`),
  ];
}

function describeTransport(transport: Transport): string[] {
  switch (transport.type) {
    case 'stdio':
      return [
        ...detail('run', transport.argv.join(' ')),
        ...detail('in', transport.cwd ?? ''),
        ...Object.entries(transport.env).flatMap(([key, value]) => detail('env', `${key}=${value}`)),
        ...detail('env file', transport.env_file ?? ''),
        ...detail('env', transport.inherit_env ? 'inherits the environment' : 'only basic variables are inherited'),
        ...detail('stdout log', transport.stdout_log?.path ?? ''),
      ];
    case 'unix':
      return detail('socket', transport.unix_path);
    default:
      return [
        ...detail('url', transport.url),
        ...Object.entries(transport.http_headers).flatMap(([key, value]) => detail('header', `${key}: ${value}`)),
        ...Object.entries(transport.env_http_headers).flatMap(([key, name]) =>
          detail('header', `${key}: from ${name}`),
        ),
        ...detail(
          'bearer token',
          transport.bearer_token_env_var === null ? '' : `from ${transport.bearer_token_env_var}`,
        ),
      ];
  }
}

function detail(label: string, text: string): string[] {
  return text === '' ? [] : [`  ${label === '' ? '' : `${label}: `}${text}`];
}
