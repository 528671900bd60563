import { type CallToolResult, MCPProxy } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { describe, expect, vi } from 'vitest';
import { atEnd, DOORS, enter } from './doors.js';
import { MemoryToolbox } from './memory-toolbox.js';

/** Part of every result, so that its serialisations can be counted. */
const RESULT_MARK = 'mark of the result';
const ARGUMENT_MARK = 'mark of the argument';

const ROWS = Array.from({ length: 20 }, (_, id) => ({ id, name: RESULT_MARK, active: id % 2 === 0 }));
const NESTED = { a: { b: { c: RESULT_MARK, d: [1, [2, [3]]] } } };
const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });

/** How often the proxy parses each result. The one serialisation is that of the message to the client. */
const RESULTS: readonly { readonly name: string; readonly result: CallToolResult; readonly parses: number }[] = [
  { name: 'plain text', result: text(RESULT_MARK), parses: 0 },
  { name: 'JSON that becomes TOON', result: text(JSON.stringify(ROWS)), parses: 1 },
  { name: 'indented JSON that becomes TOON', result: text(JSON.stringify(ROWS, null, 2)), parses: 1 },
  { name: 'JSON that stays JSON', result: text(JSON.stringify(NESTED)), parses: 1 },
  {
    name: 'structured content repeated as text',
    result: { ...text(JSON.stringify(ROWS)), structuredContent: { result: ROWS } },
    parses: 1,
  },
  { name: 'structured content', result: { ...text('20 rows'), structuredContent: { rows: ROWS } }, parses: 0 },
];

const STDIO = DOORS.filter(({ door }) => door === 'stdio');

describe.each(STDIO)('for a client of $generation', (door) => {
  verifies('MCPX-RESULT-07', 'exec serialises a result once', async () => {
    for (const { name, result, parses } of RESULTS) {
      const counted = await countCalls(door, result, false);
      expect(counted, name).toEqual({ written: 1, parsed: parses, argumentsWritten: 0 });
    }
  });

  verifies('MCPX-RESULT-07', 'pass-through serialises a result once and parses nothing', async () => {
    for (const { name, result } of RESULTS) {
      const counted = await countCalls(door, result, true);
      expect(counted, name).toEqual({ written: 1, parsed: 0, argumentsWritten: 0 });
    }
  });
});

verifies('MCPX-RESULT-07', 'a JSON text is written again only to show it in a shorter form', async () => {
  const indented = text(JSON.stringify(NESTED, null, 2));
  const proxy = new MCPProxy(toolboxWith(indented));
  const written = vi.spyOn(JSON, 'stringify');
  const { result } = await proxy.executor.execute('s', 'query');
  expect(written).toHaveBeenCalledTimes(1);
  written.mockRestore();
  expect(result.content[0]?.text).toBe(JSON.stringify(NESTED));
});

function toolboxWith(result: CallToolResult): MemoryToolbox {
  const toolbox = new MemoryToolbox([
    { name: 's', state: 'ready', tools: [{ name: 'query', inputSchema: { type: 'object' } }] },
  ]);
  toolbox.answer = () => result;
  return toolbox;
}

/**
 * Calls the tool through the proxy and counts what the proxy does; what the client does with the answer is not counted.
 */
async function countCalls(door: (typeof DOORS)[number], result: CallToolResult, passThrough: boolean) {
  const proxy = new MCPProxy(toolboxWith(result));
  atEnd(() => proxy.close());
  let isAnswered = false;
  const client = await enter(proxy, door, {
    serve: { passThrough },
    onWire: (sent) => {
      isAnswered ||= sent.includes(RESULT_MARK);
    },
  });
  const args = { note: ARGUMENT_MARK };
  const call = passThrough
    ? { name: 'query', arguments: args }
    : { name: 'exec', arguments: { server_name: 's', tool_name: 'query', arguments: args } };
  const counts = { written: 0, parsed: 0, argumentsWritten: 0 };
  const { stringify, parse } = JSON;
  const stringifySpy = vi.spyOn(JSON, 'stringify').mockImplementation((...given: Parameters<typeof stringify>) => {
    const json = stringify(...given);
    if (!isAnswered && json?.includes(RESULT_MARK)) counts.written += 1;
    // The client writes the arguments once, in its request.
    if (json?.includes(ARGUMENT_MARK) && !json.includes('"jsonrpc"')) counts.argumentsWritten += 1;
    return json;
  });
  const parseSpy = vi.spyOn(JSON, 'parse').mockImplementation((...given: Parameters<typeof parse>) => {
    if (!isAnswered && given[0].includes(RESULT_MARK)) counts.parsed += 1;
    return parse(...given);
  });
  try {
    await client.callTool(call);
  } finally {
    stringifySpy.mockRestore();
    parseSpy.mockRestore();
  }
  return counts;
}
