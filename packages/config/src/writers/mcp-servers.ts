import type { JsonObject, JsonValue } from '../json/json-value.js';
import { toIsoDuration } from '../model/duration.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig, Transport } from '../model/server-config.js';
import { headerVariables, isBlank, logFields, nonEmpty, sandboxFields, urlFields, withoutNulls } from './fields.js';
import type { LossList } from './losses.js';

/** `{"mcpServers": {…}}`. Extensions of mcp-kit and a2c are written only where they are needed. */
export function mcpServersWriter({ servers, inputs }: MCPConfig, losses: LossList): JsonValue {
  if (inputs.length > 0) losses.add(null, 'inputs', 'mcpServers has no inputs');
  return { mcpServers: Object.fromEntries(servers.map((server) => [server.name, writeServer(server, losses)])) };
}

function writeServer(server: ServerConfig, losses: LossList): JsonObject {
  const { name, transport, disabled, timeouts } = server;
  losses.addA2cOnlyFields(server, 'mcpServers');
  const env = transport.type === 'stdio' ? Object.entries(transport.env) : [];
  losses.addFields(name, Object.fromEntries(env.map(([key, value]) => [`env ${key}`, isBlank(value)])), BLANK);
  return withoutNulls({
    ...transportFields(transport),
    disabled: disabled || null,
    // Some tools read a number as seconds, others as milliseconds. A duration is unambiguous.
    timeout: timeouts.timeout === null ? null : toIsoDuration(timeouts.timeout),
    start_timeout: server.start_timeout ?? null,
    connections: server.connections ?? null,
    pins: server.pins ?? null,
  });
}

const BLANK = 'a blank value is not permitted in mcpServers; it is left out';

function transportFields(transport: Transport): JsonObject {
  switch (transport.type) {
    case 'stdio': {
      const [command, ...args] = transport.argv;
      const { env, inherit_env, cwd, env_file, stdout_log, sandbox } = transport;
      const written = Object.fromEntries(Object.entries(env).filter(([, value]) => !isBlank(value)));
      return withoutNulls({
        ...{ type: 'stdio', command, args, env: nonEmpty(written), cwd, envFile: env_file },
        inherit_env: inherit_env || null,
        stdout_log: stdout_log && logFields(stdout_log),
        sandbox: sandboxFields(sandbox),
      });
    }
    case 'unix':
      return { type: 'unix', unix_path: transport.unix_path };
    case 'sse':
      return withoutNulls({
        ...{ type: 'sse', url: transport.url, headers: nonEmpty(transport.http_headers) },
        ...headerVariables(transport),
      });
    case 'streamable_http':
      return withoutNulls({
        ...{ type: 'http', ...urlFields(transport), headers: nonEmpty(transport.http_headers) },
        ...headerVariables(transport),
      });
  }
}
