import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Host } from './host.js';
import { SECRET, startOperatorHost, unlock } from './operator-host.js';

let host: Host;

beforeAll(async () => {
  host = await startOperatorHost();
});
afterAll(() => host.close());

/** The records of the audit log of the console. */
function audit(): Record<string, unknown>[] {
  const text = readFileSync(join(host.home, 'state', 'console-audit.jsonl'), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

verifies('CON-ACCESS-06', 'a change is in the audit log before it ends, and a refused one too', async () => {
  const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
  const saved = host.request('save-server', { text: JSON.stringify({ mcpServers: { silent } }) });
  const begun = { event: 'operator:save-server', verdict: 'begun', subject: 'console', servers: 'silent' };
  await expect.poll(audit).toContainEqual(expect.objectContaining(begun));
  await host.ask('remove-server', { server: 'silent' });
  await (await saved).arrayBuffer();
  const ofSave = () => audit().filter(({ servers }) => servers === 'silent');
  await expect.poll(() => ofSave().length).toBe(2);
  expect(new Set(ofSave().map(({ request }) => request)).size).toBe(1);
  await host.request('stop-server', { server: 7 });
  await host.request('kick', { sid: 'x' }, { Authorization: 'Bearer wrong' });
  await host.request('cancel', { id: 'x' }, { Origin: 'https://evil.example' });
  expect((await fetch(`${host.origin}/operator/session`, { method: 'DELETE' })).status).toBe(401);
  for (const refused of [
    { event: 'operator:stop-server', verdict: 'BadRequest', subject: 'console' },
    { event: 'operator:kick', verdict: 'Unauthorized', subject: 'unknown' },
    { event: 'operator:cancel', verdict: 'Forbidden', subject: 'unknown' },
    { event: 'operator:session', verdict: 'Unauthorized', subject: 'unknown', action: 'logout' },
  ])
    await expect.poll(audit).toContainEqual(expect.objectContaining(refused));
});

verifies('CON-ACCESS-06', 'every change is in the audit log, without values', async () => {
  await unlock(host);
  await host.ask('restart-server', { server: 'stage' });
  const missing = await host.request('stop-server', { server: 'absent' });
  expect(missing.status).toBe(404);
  await expect.poll(() => JSON.stringify(audit())).toMatch(/"operator:stop-server","verdict":"NotFound"/);
  const records = audit();
  const base = { subject: 'console', address: '127.0.0.1', time: expect.any(String), request: expect.any(String) };
  for (const verdict of ['begun', 'ok'])
    expect(records).toContainEqual({ ...base, event: 'operator:restart-server', verdict, server: 'stage' });
  expect(records).toContainEqual({ ...base, event: 'operator:stop-server', verdict: 'NotFound', server: 'absent' });
  expect(JSON.stringify(records)).not.toContain(SECRET);
});
