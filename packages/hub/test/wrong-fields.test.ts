import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { MCPServerManager, PinStore, withValidFields } from '../src/index.js';
import { hub, recordsIn, server, TRUSTED, temporaryFolder, tools } from './hub.js';

const WRONG = {
  title: 5,
  description: ['a'],
  outputSchema: 'x',
  annotations: { title: {}, readOnlyHint: 'yes', destructiveHint: true },
  icons: [{ src: 5 }, { src: 'data:,', sizes: 5, mimeType: 'image/png' }, 'x'],
  execution: { taskSupport: 7 },
  _meta: [],
};
const REPAIRED = {
  annotations: { destructiveHint: true },
  icons: [{ src: 'data:,', mimeType: 'image/png' }],
  execution: {},
};

/** Replaces a text in the only file of a folder. */
async function replaceIn(folder: string, text: string, replacement: string): Promise<void> {
  const [name = ''] = await recordsIn(folder);
  const before = await readFile(join(folder, name), 'utf8');
  expect(before).toContain(text);
  await writeFile(join(folder, name), before.replace(text, replacement));
}

verifies('SEC-FIELD-01', 'fields of a tool with a wrong type are left out, with one warning', async () => {
  const manager = await hub([]);
  const warnings: string[] = [];
  manager.on('warning', ({ message }) => warnings.push(message));
  const fine = { name: 'fine', inputSchema: { type: 'object' }, title: 'Fine', description: null, 'x-own': 5 };
  await manager.addOrUpdateServer(server('w', tools({ name: 'x', ...WRONG }, fine)));
  const { description, ...kept } = fine;
  expect(manager.availableTools().map(({ tool }) => tool)).toEqual([
    { name: 'x', inputSchema: { type: 'object' }, ...REPAIRED },
    kept,
  ]);
  expect(warnings).toEqual([
    'sent the tool "x" with fields of the wrong type, which are left out: title, description, icons, icons.sizes, _meta, outputSchema, annotations.title, annotations.readOnlyHint, execution.taskSupport',
  ]);
});

verifies('SEC-FIELD-01', 'tools of the cache are checked too', async () => {
  const cacheFolder = await temporaryFolder();
  const config = server('w', tools({ name: 'x', title: 'stored' }));
  await (await hub([config], { cacheFolder })).close();
  await replaceIn(cacheFolder, '"title":"stored"', '"title":5');
  const waiting = new Promise<void>(() => {});
  const manager = new MCPServerManager({ guard: TRUSTED, cacheFolder, startAfter: waiting });
  void manager.initialize([config]);
  await expect
    .poll(() => manager.availableTools().map(({ tool }) => tool))
    .toEqual([{ name: 'x', inputSchema: { type: 'object' } }]);
  await manager.close();
});

verifies('SEC-FIELD-01', 'approved texts of an earlier version are checked too', async () => {
  const store = new PinStore(await temporaryFolder());
  const pins = { store, mode: 'block' as const };
  await (await hub([server('w', tools({ name: 'x', title: 'stored' }))], { pins })).close();
  await replaceIn(store.folder, '"title":"stored"', '"title":5');
  const manager = await hub([server('w', tools({ name: 'x', title: 'new' }))], { pins });
  const [shown] = manager.availableTools();
  expect(shown?.tool.description).toContain('the approved text is shown');
  expect(shown?.tool.title).toBeUndefined();
});

verifies('SEC-FIELD-01', 'resources, templates and prompts have the types of MCP', () => {
  const resource = { name: 'r', uri: 'a:b', annotations: { audience: ['user', 5], priority: 'high' }, size: '1' };
  expect(withValidFields('resources', resource)).toEqual({
    name: 'r',
    uri: 'a:b',
    annotations: { audience: ['user'] },
  });
  expect(withValidFields('resourceTemplates', { name: 't', mimeType: 5 })).toEqual({ name: 't' });
  const prompt = { name: 'p', arguments: [{ name: 'a', required: 'yes' }, { title: 'b' }, 7] };
  expect(withValidFields('prompts', prompt)).toEqual({ name: 'p', arguments: [{ name: 'a' }] });
});
