import type { JsonObject } from '../json/json-value.js';
import { environmentNames, type InputDefinition } from '../model/input-definition.js';
import { writeInput } from '../writers/a2c.js';
import { nonEmpty, withoutNulls } from '../writers/fields.js';

/** The clients for which `proxyEntry` can write an entry. */
export const PROXY_CLIENTS = ['claude', 'cursor', 'vscode', 'windsurf', 'codex', 'gemini'] as const;
/** One of `PROXY_CLIENTS`. */
export type ProxyClient = (typeof PROXY_CLIENTS)[number];

/** How to start the proxy. */
export interface ProxyProgram {
  /** The name of the entry. */
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  /** The inputs that the proxy needs. A client starts it without a terminal, so it cannot ask for them. */
  readonly inputs: readonly InputDefinition[];
  /** Environment variables that the proxy needs, such as `A2C_HOME`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The entry for a client's configuration file that makes the client start the proxy. */
export function proxyEntry(client: ProxyClient, { name, argv, inputs, env: fixed = {} }: ProxyProgram): JsonObject {
  const [command, ...args] = argv;
  const asked = inputs.filter(({ type }) => type !== 'command');
  const env = (value: (id: string, variable: string) => string) =>
    nonEmpty({ ...fixed, ...Object.fromEntries(asked.map(({ id }) => [variableOf(id), value(id, variableOf(id))])) });
  switch (client) {
    case 'vscode':
      return withoutNulls({
        servers: { [name]: withoutNulls({ type: 'stdio', command, args, env: env((id) => `\${input:${id}}`) }) },
        inputs: asked.length > 0 ? asked.map((input) => withoutNulls(writeInput(input))) : null,
      });
    case 'cursor':
    case 'windsurf':
      return {
        mcpServers: { [name]: withoutNulls({ command, args, env: env((_, variable) => `\${env:${variable}}`) }) },
      };
    case 'gemini':
      return { mcpServers: { [name]: withoutNulls({ command, args, env: env((_, variable) => `$${variable}`) }) } };
    case 'codex': {
      // Codex passes on only the variables that an entry names.
      const env_vars = asked.map(({ id }) => variableOf(id));
      const passed = { env_vars: env_vars.length > 0 ? env_vars : null, env: nonEmpty(fixed) };
      return { mcp_servers: { [name]: withoutNulls({ command, args, ...passed }) } };
    }
    case 'claude':
      // Claude Desktop expands no placeholders. Its users set the variables in the environment instead.
      return { mcpServers: { [name]: withoutNulls({ command, args, env: nonEmpty(fixed) }) } };
  }
}

/** The text of an entry in the format of the client's file: TOML for Codex, JSON for the others. */
export async function formatProxyEntry(client: ProxyClient, entry: JsonObject): Promise<string> {
  if (client !== 'codex') return JSON.stringify(entry, null, 2);
  const { stringify } = await import('smol-toml');
  return stringify(entry).trimEnd();
}

function variableOf(id: string): string {
  return environmentNames(id).at(-1) ?? id;
}
