import type { JsonObject, JsonValue } from '../json/json-value.js';
import { toIsoDuration } from '../model/duration.js';
import type { InputDefinition, InputOption } from '../model/input-definition.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig } from '../model/server-config.js';
import { headerVariables, logFields, sandboxFields, withoutNulls } from './fields.js';
import type { LossList } from './losses.js';

/** Our own format: a list of servers, or an object with `servers` and `inputs` when there are inputs. */
export function a2cWriter({ servers, inputs }: MCPConfig, losses: LossList): JsonValue {
  const written = servers.map((server) => writeServer(server, losses));
  return inputs.length === 0 ? written : { servers: written, inputs: inputs.map(writeInput) };
}

function writeServer(server: ServerConfig, losses: LossList): JsonObject {
  return withoutNulls({
    name: server.name,
    bundle_id: server.bundle_id ?? null,
    type: server.transport.type === 'streamable_http' ? 'streamable' : server.transport.type,
    disabled: server.disabled,
    forbidden_tools: [...server.forbidden_tools],
    tool_meta: server.tool_meta as JsonObject,
    default_tool_meta: server.default_tool_meta as JsonObject | null,
    vrl: server.vrl,
    start_timeout: server.start_timeout ?? null,
    connections: server.connections ?? null,
    pins: server.pins ?? null,
    server_parameters: parametersOf(server, losses),
  });
}

function parametersOf({ name, transport, timeouts }: ServerConfig, losses: LossList): JsonObject {
  const timed = transport.type === 'sse' || transport.type === 'streamable_http';
  if (!timed) {
    const fields = { timeout: timeouts.timeout !== null, sse_read_timeout: timeouts.sse_read_timeout !== null };
    losses.addFields(name, fields, `a2c has no timeout for ${transport.type} servers`);
  }
  switch (transport.type) {
    case 'stdio': {
      const [command, ...args] = transport.argv;
      const { env, cwd, encoding, encoding_error_handler, env_file, inherit_env, stdout_log, sandbox } = transport;
      return {
        ...{ command, args, env: { ...env }, cwd, encoding, encoding_error_handler },
        ...withoutNulls({
          envFile: env_file,
          inherit_env: inherit_env || null,
          stdout_log: stdout_log && logFields(stdout_log),
          sandbox: sandboxFields(sandbox),
        }),
      };
    }
    case 'unix':
      return { unix_path: transport.unix_path };
    case 'sse':
      return withoutNulls({
        url: transport.url,
        headers: { ...transport.http_headers },
        ...timeouts,
        ...headerVariables(transport),
      });
    case 'streamable_http': {
      const iso = (seconds: number | null) => (seconds === null ? null : toIsoDuration(seconds));
      return withoutNulls({
        url: transport.url,
        sse_url: transport.sse_url,
        headers: { ...transport.http_headers },
        timeout: iso(timeouts.timeout),
        sse_read_timeout: iso(timeouts.sse_read_timeout),
        terminate_on_close: transport.terminate_on_close,
        ...headerVariables(transport),
      });
    }
  }
}

/** A plain text where the label says nothing more: older readers know no other form. */
function writeOption({ label, value }: InputOption): JsonValue {
  return label === value ? value : { label, value };
}

export function writeInput(input: InputDefinition): JsonObject {
  return { ...input, ...('options' in input ? { options: input.options.map(writeOption) } : {}) } as JsonObject;
}
