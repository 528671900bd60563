import { isBundleId } from './bundle-id.js';

/** A skill name of the user, of a plugin, or of an MCP server, taken apart. */
export type SkillName =
  | { readonly source: 'user'; readonly skill: string }
  | { readonly source: 'marketplace'; readonly plugin: string; readonly skill: string }
  | { readonly source: 'mcp'; readonly bundleId: string; readonly skill: string };

const MAX_SEGMENT = 64;

/** Whether a text can be the last part of a skill name: lower-case words with hyphens, at most 64 characters. */
export function isSkillSegment(text: string): boolean {
  return text.length <= MAX_SEGMENT && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text);
}

/** Parses `skill`, `plugin:skill` or `mcp:<bundle id>:skill`; undefined for any other text. */
export function parseSkillName(name: string): SkillName | undefined {
  const segments = name.split(':');
  const [first = '', second = '', third = ''] = segments;
  if (segments.length === 1 && isSkillSegment(first)) return { source: 'user', skill: first };
  if (segments.length === 2 && isSkillSegment(first) && isSkillSegment(second))
    return { source: 'marketplace', plugin: first, skill: second };
  if (segments.length === 3 && first === 'mcp' && isBundleId(second) && isSkillSegment(third))
    return { source: 'mcp', bundleId: second, skill: third };
  return undefined;
}
