// Reads mutated configuration files: SEED COUNT. Prints one JSON object with what went wrong, the most CPU time of one
// file and its text. Every file is read in this process, which has a small heap.
import { readConfig } from '@a2c/config';

const [seed, count] = process.argv.slice(2).map(Number);
const CANARY = 'canary-7f3a9c';
const SHOWN = 300;

const FILES = [
  {
    mcpServers: { a: { command: 'npx', args: ['-y', 'x'], env: { KEY: CANARY }, cwd: '.', timeout: 5, sandbox: true } },
  },
  { mcpServers: { b: { url: 'https://example.com/mcp', headers: { Authorization: `Bearer ${CANARY}` } } } },
  { version: 1, servers: { c: { transport: 'stdio', argv: ['x', 'y'], env: { KEY: CANARY } } } },
  {
    version: 1,
    servers: { d: { transport: 'streamable_http', url: 'https://example.com/', http_headers: { A: 'b' } } },
  },
  {
    inputs: [{ id: 'k', type: 'promptString', description: 'A key', password: true, default: CANARY }],
    servers: { e: { type: 'stdio', command: 'node', args: ['${input:k}'], envFile: '.env', env: { KEY: CANARY } } },
  },
  [
    {
      name: 'f',
      type: 'stdio',
      forbidden_tools: ['x'],
      tool_meta: { t: { auto_apply: true, alias: 'u', tags: ['v'] } },
      vrl: '.a = 1',
      server_parameters: { command: 'node', args: ['s.js'], env: { KEY: CANARY }, encoding: 'utf-8' },
    },
  ],
].map((file) => JSON.stringify(file, null, 2));

const deep = (levels) => '['.repeat(levels) + ']'.repeat(levels);
const VALUES = [
  'null',
  'true',
  '-1',
  '1e999',
  '""',
  '[]',
  '{}',
  '"\\u0000"',
  '"\\ud800"',
  '"../../etc"',
  `"$${'{"'.repeat(1)}`,
]
  .concat(['"file:///etc/passwd"', '{"__proto__": {"x": 1}}', '"(a+)+$"', deep(40), `"${'x'.repeat(2_000)}"`])
  .concat([`"$${'{A:-'.repeat(200)}}"`, `{${'"k":{'.repeat(50)}${'}'.repeat(51)}`]);
const WORDS = [
  'mcpServers',
  'servers',
  'version',
  'type',
  '__proto__',
  'constructor',
  'command',
  'url',
  'inputs',
  'sandbox',
];
const BYTES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  '\u0000',
  '\ufeff',
  '/*',
  '*/',
  '//',
  '\n',
  '\u202e',
  '😀',
  '$' + '{',
];

let state = seed >>> 0 || 1;
/** xorshift: a whole number below `below`. */
function roll(below) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
}
const pick = (list) => list[roll(list.length)];

const MUTATIONS = [
  // A value or key of the structure is replaced.
  (text) => replaceOne(text, /"(?:[^"\\]|\\.)*"(?!\s*:)|\b\d+\b|\btrue\b/g, () => pick(VALUES)),
  (text) => replaceOne(text, /"(?:[^"\\]|\\.)*"(?=\s*:)/g, () => JSON.stringify(pick(WORDS))),
  // A field is repeated many times, or the text of another file is inserted.
  (text) => replaceOne(text, /"\w+": "[^"]*"/g, (found) => `${`${found}, `.repeat(1 + roll(200))}${found}`),
  (text) => insert(text, pick(FILES)),
  // Bytes are inserted, removed or changed.
  (text) => insert(text, pick(BYTES).repeat(1 + roll(3))),
  (text) => {
    const at = roll(text.length);
    return text.slice(0, at) + text.slice(at + 1 + roll(20));
  },
  (text) => text.slice(0, roll(text.length)),
  (text) => insert(text, String.fromCharCode(roll(0x10000))),
];

function insert(text, added) {
  const at = roll(text.length + 1);
  return text.slice(0, at) + added + text.slice(at);
}

function replaceOne(text, pattern, replacement) {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { 0: whole, index } = pick(found);
  return text.slice(0, index) + replacement(whole) + text.slice(index + whole.length);
}

const failures = [];
let slowest = { ms: 0, text: '' };
let accepted = 0;
for (let each = 0; each < count; each++) {
  let text = pick(FILES);
  for (let times = 1 + roll(4); times > 0; times--) text = pick(MUTATIONS)(text);
  const before = process.cpuUsage();
  try {
    const { config, problems } = readConfig(text, { file: 'fuzz.json' });
    if (config) accepted += 1;
    // A canary in the place of a key or a name may be shown; values never.
    const isValue = !new RegExp(`"[^"]*${CANARY}[^"]*"\\s*:|\\$\\{[^}]*${CANARY}`).test(text);
    if (isValue && JSON.stringify(problems).includes(CANARY))
      failures.push({ why: 'a secret is shown', text, problems });
  } catch (error) {
    failures.push({ why: String(error.stack), text: text.slice(0, SHOWN) });
  }
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000;
  if (ms > slowest.ms) slowest = { ms, text: text.slice(0, SHOWN) };
}
if (Object.getPrototypeOf({}).x !== undefined) failures.push({ why: 'the prototype of objects was changed' });
console.log(JSON.stringify({ failures: failures.slice(0, 5), failed: failures.length, accepted, slowest }));
