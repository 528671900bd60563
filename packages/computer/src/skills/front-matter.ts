import { isRecord } from '@a2c/protocol';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

/** A SKILL.md, taken apart. */
export interface SkillDocument {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The text after the closing fence, unchanged. */
  readonly body: string;
}

/** A block between two `---` lines at the start. */
const FENCED = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/;

/** Larger ones are no descriptions. */
const MAX_BYTES = 8 * 1_024;
/** Characters that begin, end or separate something in YAML. The parser reports an error for each wrong one. */
const MARK = /[\n\r[\]{},:?!&*|>%@`"'#]|-(?=\s)/g;
/** The time of the parser grows faster than their number. */
const MAX_MARKS = 300;
const MAX_DEPTH = 16;

/** The parser would compare each key with all others. */
const YAML_OPTIONS = { schema: 'core', strict: true, prettyErrors: false, uniqueKeys: false } as const;

/** @throws Error when there is no frontmatter, or it is no YAML object. */
export function parseSkillDocument(text: string): SkillDocument {
  const [whole, yaml = ''] = FENCED.exec(text) ?? [];
  if (whole === undefined) throw new Error('SKILL.md has no frontmatter between two "---" lines');
  if (Buffer.byteLength(yaml) > MAX_BYTES) throw new Error(`the frontmatter is larger than ${MAX_BYTES} bytes`);
  if ((yaml.match(MARK)?.length ?? 0) > MAX_MARKS)
    throw new Error(`the frontmatter has more than ${MAX_MARKS} lines, quotes, commas and other marks of YAML`);
  const document = parseDocument(yaml, YAML_OPTIONS);
  const [problem] = document.errors;
  if (problem) throw new Error(`the frontmatter is not valid YAML: ${problem.message.split('\n')[0]}`);
  if (!isPlain(document.contents, MAX_DEPTH))
    throw new Error(
      `the frontmatter has aliases, equal keys, keys that are no texts, or more than ${MAX_DEPTH} levels`,
    );
  // Without aliases: a few lines of them expand to gigabytes.
  const fields: unknown = document.toJS({ maxAliasCount: 0 });
  if (!isRecord(fields)) throw new Error('the frontmatter is not a YAML object');
  return { fields, body: text.slice(whole.length) };
}

/** Whether it is converted in little time: keys that are objects become texts, which may be very long. */
function isPlain(node: unknown, depth: number): boolean {
  if (node === null || isScalar(node)) return true;
  if (depth === 0) return false;
  if (isSeq(node)) return node.items.every((item) => isPlain(item, depth - 1));
  if (!isMap(node)) return false;
  const keys = new Set(node.items.map(({ key }) => (isScalar(key) ? String(key.value) : undefined)));
  if (keys.size < node.items.length || keys.has(undefined)) return false;
  return node.items.every(({ value }) => isPlain(value, depth - 1));
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
