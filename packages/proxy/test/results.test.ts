import { type CallResult, McpProxy, type ProxyOptions } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { MemoryToolbox } from './memory-toolbox.js';

const TOOLS = ['query', 'read_file'].map((name) => ({ name, inputSchema: { type: 'object' } }));

async function exec(
  answer: CallResult,
  {
    tool = 'query',
    args = {},
    options = {},
  }: { tool?: string; args?: Record<string, unknown>; options?: Partial<ProxyOptions> } = {},
) {
  const toolbox = new MemoryToolbox([{ name: 's', state: 'ready', tools: TOOLS }]);
  toolbox.answer = () => answer;
  const proxy = new McpProxy(toolbox, options);
  return { ...(await proxy.executor.execute('s', tool, args)), proxy };
}

const text = (value: unknown): CallResult => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

const ROWS = Array.from({ length: 20 }, (_, id) => ({ id, name: `row ${id}`, active: id % 2 === 0 }));

describe('results', () => {
  verifies('MCPX-RESULT-01', 'blocks of every kind pass as they are', async () => {
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

  verifies('MCPX-RESULT-02', 'structure, error flag and metadata are kept', async () => {
    const answer = { content: [], structuredContent: { a: 1 }, isError: true, _meta: { 'x/y': 2 } };
    expect((await exec(answer)).result).toEqual(answer);
    const { structuredContent: _left, ...rest } = answer;
    expect((await exec(answer, { options: { structuredContent: false } })).result).toEqual(rest);
  });

  verifies('MCPX-EXEC-04', 'both the text to be read and the raw result are returned', async () => {
    const { result, raw } = await exec(text(ROWS));
    expect(raw).toEqual(text(ROWS));
    expect(result).not.toEqual(raw);
  });

  verifies(['MCPX-RESULT-03', 'MCPX-RESULT-05'], 'rows become TOON, with the original beside it', async () => {
    const { result } = await exec(text(ROWS));
    const shown = result.content[0]?.text as string;
    expect(shown.split('\n').slice(0, 2)).toEqual(['[20]{id,name,active}:', '  0,row 0,true']);
    expect(decode(shown)).toEqual(ROWS);
    expect(result.structuredContent).toEqual({ result: ROWS });
    const kept = await exec({ ...text(ROWS), structuredContent: { result: ROWS, total: 20 } });
    expect(kept.result.structuredContent).toEqual({ result: ROWS, total: 20 });
  });

  verifies('MCPX-RESULT-03', 'the settings of MCPX are honoured', async () => {
    expect((await exec(text(ROWS), { options: { toonCompression: false } })).result).toEqual(text(ROWS));
    expect((await exec(text(ROWS), { options: { toonMinSize: 21 } })).result).toEqual(text(ROWS));
  });

  verifies(
    'MCPX-RESULT-03',
    'whatever the data, the text is never longer than compact JSON and loses nothing',
    async () => {
      const data = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
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
    },
  );

  verifies('MCPX-RESULT-04', 'files and what is not data stay as they are', async () => {
    const file = JSON.stringify(ROWS, null, 2);
    const unchanged: readonly [CallResult, Parameters<typeof exec>[1]?][] = [
      [text(file), { tool: 'read_file' }],
      [text(file), { args: { path: '/a.json' } }],
      [text(`${file}\n`)],
      [{ ...text(file), structuredContent: { content: file } }],
      [text('123')],
      [text('"quoted"')],
      [text('true')],
      [text('{not json')],
      [text('{"id": 12345678901234567890}')],
      [text('{"a": 1, "a": 2}')],
      [text('[1.0, 2.0]')],
      [{ ...text(ROWS), isError: true }],
    ];
    for (const [answer, how] of unchanged) expect((await exec(answer, how)).result).toEqual(answer);
  });

  verifies('MCPX-RESULT-06', 'a long text is cut and can be read to its end', async () => {
    const long = Array.from({ length: 5_000 }, (_, line) => `line ${line} 🙂`).join('\n');
    const { result, proxy } = await exec(text(long), { options: { maxResultLength: 10_001 } });
    let read = result.content[0]?.text as string;
    let note = result.content[1]?.text as string;
    expect(note).toMatch(
      /^\[Characters 1 to 1000\d of \d+\. Read on: inspect \{"server_name": "\*", "cursor": "result:/,
    );
    for (let cursor = cursorIn(note); cursor; cursor = cursorIn(note)) {
      const page = proxy.inspector.run({ server_name: '*', cursor });
      expect(page.content[0]?.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      read += page.content[0]?.text;
      note = page.content[1]?.text as string;
    }
    expect(note).toMatch(/The end\.\]$/);
    expect(read).toBe(long);
    const gone = proxy.inspector.run({ server_name: '*', cursor: 'result:123:0' });
    expect(gone).toMatchObject({
      isError: true,
      content: [{ text: 'This result is no longer kept. Call the tool again.' }],
    });
  });

  verifies('MCPX-RESULT-06', 'an endless structure gets a handle, too', async () => {
    const structuredContent = { rows: ROWS };
    const options = { maxResultLength: 200 };
    const cut = await exec({ content: [{ type: 'text', text: '20 rows' }], structuredContent }, { options });
    expect(cut.result.structuredContent).toBeUndefined();
    const [summary, beginning, note] = cut.result.content.map(({ text }) => text as string);
    expect([summary, beginning?.slice(0, 27)]).toEqual(['20 rows', 'structuredContent: {"rows":']);
    expect(cursorIn(note as string)).toBeDefined();
    const mirrored = await exec({ ...text(ROWS), structuredContent: { result: ROWS } }, { options });
    expect(mirrored.result.content).toHaveLength(2);
    expect(mirrored.result.structuredContent).toBeUndefined();
  });
});

const cursorIn = (note: string): string | undefined => /"cursor": "([^"]+)"/.exec(note)?.[1];
