import type { JsonObject, JsonValue } from '../json/json-value.js';
import type { ClientConfig, MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig } from '../model/server-config.js';
import { headerVariables, isBlank, logFields, nonEmpty, urlFields, withoutNulls } from './fields.js';
import type { LossList } from './losses.js';

/** The format of mcp-kit. It cannot disable a server, so a disabled server is left out. */
export function v1Writer({ servers, inputs, client }: MCPConfig, losses: LossList): JsonValue {
  if (inputs.length > 0) losses.add(null, 'inputs', 'v1 has no inputs');
  const written: [string, JsonObject][] = [];
  const taken = new Set<string>();
  for (const server of servers) {
    const entry = writeServer(server, losses);
    if (!entry) continue;
    const name = portableName(server.name, taken);
    if (name !== server.name) losses.add(server.name, 'name', `v1 does not permit this name; written as "${name}"`);
    taken.add(name);
    written.push([name, entry]);
  }
  return withoutNulls({ version: 1, client: client && writeClient(client), servers: Object.fromEntries(written) });
}

function portableName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  let candidate = plain;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${plain}_${number}`;
  return candidate;
}

function writeServer(server: ServerConfig, losses: LossList): JsonObject | undefined {
  const { name, transport } = server;
  if (server.disabled) {
    losses.add(name, 'disabled', 'v1 cannot disable a server; it is left out');
    return undefined;
  }
  // v1 rejects a whole file for one blank text.
  const isWritable = (field: string, text: string): boolean => {
    if (isBlank(text)) losses.add(name, field, 'v1 does not permit a blank text; it is left out');
    return !isBlank(text);
  };
  const writable = (field: string, map: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(map).filter(([, text]) => isWritable(field, text)));
  losses.addA2cOnlyFields(server, 'v1');
  losses.addFields(
    name,
    {
      timeout: server.timeouts.timeout !== null,
      start_timeout: server.start_timeout !== undefined,
      connections: server.connections !== undefined,
      pins: server.pins !== undefined,
    },
    'v1 has no such field',
  );
  switch (transport.type) {
    case 'stdio': {
      const { argv, env, inherit_env, stdout_log, cwd, env_file } = transport;
      const lost = { cwd: cwd !== null, env_file: env_file !== null, sandbox: transport.sandbox !== undefined };
      losses.addFields(name, lost, 'v1 has no such field');
      return withoutNulls({
        transport: 'stdio',
        argv: argv.filter((argument) => isWritable('argv', argument)),
        inherit_env: inherit_env || null,
        env: nonEmpty(writable('env', env)),
        stdout_log: stdout_log && logFields(stdout_log),
      });
    }
    case 'unix':
      return { transport: 'unix', unix_path: transport.unix_path };
    case 'sse':
      losses.add(name, 'transport', 'v1 does not support the older SSE transport; the server is left out');
      return undefined;
    case 'streamable_http':
      return withoutNulls({
        transport: 'streamable_http',
        ...urlFields(transport),
        http_headers: nonEmpty(writable('headers', transport.http_headers)),
        ...headerVariables(transport),
      });
  }
}

function writeClient({ protocol_version, capabilities, roots }: ClientConfig): JsonObject {
  return withoutNulls({
    protocol_version,
    capabilities: capabilities as JsonObject | null,
    roots: roots?.map(({ uri, name }) => withoutNulls({ uri, name })),
  });
}
