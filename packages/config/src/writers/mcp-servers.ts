import type { JsonObject, JsonValue } from '../json/json-value.js';
import { toIsoDuration } from '../model/duration.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig, Transport } from '../model/server-config.js';
import { tellA2cOnlyLosses } from './common-losses.js';
import { filled, headerSources, logFields, urlFields, withoutUnsaid } from './fields.js';
import type { LossList } from './losses.js';

/** `{"mcpServers": {…}}`, with the extensions that mcp-kit and this reader understand only where they are needed. */
export function mcpServersWriter({ servers, inputs }: MCPConfig, losses: LossList): JsonValue {
  if (inputs.length > 0) losses.add(null, 'inputs', 'mcpServers has no inputs');
  return { mcpServers: Object.fromEntries(servers.map((server) => [server.name, writeServer(server, losses)])) };
}

function writeServer(server: ServerConfig, losses: LossList): JsonObject {
  const { name, transport, disabled, timeouts } = server;
  tellA2cOnlyLosses(server, 'mcpServers', losses);
  const env = transport.type === 'stdio' ? Object.entries(transport.env) : [];
  losses.addPresent(name, Object.fromEntries(env.map(([key, value]) => [`env ${key}`, !/\S/.test(value)])), BLANK);
  return withoutUnsaid({
    ...transportFields(transport),
    disabled: disabled || null,
    // Numbers are read as seconds or milliseconds by different tools; a duration is not mistaken.
    timeout: timeouts.timeout === null ? null : toIsoDuration(timeouts.timeout),
  });
}

const BLANK = 'a blank value is not permitted in mcpServers; it is left out';

function transportFields(transport: Transport): JsonObject {
  switch (transport.type) {
    case 'stdio': {
      const [command, ...args] = transport.argv;
      const { env, inherit_env, cwd, env_file, stdout_log } = transport;
      const said = Object.fromEntries(Object.entries(env).filter(([, value]) => /\S/.test(value)));
      return withoutUnsaid({
        ...{ type: 'stdio', command, args, env: filled(said), cwd, envFile: env_file },
        inherit_env: inherit_env ? null : false,
        stdout_log: stdout_log && logFields(stdout_log),
      });
    }
    case 'unix':
      return { type: 'unix', unix_path: transport.unix_path };
    case 'sse':
      return withoutUnsaid({
        ...{ type: 'sse', url: transport.url, headers: filled(transport.http_headers) },
        ...headerSources(transport),
      });
    case 'streamable_http':
      return withoutUnsaid({
        ...{ type: 'http', ...urlFields(transport), headers: filled(transport.http_headers) },
        ...headerSources(transport),
      });
  }
}
