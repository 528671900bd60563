import { type CallToolResult, MCPProxy, SchemaConverter } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { indentsMoreThan } from '../src/results/short-text.js';
import { PageCache } from '../src/tools/page-cache.js';
import { pageOf } from '../src/tools/pages.js';
import { MemoryToolbox } from './memory-toolbox.js';

const named = (count: number, of: (index: number) => readonly [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => of(index)));

const object = (properties: Readonly<Record<string, unknown>>, rest: Readonly<Record<string, unknown>> = {}) => ({
  type: 'object',
  properties,
  ...rest,
});

/** A long text in 40 properties of an object, which 1,000 properties refer to, 20 levels deep: 4.8 GB of text. */
function copies(): Readonly<Record<string, unknown>> {
  let inner = object(named(1_000, (index) => [`q${index}`, { $ref: '#/$defs/a' }]));
  for (let level = 0; level < 20; level++) inner = object({ a: { type: 'string' }, [`l${level}`]: inner });
  const a = object(named(40, (index) => [`p${index}`, { $ref: '#/$defs/b' }]));
  return { ...inner, $defs: { a, b: { const: 'x'.repeat(6_000) } } };
}

const FIVE = [0, 1, 2, 3, 4];

/** 50,000 references to anchors that none of 9,999 definitions has. */
const anchors = object(
  named(9_999, (index) => [`p${index}`, { anyOf: FIVE.map((at) => ({ $ref: `#a${(index * 7 + at) % 9_990}x` })) }]),
  { $defs: named(9_999, (index) => [`d${index}`, { $anchor: `a${index}` }]) },
);

/** Every property has the comment of one definition, which is long in every way. */
const comments = object(
  named(9_999, (index) => [`p${index}`, { $ref: '#/$defs/d' }]),
  {
    $defs: {
      d: {
        description: 'word. '.repeat(200_000),
        anyOf: Array(30_000).fill({ $ref: '#/$defs/e' }),
        default: Array(9_999),
      },
      e: { description: 'x'.repeat(1_000_000), ...named(9_000, (index) => [`x-${index}`, 1]) },
    },
  },
);

const SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  copies: copies(),
  anchors,
  comments,
  values: object({ a: { enum: Array.from({ length: 240_000 }, (_, index) => `v${index}`) } }),
  long: object({ a: { enum: Array.from({ length: 300 }, (_, index) => `${'x'.repeat(100_000)}${index}`) } }),
  merged: object({}, { allOf: Array.from({ length: 20_000 }, (_, at) => object({ [`p${at % 50}`]: { enum: [at] } })) }),
  name: object({
    ['n'.repeat(100_000)]: {
      type: 'array',
      prefixItems: Array.from({ length: 9_000 }, (_, at) => ({ enum: [at, 'a'] })),
    },
  }),
};

const HONEST = { name: 'honest', description: 'copies', inputSchema: object({ city: { type: 'string' } }) };

/** A single one of these schemas took minutes, or all memory. Typically all take a few seconds together. */
const MAX_MS = 60_000;

describe('A schema that is made to be costly', () => {
  const tools = Object.entries(SCHEMAS).map(([name, inputSchema]) => ({ name, description: 'copies', inputSchema }));
  const proxy = new MCPProxy(
    new MemoryToolbox([
      { name: 'bad', state: 'ready', tools },
      { name: 'good', state: 'ready', tools: [HONEST] },
    ]),
  );
  const textOf = ({ content }: CallToolResult) => content.map((block) => String(block.text)).join('\n');

  verifies('SEC-SCHEMA-02', 'is shown in bounded time and length, in every detail', () => {
    const started = performance.now();
    for (const tool of Object.keys(SCHEMAS)) {
      for (const detail of ['full', 'signature']) {
        const shown = textOf(proxy.inspector.run({ server_name: 'bad', tool_name: tool, detail }));
        expect(shown.includes(tool)).toBe(true);
        expect(shown.length).toBeLessThan(100_000);
      }
    }
    expect(performance.now() - started).toBeLessThan(MAX_MS);
  });

  verifies('SEC-SCHEMA-02', 'does not change the types of other tools in a list or in a search', () => {
    const started = performance.now();
    for (const asked of [{ server_name: 'bad' }, { query: 'copies' }]) {
      expect(textOf(proxy.inspector.run(asked)).length).toBeLessThan(100_000);
    }
    const { types } = new SchemaConverter().convertAll([...Object.values(SCHEMAS), HONEST.inputSchema]);
    expect(types.at(-1)).toBe('{city?: string}');
    expect(performance.now() - started).toBeLessThan(MAX_MS);
  });
});

