import { type CallToolResult, MCPProxy, type ProxyOptions } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { decode, encode } from '@toon-format/toon';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect } from 'vitest';
import { MemoryToolbox } from './memory-toolbox.js';
import { realisticResults } from './realistic-results.js';

const TOOLS = ['query', 'read_file', 'list_categories', 'getProfile', 'search_locations', 'getFileContents'].map(
  (name) => ({ name, inputSchema: { type: 'object' } }),
);

async function exec(
  answer: CallToolResult,
  {
    tool = 'query',
    args = {},
    options = {},
  }: { tool?: string; args?: Record<string, unknown>; options?: Partial<ProxyOptions> } = {},
) {
  const toolbox = new MemoryToolbox([{ name: 's', state: 'ready', tools: TOOLS }]);
  toolbox.answer = () => answer;
  const proxy = new MCPProxy(toolbox, options);
  return { ...(await proxy.executor.execute('s', tool, args)), proxy };
}

const text = (value: unknown): CallToolResult => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

const ROWS = Array.from({ length: 20 }, (_, id) => ({ id, name: `row ${id}`, active: id % 2 === 0 }));

describe('results', () => {
  verifies('MCPX-RESULT-01', 'content blocks of every kind are unchanged', async () => {
    const content = [
      { type: 'text', text: 'hello', annotations: { priority: 1 } },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'x://y', text: '{"a":1}' } },
      { type: 'resource_link', uri: 'x://y', name: 'y' },
      { type: 'hologram', depth: 3 },
    ];
    expect((await exec({ content })).result).toEqual({ content });
    expect((await exec({ content: [] })).result).toEqual({ content: [] });
  });

  verifies('MCPX-RESULT-02', 'structured content, error flag and metadata are kept', async () => {
    const answer = { content: [], structuredContent: { a: 1 }, isError: true, _meta: { 'x/y': 2 } };
    expect((await exec(answer)).result).toEqual(answer);
    const { structuredContent: _left, ...rest } = answer;
    expect((await exec(answer, { options: { structuredContent: false } })).result).toEqual({
      ...rest,
      content: [{ type: 'text', text: '{"a":1}' }],
    });
  });

  verifies('MCPX-EXEC-04', 'both the rendered and the raw result are returned', async () => {
    const { result, raw } = await exec(text(ROWS));
    expect(raw).toEqual(text(ROWS));
    expect(result).not.toEqual(raw);
  });

  verifies(
    ['MCPX-RESULT-03', 'MCPX-RESULT-05'],
    'rows become TOON, with the original as structured content',
    async () => {
      const { result } = await exec(text(ROWS));
      const shown = result.content[0]?.text as string;
      expect(shown.split('\n').slice(0, 2)).toEqual(['[20]{id,name,active}:', '  0,row 0,true']);
      expect(decode(shown)).toEqual(ROWS);
      expect(result.structuredContent).toEqual({ result: ROWS });
      const kept = await exec({ ...text(ROWS), structuredContent: { result: ROWS, total: 20 } });
      expect(kept.result.structuredContent).toEqual({ result: ROWS, total: 20 });
    },
  );

  verifies('MCPX-RESULT-03', 'the settings of MCPX apply', async () => {
    expect((await exec(text(ROWS), { options: { toonCompression: false } })).result).toEqual(text(ROWS));
    expect((await exec(text(ROWS), { options: { toonMinSize: 21 } })).result).toEqual(text(ROWS));
  });

  verifies('MCPX-RESULT-03', 'the text is never longer than compact JSON and loses nothing, for any data', async () => {
    const halves = fc.array(fc.integer({ min: 0xd7f0, max: 0xe00f })).map((codes) => String.fromCharCode(...codes));
    const row = fc.record({ id: fc.nat(), name: fc.oneof(fc.string(), halves) });
    const data = fc.oneof(
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.array(row, { minLength: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(data, fc.boolean(), async (value, pretty) => {
        const sent = pretty ? JSON.stringify(value, null, 2) : JSON.stringify(value);
        const { result } = await exec(text(sent));
        const shown = result.content[0]?.text as string;
        expect(shown.length).toBeLessThanOrEqual(sent.length);
        const isJson = shown === JSON.stringify(JSON.parse(sent)) || shown === sent;
        expect(isJson ? JSON.parse(shown) : decode(shown)).toEqual(JSON.parse(sent));
      }),
      { numRuns: 300 },
    );
  });

  verifies('MCPX-RESULT-03', 'data that TOON cannot express stays JSON', async () => {
    const rows = ROWS.map((row) => ({ ...row, name: '\ud83d' }));
    const { result } = await exec(text(rows));
    expect(result).toEqual(text(rows));
  });

  verifies(
    'MCPX-RESULT-03',
    'data is recognised for any ordinary tool name and any formatting of the JSON',
    async () => {
      const indented = text(JSON.stringify(ROWS, null, 2));
      for (const tool of ['list_categories', 'getProfile', 'search_locations']) {
        expect((await exec(indented, { tool })).result.content[0]?.text).toMatch(/^\[20\]\{id,name,active\}:/);
      }
      expect((await exec(indented, { args: { page: 2, per_page: 20 } })).result.content[0]?.text).toMatch(/^\[20\]/);
      const python = String.raw`[{"n": "\u00fc\/", "x": 1.0}, {"n": "\u00e9", "x": 2.50}, {"n": "a", "x": 1e3}, {"n": "b", "x": 0.0}]`;
      expect((await exec(text(python))).result.content[0]?.text).toBe('[4]{n,x}:\n  ü/,1\n  é,2.5\n  a,1000\n  b,0');
    },
  );

  verifies('MCPX-RESULT-04', 'files and other texts are unchanged', async () => {
    const file = JSON.stringify(ROWS, null, 2);
    const unchanged: readonly [CallToolResult, Parameters<typeof exec>[1]?][] = [
      [text(file), { tool: 'read_file' }],
      [text(file), { tool: 'getFileContents' }],
      [text(file), { args: { filename: 'a.json' } }],
      [text(file), { args: { path: '/a.json' } }],
      [{ ...text(file), structuredContent: { content: file } }],
      [text('123')],
      [text('"quoted"')],
      [text('true')],
      [text('{not json')],
      [text('{"id": 12345678901234567890}')],
      [text('{"a": 1, "a": 2}')],
      [text('[0.1000000000000000055, -0.0, 1e400]')],
      [{ ...text(ROWS), isError: true }],
    ];
    for (const [answer, how] of unchanged) expect((await exec(answer, how)).result).toEqual(answer);
  });

  verifies('CHOICE-RESULT-01', 'data is recognised by the meaning of the tool, not by its name', async () => {
    const json = JSON.stringify(ROWS, null, 2);
    const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object' } });
    const shown = async (described: ReturnType<typeof tool>, args: Record<string, unknown>) => {
      const toolbox = new MemoryToolbox([{ name: 's', state: 'ready', tools: [described] }]);
      toolbox.answer = () => text(json);
      return (await new MCPProxy(toolbox).executor.execute('s', described.name, args)).result.content[0]?.text;
    };
    const data: readonly Parameters<typeof shown>[] = [
      [tool('fetch_issues', 'Fetches the issues of a repository'), { url: 'https://example.org/issues' }],
      [tool('list_files', 'Lists the files of a folder'), { path: '/home/me' }],
      [tool('get_file_info', 'Returns metadata of a file'), { path: '/home/me/a.txt' }],
      [tool('read_query', 'Executes a SELECT statement'), { query: 'SELECT 1' }],
      [tool('download_report', 'Returns the rows of a report'), { id: '7' }],
      [tool('get_document', 'Returns a document of a collection'), { document: '7' }],
      [
        tool('directory_tree', 'Get a recursive tree view of files and directories as a JSON structure'),
        { path: '/home' },
      ],
    ];
    for (const [described, args] of data) expect(await shown(described, args), described.name).toMatch(/^\[20\]\{/);
    const documents: readonly Parameters<typeof shown>[] = [
      [tool('load', 'Loads something'), { target: 'src/package.json' }],
      [tool('cat', 'Shows the contents of a file'), { path: '/etc/app/settings' }],
      [tool('read_text_file', 'Read a file as text'), { path: 'notes' }],
      [tool('files_open', 'Opens files'), { names: ['/a/b', '/a/c'] }],
    ];
    for (const [described, args] of documents) expect(await shown(described, args), described.name).toBe(json);
    expect((await exec(text(`${json}\n`))).result.content[0]?.text).toMatch(/^\[20\]\{/);
  });

  verifies('CHOICE-RESULT-01', 'a listing is data also if the structured content holds its text', async () => {
    const json = JSON.stringify(ROWS, null, 2);
    const shown = async (name: string) => {
      const tools = [{ name, description: 'Returns text', inputSchema: { type: 'object' } }];
      const toolbox = new MemoryToolbox([{ name: 's', state: 'ready', tools }]);
      toolbox.answer = () => ({ ...text(json), structuredContent: { content: json } });
      return (await new MCPProxy(toolbox).executor.execute('s', name, {})).result.content[0]?.text;
    };
    expect(await shown('directory_tree')).toMatch(/^\[20\]\{/);
    expect(await shown('get_note')).toBe(json);
  });

  verifies('CHOICE-RESULT-02', 'blocks with one item each are one list', async () => {
    const content = ROWS.map((row) => ({ type: 'text', text: JSON.stringify(row, null, 2) }));
    const { result } = await exec({ content });
    expect(result.content).toHaveLength(1);
    expect(decode(result.content[0]?.text as string)).toEqual(ROWS);
    expect(result.structuredContent).toEqual({ result: ROWS });
    const mixed = [...content, { type: 'image', data: 'AAAA', mimeType: 'image/png' }];
    const apart = (await exec({ content: mixed })).result;
    expect(apart.content).toHaveLength(ROWS.length + 1);
    expect(apart.structuredContent).toBeUndefined();
    const annotated = content.map((block) => ({ ...block, annotations: { priority: 1 } }));
    expect((await exec({ content: annotated })).result.content).toHaveLength(ROWS.length);
  });

  verifies('CHOICE-RESULT-03', 'structure is recognised in any wrapping, and nothing is lost without it', async () => {
    const off = { options: { structuredContent: false } };
    for (const structuredContent of [{ result: ROWS }, { items: ROWS }, { rows: ROWS.map(reversed) }]) {
      const { result } = await exec({ ...text(ROWS), structuredContent }, off);
      expect(result.content).toHaveLength(1);
      expect(result.content[0]?.text).toMatch(/^\[20\]\{/);
    }
    const items = ROWS.map((row) => ({ type: 'text', text: JSON.stringify(row) }));
    expect((await exec({ content: items, structuredContent: { result: ROWS } }, off)).result.content).toHaveLength(1);
    const more = (await exec({ ...text('done'), structuredContent: { rows: ROWS, next: 2 } }, off)).result;
    expect(more.content.map((block) => block.text)).toEqual([
      'done',
      expect.stringMatching(/^structuredContent: rows\[20\]\{id,name,active\}:\n.*next: 2$/s),
    ]);
  });

  verifies('CHOICE-RESULT-04', 'realistic results never cost more than compact JSON, and lose nothing', async () => {
    const samples = realisticResults();
    expect(samples.length).toBeGreaterThanOrEqual(50);
    let [shownTokens, bestTokens] = [0, 0];
    for (const [index, sample] of samples.entries()) {
      const { result } = await exec(text(JSON.stringify(sample, null, 2)));
      const shown = result.content[0]?.text as string;
      const compact = JSON.stringify(sample);
      const isJson = /^[[{]/.test(shown) && shown === compact;
      expect(isJson ? JSON.parse(shown) : decode(shown), `${index}`).toEqual(sample);
      const [cost, compactCost] = [countTokens(shown), countTokens(compact)];
      expect(cost, `${index}: ${shown.slice(0, 60)}`).toBeLessThanOrEqual(compactCost);
      shownTokens += cost;
      bestTokens += Math.min(compactCost, countTokens(encode(sample)));
    }
    expect(shownTokens / bestTokens).toBeLessThan(1.01);
  });

  verifies('MCPX-RESULT-06', 'a long text is truncated and can be read to its end', async () => {
    const long = Array.from({ length: 5_000 }, (_, line) => `line ${line} 🙂`).join('\n');
    const { result, proxy } = await exec(text(long), { options: { maxResultLength: 10_001 } });
    let read = result.content[0]?.text as string;
    let note = result.content[1]?.text as string;
    expect(note).toMatch(/^\[\d+ more characters\. Read on: inspect \{"server_name": "\*", "cursor": "result:/);
    expect(read.length + Number.parseInt(note.slice(1), 10)).toBe(long.length);
    for (let cursor = cursorIn(note); cursor; cursor = cursorIn(note)) {
      const page = proxy.inspector.run({ server_name: '*', cursor });
      expect(page.content[0]?.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      read += page.content[0]?.text;
      note = page.content[1]?.text as string;
    }
    expect(note).toBe('[The end.]');
    expect(read).toBe(long);
    const gone = proxy.inspector.run({ server_name: '*', cursor: 'result:123:0' });
    expect(gone).toMatchObject({
      isError: true,
      content: [{ text: 'This result is no longer kept. Call the tool again.' }],
    });
  });

  verifies('MCPX-RESULT-06', 'long structured content can be read to its end, unless the text repeats it', async () => {
    const structuredContent = { rows: ROWS };
    const options = { maxResultLength: 200 };
    const cut = await exec({ content: [{ type: 'text', text: '20 rows' }], structuredContent }, { options });
    expect(cut.result.structuredContent).toBeUndefined();
    expect(textsOf(cut.result).slice(0, 2).join('\n')).toMatch(/^20 rows\nstructuredContent: rows\[20\]/);
    expect(decode(readAll(cut).slice('20 rowsstructuredContent: '.length))).toEqual(structuredContent);

    const log = 'l'.repeat(300);
    const both = await exec({ content: [{ type: 'text', text: log }], structuredContent }, { options });
    expect(readAll(both)).toMatch(new RegExp(`^${log}\\nstructuredContent: rows\\[20\\]`));

    const mirrored = await exec({ ...text(ROWS), structuredContent: { result: ROWS } }, { options });
    expect(decode(readAll(mirrored))).toEqual(ROWS);
    expect(mirrored.result.structuredContent).toBeUndefined();
    const asSent = { ...options, toonCompression: false };
    expect(readAll(await exec({ ...text(ROWS), structuredContent: { result: ROWS } }, { options: asSent }))).toBe(
      JSON.stringify(ROWS),
    );
    const unwanted = { ...options, structuredContent: false };
    const asText = readAll(await exec({ ...text('20 rows'), structuredContent }, { options: unwanted }));
    expect(asText).toMatch(/^20 rowsstructuredContent: rows\[20\]\{id,name,active\}:/);
  });

  verifies('MCPX-RESULT-06', 'data that fits as TOON is shown once and in full', async () => {
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ identifier: id, description: `row ${id}`, active: true }));
    for (const structuredContent of [true, false]) {
      const { result } = await exec(text(rows), { options: { maxResultLength: 40_000, structuredContent } });
      expect(JSON.stringify(rows).length).toBeGreaterThan(40_000);
      expect(result.content).toHaveLength(1);
      expect(decode(result.content[0]?.text as string)).toEqual(rows);
      expect(result.structuredContent).toBeUndefined();
    }
  });

  verifies('MCPX-RESULT-06', 'one limit applies to all blocks, embedded resources and errors together', async () => {
    const options = { maxResultLength: 1_000 };
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const many = Array.from({ length: 100 }, (_, index) => ({ type: 'text', text: `${index % 10}`.repeat(300) }));
    const blocks = await exec({ content: [...many, image] }, { options });
    expect(blocks.result.content.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'text', 'image', 'text']);
    expect(readAll(blocks).replaceAll('\n', '')).toBe(many.map((block) => block.text).join(''));

    const resource = { uri: 'x://y', text: 'r'.repeat(5_000) };
    const embedded = await exec({ content: [{ type: 'resource', resource }] }, { options });
    expect(embedded.result.content[0]).toEqual({
      type: 'resource',
      resource: { uri: 'x://y', text: 'r'.repeat(1_000) },
    });
    expect(readAll(embedded)).toBe(resource.text);

    const failing = new MemoryToolbox([{ name: 's', state: 'ready', tools: TOOLS }]);
    failing.answer = () => Promise.reject(new Error('e'.repeat(5_000)));
    const proxy = new MCPProxy(failing, options);
    const { result } = await proxy.executor.execute('s', 'query');
    expect(result.isError).toBe(true);
    expect(readAll({ result, proxy })).toBe('e'.repeat(5_000));
  });

  verifies('MCPX-RESULT-06', 'a cursor works for a text of any length', async () => {
    const endless = await exec(text('x'.repeat(34 * 1024 * 1024)));
    const cursor = cursorIn(textsOf(endless.result).at(-1) as string) as string;
    expect(endless.proxy.inspector.run({ cursor }).content[0]?.text).toBe('x'.repeat(60_000));
  });
});

const reversed = (row: object): object => Object.fromEntries(Object.entries(row).toReversed());

const cursorIn = (note: string): string | undefined => /"cursor": "([^"]+)"/.exec(note)?.[1];

const textsOf = ({ content }: CallToolResult): string[] =>
  content.flatMap(({ text, resource }) => (text ?? (resource as { text: string } | undefined)?.text ?? []) as string);

/** The whole result, read page by page. */
function readAll({ result, proxy }: { result: CallToolResult; proxy: MCPProxy }): string {
  const texts = textsOf(result);
  const cursor = cursorIn(texts.at(-1) as string);
  if (cursor === undefined) return texts.filter((text) => text !== '[The end.]').join('');
  return texts.slice(0, -1).join('') + readAll({ result: proxy.inspector.run({ server_name: '*', cursor }), proxy });
}
