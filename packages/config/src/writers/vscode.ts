import type { JsonObject, JsonValue } from '../json/json-value.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig, SseTransport, StreamableHttpTransport } from '../model/server-config.js';
import { writeInput } from './a2c.js';
import { nonEmpty, withoutNulls } from './fields.js';
import type { LossList } from './losses.js';

/** VS Code's `mcp.json`. It cannot disable a server, so a disabled server is left out. */
export function vscodeWriter({ servers, inputs }: MCPConfig, losses: LossList): JsonValue {
  const written = servers.flatMap((server) => {
    const entry = writeServer(server, losses);
    return entry ? [[server.name, entry] as const] : [];
  });
  const askable = inputs.filter(({ id, type }) => {
    if (type === 'command') losses.add(null, `input ${id}`, 'vscode cannot run a program for an input; it is left out');
    return type !== 'command';
  });
  return withoutNulls({
    servers: Object.fromEntries(written),
    inputs: askable.length > 0 ? askable.map((input) => withoutNulls(writeInput(input))) : null,
  });
}

function writeServer(server: ServerConfig, losses: LossList): JsonObject | undefined {
  const { name, transport, timeouts } = server;
  if (server.disabled) {
    losses.add(name, 'disabled', 'vscode cannot disable a server in its file; it is left out');
    return undefined;
  }
  if (transport.type === 'unix') {
    losses.add(name, 'transport', 'vscode has no such transport; the server is left out');
    return undefined;
  }
  losses.addA2cOnlyFields(server, 'vscode');
  losses.addFields(
    name,
    {
      timeout: timeouts.timeout !== null,
      start_timeout: server.start_timeout !== undefined,
      connections: server.connections !== undefined,
      pins: server.pins !== undefined,
    },
    'vscode has no such field',
  );
  if (transport.type === 'stdio') {
    const [command, ...args] = transport.argv;
    const { env, inherit_env, cwd, env_file, stdout_log } = transport;
    const lost = { inherit_env, stdout_log: stdout_log !== null, sandbox: transport.sandbox !== undefined };
    losses.addFields(name, lost, 'vscode has no such field');
    return withoutNulls({ type: 'stdio', command, args, env: nonEmpty(env), cwd, envFile: env_file });
  }
  const { client_id, ...others } = transport.oauth ?? {};
  const fields = Object.fromEntries(Object.keys(others).map((field) => [`oauth.${field}`, true]));
  losses.addFields(name, fields, 'vscode has no such field');
  const split = transport.type === 'streamable_http' && transport.sse_url !== null;
  losses.addFields(name, { sse_url: split }, 'vscode has one URL per server');
  return withoutNulls({
    type: transport.type === 'sse' ? 'sse' : 'http',
    url: transport.url,
    headers: nonEmpty({ ...transport.http_headers, ...headersFromEnvironment(transport) }),
    oauth: client_id === undefined ? null : { clientId: client_id },
  });
}

/** VS Code has no fields for environment variables in headers; a placeholder has the same effect. */
function headersFromEnvironment({ env_http_headers, bearer_token_env_var }: SseTransport | StreamableHttpTransport) {
  const headers = Object.entries(env_http_headers).map(([header, variable]) => [header, `\${env:${variable}}`]);
  if (bearer_token_env_var !== null) headers.push(['Authorization', `Bearer \${env:${bearer_token_env_var}}`]);
  return Object.fromEntries(headers) as Record<string, string>;
}
