import type { JsonObject, JsonValue } from '../json/json-value.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig, SseTransport, StreamableHttpTransport } from '../model/server-config.js';
import { writeInput } from './a2c.js';
import { tellA2cOnlyLosses } from './common-losses.js';
import { filled, withoutUnsaid } from './fields.js';
import type { LossList } from './losses.js';

/** VS Code's `mcp.json`. What it would start although it is disabled is left out rather than switched on. */
export function vscodeWriter({ servers, inputs }: MCPConfig, losses: LossList): JsonValue {
  const written = servers.flatMap((server) => {
    const entry = writeServer(server, losses);
    return entry ? [[server.name, entry] as const] : [];
  });
  const askable = inputs.filter(({ id, type }) => {
    if (type === 'command') losses.add(null, `input ${id}`, 'a command of VS Code is not a program; it is left out');
    return type !== 'command';
  });
  return withoutUnsaid({
    servers: Object.fromEntries(written),
    inputs: askable.length > 0 ? askable.map((input) => withoutUnsaid(writeInput(input))) : null,
  });
}

function writeServer(server: ServerConfig, losses: LossList): JsonObject | undefined {
  const { name, transport, timeouts } = server;
  if (server.disabled) {
    losses.add(name, 'disabled', 'vscode cannot switch a server off in its file; it is left out');
    return undefined;
  }
  if (transport.type === 'unix') {
    losses.add(name, 'transport', 'vscode has no such transport; the server is left out');
    return undefined;
  }
  tellA2cOnlyLosses(server, 'vscode', losses);
  losses.addPresent(name, { timeout: timeouts.timeout !== null }, 'vscode has no such field');
  if (transport.type === 'stdio') {
    const [command, ...args] = transport.argv;
    const { env, inherit_env, cwd, env_file, stdout_log } = transport;
    losses.addPresent(name, { inherit_env: !inherit_env, stdout_log: stdout_log !== null }, 'vscode has no such field');
    return withoutUnsaid({ type: 'stdio', command, args, env: filled(env), cwd, envFile: env_file });
  }
  const split = transport.type === 'streamable_http' && transport.sse_url !== null;
  losses.addPresent(name, { sse_url: split }, 'vscode has one URL per server');
  return withoutUnsaid({
    type: transport.type === 'sse' ? 'sse' : 'http',
    url: transport.url,
    headers: filled({ ...transport.http_headers, ...headersFromEnvironment(transport) }),
  });
}

/** VS Code has no fields for secrets of the environment; its placeholders say the same. */
function headersFromEnvironment({ env_http_headers, bearer_token_env_var }: SseTransport | StreamableHttpTransport) {
  const headers = Object.entries(env_http_headers).map(([header, variable]) => [header, `\${env:${variable}}`]);
  if (bearer_token_env_var !== null) headers.push(['Authorization', `Bearer \${env:${bearer_token_env_var}}`]);
  return Object.fromEntries(headers) as Record<string, string>;
}
