import type { z } from 'zod';
import type { JsonPath } from '../json/json-value.js';
import type { ProblemList } from '../problems.js';

type Issue = z.core.$ZodIssue;

export interface CheckContext {
  readonly problems: ProblemList;
  /** The path of the value in the file. */
  readonly base: JsonPath;
  readonly value: unknown;
  /** Returns a message that replaces "unknown key" for a key that is known in another context. */
  readonly explainKey?: (path: JsonPath) => string | undefined;
}

/** Checks `value` and reports every problem. Returns undefined when there is one. */
export function checkSchema<Schema extends z.ZodType>(
  schema: Schema,
  context: CheckContext,
): z.output<Schema> | undefined {
  const result = schema.safeParse(context.value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) reportIssue(issue, context);
  return undefined;
}

function reportIssue(issue: Issue, { problems, base, value, explainKey }: CheckContext): void {
  const path = [...base, ...(issue.path as JsonPath)];
  if (issue.code !== 'unrecognized_keys') {
    const { message, ...details } = describe(issue, at(value, issue.path as JsonPath));
    problems.error(path, message, details);
    return;
  }
  for (const key of issue.keys) {
    const explanation = explainKey?.([...path, key]);
    if (explanation) problems.error([...path, key], explanation);
    else problems.unknownKey('error', [...path, key], issue.message.split(' '));
  }
}

interface Description {
  readonly message: string;
  readonly allowed?: readonly string[];
  readonly near?: string;
}

function describe(issue: Issue, written: unknown): Description {
  const missing = written === undefined;
  const absent = `"${String(issue.path.at(-1))}" is missing`;
  switch (issue.code) {
    case 'invalid_type':
      return { message: missing ? absent : `expected ${NOUNS[issue.expected] ?? issue.expected}` };
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      if (missing) return { message: absent, allowed };
      // The schema has a specific message for a literal.
      return allowed.length === 1 ? { message: issue.message, allowed } : wrongChoice(allowed, written);
    }
    case 'invalid_union': {
      if (!('discriminator' in issue) || !issue.discriminator) return { message: missing ? absent : issue.message };
      const allowed = 'options' in issue && Array.isArray(issue.options) ? canonical(issue.options.map(String)) : [];
      return missing ? { message: absent, allowed } : wrongChoice(allowed, written);
    }
    case 'invalid_key':
      return { message: issue.issues[0]?.message ?? issue.message };
    default:
      return { message: issue.message };
  }
}

/** The first of all spellings that differ only in case and separators, as the one to recommend. */
function canonical(spellings: readonly string[]): string[] {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[-_]/g, '');
  return spellings.filter((text, index) => spellings.findIndex((other) => plain(other) === plain(text)) === index);
}

/** The given value is used to find a suggestion, but it is not repeated: it may be a secret. */
function wrongChoice(allowed: readonly string[], written: unknown): Description {
  return { message: 'not an allowed value', allowed, ...(typeof written === 'string' ? { near: written } : {}) };
}

/** How messages name the types of zod. */
const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function at(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );
}
