import type { JsonObject, JsonValue } from '../json/json-value.js';
import type { ClientConfig, MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig } from '../model/server-config.js';
import { tellA2cOnlyLosses } from './common-losses.js';
import { filled, headerSources, logFields, urlFields, withoutUnsaid } from './fields.js';
import type { LossList } from './losses.js';

/** mcp-kit's format. A server it would start although it is disabled is left out rather than switched on. */
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
  return withoutUnsaid({ version: 1, client: client && writeClient(client), servers: Object.fromEntries(written) });
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
    losses.add(name, 'disabled', 'v1 cannot switch a server off; it is left out');
    return undefined;
  }
  tellA2cOnlyLosses(server, 'v1', losses);
  losses.addPresent(name, { timeout: server.timeouts.timeout !== null }, 'v1 has no such field');
  switch (transport.type) {
    case 'stdio': {
      const { argv, env, inherit_env, stdout_log, cwd, env_file } = transport;
      losses.addPresent(name, { cwd: cwd !== null, env_file: env_file !== null }, 'v1 has no such field');
      return withoutUnsaid({
        transport: 'stdio',
        argv: argv.filter((item) => isSaid(item, name, 'argv', losses)),
        inherit_env: inherit_env ? null : false,
        env: filled(saidOnly(env, name, 'env', losses)),
        stdout_log: stdout_log && logFields(stdout_log),
      });
    }
    case 'unix':
      return { transport: 'unix', unix_path: transport.unix_path };
    case 'sse':
      losses.add(name, 'transport', 'v1 does not know the older SSE protocol; the server is left out');
      return undefined;
    case 'streamable_http':
      return withoutUnsaid({
        transport: 'streamable_http',
        ...urlFields(transport),
        http_headers: filled(saidOnly(transport.http_headers, name, 'headers', losses)),
        ...headerSources(transport),
      });
  }
}

/** v1 refuses blank texts; a file that is refused whole would lose more than one of them. */
function saidOnly(map: Readonly<Record<string, string>>, server: string, field: string, losses: LossList) {
  return Object.fromEntries(Object.entries(map).filter(([, text]) => isSaid(text, server, field, losses)));
}

function isSaid(text: string, server: string, field: string, losses: LossList): boolean {
  const said = /\S/.test(text);
  if (!said) losses.add(server, field, 'v1 does not permit a blank text; it is left out');
  return said;
}

function writeClient({ protocol_version, capabilities, roots }: ClientConfig): JsonObject {
  return withoutUnsaid({
    protocol_version,
    capabilities: capabilities as JsonObject | null,
    roots: roots?.map(({ uri, name }) => withoutUnsaid({ uri, name })),
  });
}
