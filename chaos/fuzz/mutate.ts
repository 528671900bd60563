import type { Random } from '../random.js';

const deep = (open: string, close: string, levels: number) => `${open.repeat(levels)}0${close.repeat(levels)}`;

/** JSON values that a program may not expect. */
const VALUES: readonly string[] = [
  ...['null', 'true', '-1', '0', '1e999', '9007199254740993', '""', '[]', '{}', '"\\u0000"', '"\\ud800"', '"\\u202e"'],
  ...['"../../etc/passwd"', '"file:///etc/passwd"', '"http://169.254.169.254/"', '"^(a+)+$"', '"#/$defs/self"'],
  ...['{"__proto__":{"x":1}}', '{"constructor":{"prototype":1}}', '{"$ref":"#"}', '{"type":["object","null"]}'],
  ...['{"toString":1,"valueOf":1}', '["url"]', '0.0', '"0"'],
  ...[deep('[', ']', 60), deep('{"a":', '}', 60), deep('{"properties":{"a":', '}}', 30), `"${'x'.repeat(3_000)}"`],
  ...[`[${'{"":0},'.repeat(300)}0]`, `{${'"k":1,'.repeat(300)}"k":2}`, '{"_placeholder":true,"num":0}'],
];

const KEYS: readonly string[] = [
  ...['__proto__', 'constructor', 'toString', '', 'id', 'method', 'params', 'result', 'error', 'jsonrpc', 'type'],
  ...['$ref', 'pattern', 'properties', 'items', 'required', 'name', 'req_id', 'agent', 'office_id', '_meta'],
];

const BYTES: readonly string[] = [
  ...['{', '}', '[', ']', '"', ',', ':', '\\', '\u0000', '\u001e', '\ufeff', '\n', '\r\n', '0', '4', '5', '-', '/'],
  ...['\u202e', '😀', '\ud800', '\u007f', '\u0085', '1e', 'null', '40/smcp,', 'data: '],
];

type Mutation = (text: string, random: Random, others: readonly string[]) => string;

/** Changes of the structure: a value, a key, a repeated field, a part of another message. Then changes of bytes. */
const MUTATIONS: readonly Mutation[] = [
  (text, random) =>
    replaceOne(text, /"(?:[^"\\]|\\.)*"(?!\s*:)|-?\b\d+\b|\btrue\b/g, random, () => random.pick(VALUES)),
  (text, random) => replaceOne(text, /"(?:[^"\\]|\\.)*"(?=\s*:)/g, random, () => JSON.stringify(random.pick(KEYS))),
  (text, random) =>
    replaceOne(
      text,
      /"\w+":(?:"[^"]*"|\d+|true)/g,
      random,
      (field) => `${`${field},`.repeat(random.integer(1, 100))}${field}`,
    ),
  (text, random, others) => insert(text, random.pick(others), random),
  (text, random) => insert(text, random.pick(BYTES).repeat(random.integer(1, 3)), random),
  (text, random) => insert(text, String.fromCharCode(random.integer(0, 0xffff)), random),
  (text, random) => cut(text, random.integer(1, 20), random),
  (text, random) => text.slice(0, random.integer(0, text.length)),
  (text, random) => insert(cut(text, 1, random), String.fromCharCode(random.integer(0, 255)), random),
];

/** Applies one to four mutations. The same random numbers give the same text. */
export function mutate(text: string, random: Random, others: readonly string[]): string {
  let mutated = text;
  for (let left = random.integer(1, 4); left > 0; left--) mutated = random.pick(MUTATIONS)(mutated, random, others);
  return mutated;
}

/** Changes single bytes and bits, also of what is no text. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const mutated = Buffer.from(bytes);
  for (let left = random.integer(1, 4); left > 0 && mutated.length > 0; left--) {
    const at = random.integer(0, mutated.length - 1);
    mutated[at] = random.next() < 0.5 ? (mutated[at] as number) ^ (1 << random.integer(0, 7)) : random.integer(0, 255);
  }
  return random.next() < 0.2 ? mutated.subarray(0, random.integer(0, mutated.length)) : mutated;
}

function insert(text: string, added: string, random: Random): string {
  const at = random.integer(0, text.length);
  return text.slice(0, at) + added + text.slice(at);
}

function cut(text: string, length: number, random: Random): string {
  const at = random.integer(0, text.length);
  return text.slice(0, at) + text.slice(at + length);
}

function replaceOne(text: string, pattern: RegExp, random: Random, replacement: (found: string) => string): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { 0: whole, index } = random.pick(found);
  return text.slice(0, index) + replacement(whole) + text.slice(index + whole.length);
}
