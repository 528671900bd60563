import type { JsonObject } from '../json/json-value.js';
import { environmentNames, type InputDefinition } from '../model/input-definition.js';
import { writeInput } from '../writers/a2c.js';
import { nonEmpty, withoutNulls } from '../writers/fields.js';

/** The clients for which `proxyEntry` can write an entry. */
export const PROXY_CLIENTS = ['claude', 'cursor', 'vscode'] as const;
/** One of `PROXY_CLIENTS`. */
export type ProxyClient = (typeof PROXY_CLIENTS)[number];

/** How to start the proxy. */
export interface ProxyProgram {
  /** The name of the entry. */
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  /** The inputs that the proxy needs. A client starts it without a terminal, so it cannot ask for them. */
  readonly inputs: readonly InputDefinition[];
}

/** The entry for a client's configuration file that makes the client start the proxy. */
export function proxyEntry(client: ProxyClient, { name, argv, inputs }: ProxyProgram): JsonObject {
  const [command, ...args] = argv;
  const asked = inputs.filter(({ type }) => type !== 'command');
  const env = (value: (id: string, variable: string) => string) =>
    nonEmpty(Object.fromEntries(asked.map(({ id }) => [variableOf(id), value(id, variableOf(id))])));
  switch (client) {
    case 'vscode':
      return withoutNulls({
        servers: { [name]: withoutNulls({ type: 'stdio', command, args, env: env((id) => `\${input:${id}}`) }) },
        inputs: asked.length > 0 ? asked.map((input) => withoutNulls(writeInput(input))) : null,
      });
    case 'cursor':
      return {
        mcpServers: { [name]: withoutNulls({ command, args, env: env((_, variable) => `\${env:${variable}}`) }) },
      };
    case 'claude':
      // Claude Desktop expands no placeholders. Its users set the variables in the environment instead.
      return { mcpServers: { [name]: { command, args } } };
  }
}

function variableOf(id: string): string {
  return environmentNames(id).at(-1) ?? id;
}
