import { environmentNames } from '../inputs/environment-name.js';
import type { JsonObject } from '../json/json-value.js';
import type { InputDefinition } from '../model/input-definition.js';
import { writeInput } from '../writers/a2c.js';
import { filled, withoutUnsaid } from '../writers/fields.js';

/** The clients that can be pointed at our proxy. */
export const PROXY_CLIENTS = ['claude', 'cursor', 'vscode'] as const;
export type ProxyClient = (typeof PROXY_CLIENTS)[number];

export interface ProxyProgram {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  /** Inputs that the proxy will need; a client starts it where nobody can be asked. */
  readonly inputs: readonly InputDefinition[];
}

/** What to put into a client's configuration so that it starts our proxy. */
export function proxyEntry(client: ProxyClient, { name, argv, inputs }: ProxyProgram): JsonObject {
  const [command, ...args] = argv;
  const asked = inputs.filter(({ type }) => type !== 'command');
  const env = (value: (id: string, variable: string) => string) =>
    filled(Object.fromEntries(asked.map(({ id }) => [variableOf(id), value(id, variableOf(id))])));
  switch (client) {
    case 'vscode':
      return withoutUnsaid({
        servers: { [name]: withoutUnsaid({ type: 'stdio', command, args, env: env((id) => `\${input:${id}}`) }) },
        inputs: asked.length > 0 ? asked.map((input) => withoutUnsaid(writeInput(input))) : null,
      });
    case 'cursor':
      return {
        mcpServers: { [name]: withoutUnsaid({ command, args, env: env((_, variable) => `\${env:${variable}}`) }) },
      };
    case 'claude':
      // Claude Desktop fills in no placeholder, so a value would have to stand here; its environment is the other way.
      return { mcpServers: { [name]: { command, args } } };
  }
}

function variableOf(id: string): string {
  return environmentNames(id).at(-1) ?? id;
}
