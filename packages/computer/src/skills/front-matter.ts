import { isRecord } from '@a2c/protocol';
import { parseDocument } from 'yaml';

/** A SKILL.md, taken apart. */
export interface SkillDocument {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The text after the closing fence, unchanged. */
  readonly body: string;
}

/** A block between two `---` lines at the start. */
const FENCED = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/;

/** Larger ones are no descriptions. */
const MAX_FRONT_MATTER = 64 * 1_024;

/** @throws Error when there is no frontmatter, or it is no YAML object. */
export function parseSkillDocument(text: string): SkillDocument {
  const [whole, yaml = ''] = FENCED.exec(text) ?? [];
  if (whole === undefined) throw new Error('SKILL.md has no frontmatter between two "---" lines');
  if (yaml.length > MAX_FRONT_MATTER) throw new Error(`the frontmatter is larger than ${MAX_FRONT_MATTER} characters`);
  const document = parseDocument(yaml, { schema: 'core', strict: true });
  const [problem] = document.errors;
  if (problem) throw new Error(`the frontmatter is not valid YAML: ${problem.message.split('\n')[0]}`);
  // No aliases: a few lines of them expand to gigabytes.
  const fields: unknown = document.toJS({ maxAliasCount: 0 });
  if (!isRecord(fields)) throw new Error('the frontmatter is not a YAML object');
  return { fields, body: text.slice(whole.length) };
}

/** The optional fields of a listed skill. Values of a wrong type are left out. */
export function optionalFields(fields: Readonly<Record<string, unknown>>) {
  const { license, compatibility, tags, metadata } = fields;
  const allowed = allowedTools(fields['allowed-tools']);
  return {
    ...(typeof license === 'string' && { license }),
    ...(typeof compatibility === 'string' && { compatibility }),
    ...(allowed && { allowed_tools: allowed }),
    ...(isTextList(tags) && { tags }),
    ...(isRecord(metadata) && { skill_metadata: metadata }),
  };
}

/** A list, or a text with commas or blanks. */
function allowedTools(value: unknown): string[] | undefined {
  if (isTextList(value)) return value;
  if (typeof value !== 'string') return undefined;
  const separator = value.includes(',') ? ',' : /\s+/;
  return value
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
