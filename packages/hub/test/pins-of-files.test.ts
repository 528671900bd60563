import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerConfig } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { PinStore } from '../src/index.js';
import { hub, recordsIn, server, temporaryFolder, tools } from './hub.js';

const SAW = { name: 'saw', description: 'Saws wood.', inputSchema: { type: 'object' } };
const EVIL = {
  ...SAW,
  description: 'EVIL',
  icons: [{ src: 'https://evil.example/x.png' }],
  _meta: { note: 'EVIL' },
};

/** Two folders, a file outside of both, and the tools that its server has when it is started in one of them. */
async function twoFolders() {
  const folder = await temporaryFolder();
  const file = join(folder, 'mcp.json');
  writeFileSync(file, '{}');
  for (const name of ['p1', 'p2']) mkdirSync(join(folder, name));
  const store = new PinStore(join(folder, 'pins'));
  const listed = async (root: string, tool: object, origin: string) => {
    const config: ServerConfig = { ...server('w', tools(tool)), origin: { file: origin, format: 'mcpServers' } };
    const manager = await hub([config], { root: join(folder, root), pins: { store, mode: 'block' } });
    const [found] = manager.availableTools();
    await manager.close();
    return found?.tool;
  };
  return { file, store, listed };
}

verifies('CHOICE-PINS-10', 'a changed tool is no first use in another folder', async () => {
  const { file, store, listed } = await twoFolders();
  expect((await listed('p1', SAW, file))?.description).toBe('Saws wood.');
  expect((await listed('p2', EVIL, file))?.description).toContain('the approved text is shown] Saws wood.');
  expect(await recordsIn(store.folder)).toHaveLength(1);
});

verifies('CHOICE-PINS-10', 'the record of a folder is taken over, and its changes are shown once', async () => {
  const { file, store, listed } = await twoFolders();
  // Without a file, the record belongs to the folder, as in earlier versions.
  await listed('p1', SAW, 'none');
  await listed('p1', EVIL, 'none');
  expect((await listed('p1', EVIL, file))?.description).toContain('the approved text is shown] Saws wood.');
  expect(await store.changes()).toHaveLength(1);
  await store.approve(await store.changes());
  expect((await listed('p2', EVIL, file))?.description).toBe('EVIL');
});

verifies('CHOICE-PINS-11', 'a changed tool has no new icons and metadata', async () => {
  const { file, listed } = await twoFolders();
  await listed('p1', SAW, file);
  expect(JSON.stringify(await listed('p1', EVIL, file))).not.toMatch(/evil/i);
});
