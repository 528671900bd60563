import { getEventListeners } from 'node:events';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { hub, server } from './hub.js';
import { json, type Message, said, serve } from './transports/http-server.js';

const PAGES = 15;
/** A hundred servers take minutes on a busy machine. */
const PATIENT_MS = 600_000;

/** Lists one tool in many pages; answers calls after 50 ms. */
async function pagedServer() {
  const { url } = await serve({
    onCall: (response, message: Message & { readonly params?: { readonly cursor?: string } }) => {
      if (message.method !== 'tools/list') {
        setTimeout(() => json(response, message, said('done')), 50);
        return;
      }
      const page = Number(message.params?.cursor ?? 0);
      const isLast = page === PAGES;
      const tools = isLast ? [{ name: 'slow', inputSchema: { type: 'object' } }] : [];
      json(response, message, { tools, ...(!isLast && { nextCursor: String(page + 1) }) });
    },
  });
  return url;
}

const manyServers = async () => {
  const warnings: Error[] = [];
  const record = (warning: Error) => warnings.push(warning);
  process.on('warning', record);
  onTestFinished(() => void process.off('warning', record));
  const url = await pagedServer();
  const servers = Array.from({ length: 100 }, (_, index) =>
    server(`s${index}`, { type: 'streamable', server_parameters: { url } }),
  );
  const manager = await hub(servers, { limits: { startTimeoutMs: PATIENT_MS, callTimeoutMs: PATIENT_MS } });
  expect(manager.status().every(({ state }) => state === 'connected')).toBe(true);
  const { signal } = new AbortController();
  await Promise.all(servers.map(({ name }) => manager.callTool(name, 'slow', {}, { signal })));
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  await manager.close();
  await new Promise((resolve) => setImmediate(resolve)); // Warnings are emitted in the next tick.
  expect(warnings.map(({ message }) => message)).toEqual([]);
};
verifies('HUB-LIFE-21', 'a hundred servers start and answer without a warning of Node', manyServers, {
  timeout: PATIENT_MS,
});
