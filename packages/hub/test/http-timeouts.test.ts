import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { hub, server, textOf } from './hub.js';
import { json, said, serve, stream } from './transports/http-server.js';

/** Answers lists at first, and never again after `mute`; answers calls after two seconds. */
async function slowServer(timeouts: object = {}) {
  let isMute = false;
  const { url } = await serve({
    session: 's1',
    onGet: (response) => stream(response),
    onCall: (response, message) => {
      response.setHeader('content-type', 'application/json');
      if (message.method === 'tools/list') {
        const result = { tools: [{ name: 'slow', inputSchema: { type: 'object' } }] };
        if (!isMute) response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      } else setTimeout(() => json(response, message, said('done')), 2_000);
    },
  });
  const manager = await hub([server('w', { type: 'streamable', server_parameters: { url, ...timeouts } })]);
  return { manager, mute: () => (isMute = true) };
}

verifies('HUB-CALL-14', 'a call outlives the HTTP timeouts, and a late list does not end it', async () => {
  const { manager, mute } = await slowServer({ timeout: 'PT1S', sse_read_timeout: 'PT1S' });
  const warnings: unknown[] = [];
  manager.on('warning', (warning) => warnings.push(warning));
  manager.on('state', (state) => warnings.push(state));
  mute();
  const call = manager.executeTool('slow', {});
  await expect(manager.request('w', 'tools/list', {})).rejects.toMatchObject({ kind: 'timeout' });
  expect(textOf(await call)).toBe('done');
  expect(manager.status()).toMatchObject([{ state: 'connected', restarts: 0 }]);
  // The silent event stream was resumed meanwhile.
  expect(warnings).toEqual([]);
});

verifies('HUB-CALL-14', 'the deadline of one call ends no other', async () => {
  const { manager } = await slowServer();
  const neighbour = manager.executeTool('slow', {});
  await expect(manager.executeTool('slow', {}, { timeout: 0.1 })).rejects.toMatchObject({ kind: 'timeout' });
  expect(textOf(await neighbour)).toBe('done');
});