describe('A result with much JSON in its texts', () => {
  async function shown(answer: CallToolResult) {
    const toolbox = new MemoryToolbox([{ name: 's', state: 'ready', tools: [HONEST] }]);
    toolbox.answer = () => answer;
    return (await new MCPProxy(toolbox).executor.execute('s', 'honest', {})).result.content;
  }
  const block = (text: string) => ({ type: 'text', text });
  const TEXTS = {
    keys: JSON.stringify(named(20_000, (index) => [`k${index}`, 1])),
    values: `[${'[],'.repeat(200_000)}[]]`,
    levels: `${'[ '.repeat(10_000)}${']'.repeat(10_000)}`,
    numbers: `[${'1.10,'.repeat(200_000)}1]`,
  };

  for (const [what, text] of Object.entries(TEXTS)) {
    verifies('SEC-RESULT-01', `is passed on as it is (${what})`, async () => {
      const [first] = await shown({ content: [block(text)] });
      expect(text.startsWith(String(first?.text))).toBe(true);
      expect(String(first?.text).length).toBeGreaterThan(10_000);
    });
  }

  verifies('SEC-RESULT-01', 'may have numbers of a million digits', async () => {
    const started = performance.now();
    const digits = `1${'0'.repeat(1_000_000)}1`;
    const [first] = await shown({ content: [block(`[${digits}, ${digits}]`)] });
    expect(String(first?.text).length).toBeGreaterThan(10_000);
    expect(performance.now() - started).toBeLessThan(MAX_MS);
  });

  verifies('SEC-RESULT-01', 'is not written as TOON if that would be mostly indentation', () => {
    const below = (depth: number, data: object): object => (depth === 0 ? data : { l: below(depth - 1, data) });
    const items = Array.from({ length: 16_000 }, () => ({ a: {} }));
    const lengthOf = (data: object) => JSON.stringify(data).length;
    for (const [depth, isDeep] of [
      [0, false],
      [1, false],
      [190, true],
    ] as const) {
      const data = below(depth, items);
      expect(indentsMoreThan(lengthOf(data), data), `${depth} levels`).toBe(isDeep);
    }
  });

  verifies('SEC-RESULT-01', 'is rendered up to a number of values of all texts together', async () => {
    const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `row ${id}` }));
    const content = Array.from({ length: 100 }, () => ({ ...block(JSON.stringify(rows)), annotations: {} }));
    const toolbox = new MemoryToolbox([{ name: 's', state: 'ready', tools: [HONEST] }]);
    toolbox.answer = () => ({ content });
    const proxy = new MCPProxy(toolbox, { maxResultLength: 10_000_000 });
    const texts = (await proxy.executor.execute('s', 'honest', {})).result.content.map(({ text }) => String(text));
    expect(texts[0]).toMatch(/^\[500\]\{id,name\}/);
    expect(texts.at(-1) === JSON.stringify(rows)).toBe(true);
  });

  verifies('SEC-RESULT-01', 'is compared with structured content a few times only', async () => {
    const started = performance.now();
    const wide = named(9_000, (index) => [`k${index}`, `v${index}`]);
    const content = Array.from({ length: 60_000 }, () => block('{"a":{}}'));
    expect(await shown({ content, structuredContent: { a: wide } })).not.toHaveLength(0);
    expect(performance.now() - started).toBeLessThan(MAX_MS);
  });
});

