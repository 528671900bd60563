/**
 * The tools and MCP servers that an Agent may use. Patterns with `*`; one that starts with `!` denies. A name is
 * allowed if no denying pattern matches it and, where there are allowing ones, one of these does.
 */
export interface AgentScope {
  /** Patterns for the names of tools. */
  readonly tools?: readonly string[];
  /** Patterns for the names of MCP servers. */
  readonly servers?: readonly string[];
}

/**
 * Whether patterns allow something that is known by these names: a tool and its alias, for example. A denial of one
 * name is enough, and so is the permission of one.
 */
export function isPermitted(patterns: readonly string[] | undefined, ...names: readonly string[]): boolean {
  if (patterns === undefined) return true;
  const denied = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const allowed = patterns.filter((pattern) => !pattern.startsWith('!'));
  const matches = (all: readonly string[]) =>
    names.some((name) => all.some((pattern) => matchesPattern(pattern, name)));
  // An empty list allows nothing, as for roles and offices.
  if (patterns.length > 0 && allowed.length === 0) return !matches(denied);
  return matches(allowed) && !matches(denied);
}

/** The full names of a tool, `server.tool` and `server/tool`, by all names of its MCP server and of itself. */
export function fullNames(servers: readonly string[], tools: readonly string[]): string[] {
  return servers.flatMap((server) => tools.flatMap((tool) => [`${server}.${tool}`, `${server}/${tool}`]));
}

/** `*` matches any characters. Linear: each part is searched once, from left to right, without backtracking. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === text;
  const tail = rest.pop() as string;
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  let from = head.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > text.length - tail.length) return false;
    from = at + part.length;
  }
  return true;
}
