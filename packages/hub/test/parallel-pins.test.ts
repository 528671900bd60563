import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { PinStore } from '../src/index.js';
import { hub, server, temporaryFolder, tools } from './hub.js';

const NAMES = Array.from({ length: 6 }, (_, index) => `tool-${index}`);
const listOf = (text: string) =>
  NAMES.map((name) => ({ name, description: `${text} ${name}`, inputSchema: { type: 'object' } }));

verifies('SEC-SHARED-02', 'approvals are all kept, also during comparisons', async () => {
  const folder = join(await temporaryFolder(), 'pins');
  const listed = async (text: string) => {
    const manager = await hub([], { pins: { store: new PinStore(folder), mode: 'block' } });
    await manager.initialize([server('w', tools(...listOf(text)))]);
    await manager.close();
  };
  await listed('first');
  await listed('changed');
  const changes = await new PinStore(folder).changes('w');
  expect(changes).toHaveLength(NAMES.length);
  const approvals = changes.map((change) => new PinStore(folder).approve([change]));
  const [approved] = await Promise.all([Promise.all(approvals), listed('changed'), listed('changed')]);
  expect(approved.flat()).toHaveLength(NAMES.length);
  expect(await new PinStore(folder).changes()).toEqual([]);
});
