import { environmentNames, type InputDefinition } from '../model/input-definition.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig } from '../model/server-config.js';
import { mapTexts, replacePlaceholders } from '../placeholders/syntax.js';

/** The ids of the inputs that a server refers to. */
export function inputIdsOf(server: ServerConfig): ReadonlySet<string> {
  const ids = new Set<string>();
  withInputIds(server, (id) => {
    ids.add(id);
    return id;
  });
  return ids;
}

/** Those of `inputs` that a server refers to. */
export function inputsUsedBy(server: ServerConfig, inputs: readonly InputDefinition[]): readonly InputDefinition[] {
  const ids = inputIdsOf(server);
  return inputs.filter(({ id }) => ids.has(id));
}

/**
 * Gives the inputs of a file ids of their own, `scope/id`, so that they share no value with those of the user: neither
 * a stored one nor that of an environment variable. A placeholder that the file does not define stays as it is: it may
 * mean an input of the user.
 */
export function withOwnInputs<T extends MCPConfig>(config: T, scope: string, yours: readonly InputDefinition[]): T {
  const variableOf = (id: string) => environmentNames(id).at(-1);
  const taken = new Set(yours.map(({ id }) => variableOf(id)));
  let own = scope;
  for (let number = 2; config.inputs.some(({ id }) => taken.has(variableOf(`${own}/${id}`))); number += 1)
    own = `${scope}-${number}`;
  const ids = new Set(config.inputs.map(({ id }) => id));
  return {
    ...config,
    inputs: config.inputs.map((input) => ({ ...input, id: `${own}/${input.id}` })),
    servers: config.servers.map((server) => withInputIds(server, (id) => (ids.has(id) ? `${own}/${id}` : id))),
  };
}

/** Texts outside of these fields have no placeholders. */
function withInputIds(server: ServerConfig, change: (id: string) => string): ServerConfig {
  const { transport, forbidden_tools, tool_meta, default_tool_meta, vrl } = server;
  const changed = mapTexts({ transport, forbidden_tools, tool_meta, default_tool_meta, vrl }, (text) =>
    replacePlaceholders(text, (whole, name) =>
      name.startsWith('input:') ? `\${input:${change(name.slice('input:'.length))}}` : whole,
    ),
  );
  return { ...server, ...changed };
}
