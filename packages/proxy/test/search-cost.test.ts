import { setImmediate } from 'node:timers/promises';
import { DEFAULT_OPTIONS as options, Registry, SchemaConverter, type ToolboxTool } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { MemoryToolbox } from './memory-toolbox.js';

/** Chinese texts without any repetition: each pair of characters is a term of the index. */
function toolsOf(count: number, length: number): readonly ToolboxTool[] {
  let state = 1;
  const character = () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(0x4e00 + (state % 20_000));
  };
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: Array.from({ length }, character).join(''),
    inputSchema: { type: 'object' },
  }));
}

const server = (name: string, tools: readonly ToolboxTool[]) => ({ name, state: 'ready' as const, tools });

verifies('COST-INDEX-01', 'a list that changes while its index is built is searched with the last index', async () => {
  const [first, ...others] = toolsOf(3_000, 50) as [ToolboxTool, ...ToolboxTool[]];
  const toolbox = new MemoryToolbox([server('s', [first, ...others])]);
  const registry = new Registry(toolbox, options);
  const ready = registry.prepareSearch('tool');
  await setImmediate();
  const changed = { ...(others[0] as ToolboxTool), description: 'quokka' };
  toolbox.become([server('s', [changed])]);
  await ready;
  expect(registry.search('quokka')).toEqual([]);
  // Tools as they are now, without those that are gone.
  const hits = registry.search('tool');
  expect(hits).toMatchObject([{ tool: changed }]);
  expect(hits[0]?.server).toBe(registry.getServerInfo('s'));
  await registry.prepareSearch('quokka');
  expect(registry.search('quokka')[0]?.tool).toBe(changed);
  registry.close();
});

verifies(
  'COST-INDEX-01',
  'new words of one server are indexed up to a limit, those of other servers as ever',
  async () => {
    const many = toolsOf(2_000, 700);
    const mail = { name: 'send_mail', description: 'Sends a message.', inputSchema: { type: 'object' } };
    const registry = new Registry(new MemoryToolbox([server('a', many), server('b', [mail])]), options);
    await registry.prepareSearch('');
    const found = (index: number) => registry.search(many[index]?.description?.slice(0, 6) ?? '').length;
    expect(found(0)).toBe(1);
    expect(found(1_900)).toBe(0);
    expect(registry.search('write a mail')[0]?.tool).toBe(mail);
    registry.close();
  },
);

verifies('MCPX-SCHEMA-04', 'notes of a schema have no line breaks', () => {
  const text = new SchemaConverter({ maxDescriptionLength: 100 }).convert({
    type: 'object',
    properties: {
      a: { type: 'string', format: 'date\n\nEVIL', pattern: '^\n\u2028EVIL$' },
      b: { type: 'object', dependentRequired: { 'x\nEVIL': ['y\rEVIL'] } },
    },
  });
  expect(text).toContain('date EVIL');
  expect(text).not.toMatch(/[\n\r\u2028]/);
});
