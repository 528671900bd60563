import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { HubError } from '../src/index.js';
import { hub, run, server, temporaryFolder, textOf, until } from './hub.js';

async function begun() {
  const RAN = join(await temporaryFolder(), 'ran');
  const manager = await hub([server('bank', { server_parameters: run('begun.mjs', { RAN }) })], {
    limits: { callsInFlight: 1, callsQueued: 1 },
  });
  const ran = () => (existsSync(RAN) ? readFileSync(RAN, 'utf8').trim().split('\n') : []);
  return { manager, ran };
}

verifies('SEC-ONCE-08', 'a task that has begun is not refused when others fill the queue', async () => {
  const { manager, ran } = await begun();
  const paid = manager.executeTool('pay', {});
  await until(() => ran().length === 1 && manager.status()[0]?.callsInFlight === 0);
  const release = new AbortController();
  const hold = () => manager.executeTool('hold', {}, { signal: release.signal }).catch(({ kind }) => kind);
  const held = [hold(), hold()];
  expect(await hold()).toBe('overloaded');
  expect(textOf(await paid)).toBe('paid');
  release.abort();
  expect(await Promise.all(held)).toEqual(['cancelled', 'cancelled']);
  expect(ran().filter((name) => name === 'pay')).toHaveLength(1);
});

verifies('SEC-ONCE-08', 'an error after a question of the server says that the call may have run', async () => {
  const { manager } = await begun();
  const onElicit = () => Promise.reject(new HubError('refused', 'no person can be asked'));
  await expect(manager.executeTool('ask', {}, { onElicit })).rejects.toMatchObject({
    kind: 'interrupted',
    isBegun: true,
    message: 'no person can be asked; the call has begun and may have run: check before you call it again',
  });
});

verifies(['SEC-ONCE-08', 'SEC-RESULT-02'], 'an input request that is not MCP is an error of the server', async () => {
  const { manager } = await begun();
  await expect(manager.executeTool('odd', {})).rejects.toMatchObject({
    kind: 'upstream',
    message: 'server "bank" requires input, but its inputRequests are not MCP',
  });
  expect(manager.status()[0]).toMatchObject({ state: 'connected' });
});