describe('inspect', () => {
  const tools = Array.from({ length: 3_000 }, (_, at) => ({ ...HONEST, name: `tool_${at}`, description: `word${at}` }));

  verifies('COST-INSPECT-01', 'writes few more items of a long list than a page has', () => {
    let written = 0;
    const page = pageOf(tools, 0, 20_000, (some) => {
      written += some.length;
      return some.map(({ name }) => name).join(' ');
    });
    expect(page.items.length).toBeGreaterThan(1_000);
    expect(written).toBeLessThan(8 * page.items.length);
  });

  verifies('COST-INSPECT-01', 'writes each tool of a page once, and not again while the tools stay the same', () => {
    let written = 0;
    /** Counts how often its schema is written. */
    const counted = (name: string) => ({
      name,
      get inputSchema() {
        written++;
        return { type: 'object', properties: { name: { type: 'string' } } };
      },
    });
    const serverOf = () => ({
      name: 's',
      state: 'ready' as const,
      tools: Array.from({ length: 2_000 }, (_, at) => counted(`tool_${at}`)),
    });
    const toolbox = new MemoryToolbox([serverOf()]);
    const { inspector } = new MCPProxy(toolbox);
    const writtenFor = (given: object) => {
      written = 0;
      const { content } = inspector.run({ server_name: 's', ...given });
      return { written, shown: Number(/\[\d+ to (\d+) of 2000/.exec(String(content[0]?.text))?.[1]) };
    };
    for (const detail of ['full', 'schema']) {
      const first = writtenFor({ detail });
      expect(first.shown).toBeGreaterThan(100);
      expect(first.written).toBeLessThan(2 * first.shown);
      expect(writtenFor({ detail })).toEqual({ ...first, written: 0 });
    }
    for (const detail of ['names', 'signature']) writtenFor({ detail });
    for (const detail of ['names', 'signature']) expect(writtenFor({ detail }).written).toBe(0);
    expect(writtenFor({ detail: 'full', cursor: 'list:100' }).written).toBeGreaterThan(0);
    toolbox.become([serverOf()]);
    expect(writtenFor({ detail: 'full' }).written).toBeGreaterThan(0);
  });

  verifies('COST-INSPECT-01', 'keeps pages within a memory bound', () => {
    const cache = new PageCache<{ readonly text: string }>();
    const servers = {};
    let written = 0;
    const write = () => {
      written++;
      return { text: 'x'.repeat(2 ** 20) };
    };
    for (let position = 0; position < 100; position++) cache.get(servers, String(position), write);
    expect(written).toBe(100);
    cache.get(servers, '99', write);
    expect(written).toBe(100);
    cache.get(servers, '0', write);
    expect(written).toBe(101);
  });

  verifies('COST-INSPECT-01', 'cuts long queries before anything else', () => {
    const long = new MCPProxy(new MemoryToolbox([{ name: 's', state: 'ready', tools: [HONEST] }]));
    const started = performance.now();
    const shown = String(long.inspector.run({ query: 'honest \n'.repeat(2_000_000) }).content[0]?.text);
    expect(shown).toContain('honest');
    expect(shown.length).toBeLessThan(2_000);
    expect(performance.now() - started).toBeLessThan(MAX_MS);
  });

  verifies('COST-INSPECT-01', 'builds the index of a search in several turns of the event loop', async () => {
    const { registry } = new MCPProxy(new MemoryToolbox([{ name: 's', state: 'ready', tools }]));
    let turns = 0;
    const count = () => {
      turns++;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    await registry.prepareSearch('word7');
    clearImmediate(immediate);
    expect(turns).toBeGreaterThan(1);
    expect(registry.search('word7')[0]?.tool.name).toBe('tool_7');
  });
});
