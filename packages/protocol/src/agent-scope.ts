import { exposedName } from './bundle-id.js';

/**
 * The tools and MCP servers that an Agent may use. Patterns with `*`; one that starts with `!` denies. A name is
 * allowed if no denying pattern matches it and, where there are allowing ones, one of these does. Where there are
 * patterns, a name with very many combining marks in a row is not allowed.
 */
export interface AgentScope {
  /** Patterns for the names of tools. */
  readonly tools?: readonly string[];
  /** Patterns for the names of MCP servers. */
  readonly servers?: readonly string[];
}

/**
 * Whether patterns allow something that is known by these names: a tool and its alias, for example. A denial of one
 * name is enough, and so is the permission of one. Names and patterns are compared in the normal form NFC.
 */
export function isPermitted(patterns: readonly string[] | undefined, ...names: readonly string[]): boolean {
  return isToolPermitted(patterns, names, names);
}

/**
 * As {@link isPermitted}, for a tool with names that may mean a tool of another MCP server.
 *
 * @param names By which it may be denied.
 * @param ownNames By which it may be allowed: those that always mean this tool.
 */
export function isToolPermitted(
  patterns: readonly string[] | undefined,
  names: readonly string[],
  ownNames: readonly string[],
): boolean {
  if (patterns === undefined) return true;
  if (names.some((name) => UNSAFE.test(name))) return false;
  const denied = deniedBy(patterns);
  const allowed = patterns.filter((pattern) => !pattern.startsWith('!'));
  // An empty list allows nothing, as for roles and offices.
  const isAllowed = (patterns.length > 0 && allowed.length === 0) || matchesAny(allowed, ownNames);
  return isAllowed && !matchesAny(denied, names);
}

/**
 * Whether patterns may deny a tool by a full name that is not known: the part after a separator matches one of its
 * names.
 *
 * @param separators Those of the unknown full names: `.`, `/` and `__`.
 */
export function mayDenyByFullName(
  patterns: readonly string[] | undefined,
  names: readonly string[],
  separators: readonly string[],
): boolean {
  const parts = deniedBy(patterns ?? []).flatMap((pattern) =>
    Array.from({ length: pattern.length }, (_, at) => at).flatMap((at) =>
      separators.flatMap((separator) =>
        at > 0 && pattern.startsWith(separator, at) ? [pattern.slice(at + separator.length)] : [],
      ),
    ),
  );
  return matchesAny(parts, names);
}

/**
 * The full names of a tool, by all names of itself: `server.tool` and `server/tool` with the name and the bundle id of
 * its MCP server, and `bundle__tool`.
 */
export function fullNames(
  [server, bundleId]: readonly [server: string | undefined, bundleId: string | undefined],
  tools: readonly string[],
): string[] {
  const prefixes = [server, bundleId].flatMap((prefix) => (prefix === undefined ? [] : [`${prefix}.`, `${prefix}/`]));
  if (bundleId !== undefined) prefixes.push(exposedName(bundleId, ''));
  return prefixes.flatMap((prefix) => tools.map((tool) => prefix + tool));
}

function deniedBy(patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
}

/**
 * More combining marks in a row than Unicode's Stream-Safe Text Format has. To normalise such a text takes quadratic
 * time, and no name needs it.
 */
const UNSAFE = /\p{M}{31}/u;

function matchesAny(patterns: readonly string[], names: readonly string[]): boolean {
  const normal = names.map((name) => name.normalize());
  return patterns.some((pattern) => {
    const normalPattern = pattern.normalize();
    return normal.some((name) => matchesPattern(normalPattern, name));
  });
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
