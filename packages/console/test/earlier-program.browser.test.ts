import { once } from 'node:events';
import { createServer } from 'node:http';
import { verifies } from '@a2c/requirements';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { launch, open } from './browser.js';
import { freePort, Host } from './host.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

/** Answers every page of its origin itself, takes control of open pages, and remembers the requests that it sees. */
const WORKER = `
const seen = [];
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('message', (event) => event.source.postMessage(seen));
addEventListener('fetch', (event) => {
  const { request } = event;
  seen.push({ url: request.url, headers: Object.fromEntries(request.headers) });
  if (request.mode !== 'navigate') return;
  const page = '<!doctype html><script>document.title = "stolen " + location.hash</script>';
  event.respondWith(new Response(page, { headers: { 'Content-Type': 'text/html' } }));
});`;

/** Leaves the service worker at its origin, then acts with what the browser has stored there. */
const PAGE = `<!doctype html><script>(async () => {
  await navigator.serviceWorker.register('/worker.js', { scope: '/' });
  await navigator.serviceWorker.ready;
  document.title = 'left';
})();
globalThis.act = async () => {
  const stored = await new Promise((resolve) => {
    const opening = indexedDB.open('a2c', 1);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('session').objectStore('session').get('key');
      reading.onsuccess = () => resolve(reading.result);
    };
  });
  const base64 = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const query = 'nonce=' + 'n'.repeat(32) + '&until=' + stored.until;
  const { start } = await (await fetch('/operator/session?' + query)).json();
  const proof = await crypto.subtle.sign('HMAC', stored.key, new TextEncoder().encode('page ' + start));
  const answer = await fetch('/operator/servers', { headers: { 'X-A2C-Session': base64(proof) } });
  return answer.status;
};
globalThis.seen = () => new Promise((resolve) => {
  navigator.serviceWorker.onmessage = ({ data }) => resolve(data);
  navigator.serviceWorker.controller.postMessage('');
});</script>`;

/** A program that has the port while a2c does not run. */
async function startProgram(port: number) {
  const server = createServer(({ url }, response) => {
    const isWorker = url === '/worker.js';
    response.writeHead(200, { 'Content-Type': isWorker ? 'text/javascript' : 'text/html' });
    response.end(isWorker ? WORKER : PAGE);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}

const titled = (page: Page, title: string) => expect.poll(() => page.title()).toBe(title);

verifies('CON-ACCESS-12', 'a service worker of a program that had the port does not see the link', async () => {
  const port = await freePort();
  const stop = await startProgram(port);
  const page = await open(browser, `http://127.0.0.1:${port}/`);
  await titled(page, 'left');
  await page.goto(`http://localhost:${port}/`);
  await titled(page, 'left');
  await stop();
  const host = await Host.start(['up', '--port', String(port), '--name', 'pc']);
  onTestFinished(() => host.close());
  await page.goto(host.link);
  await page.locator('.link-open').waitFor();
  // The service worker is there: it answers at the addresses where its program was.
  for (const name of ['127.0.0.1', 'localhost']) {
    await page.goto(`http://${name}:${port}/console/#token=x`);
    await titled(page, 'stolen #token=x');
  }
});

verifies('CON-ACCESS-12', 'what a program leaves at the address of an open page gives no access later', async () => {
  const port = await freePort();
  const host = await Host.start(['up', '--port', String(port), '--name', 'pc']);
  onTestFinished(() => host.close());
  const waiting = await open(browser, host.link);
  await waiting.locator('.link-open').waitFor();
  const left = await waiting.context().newPage();
  const { page: address } = host;
  await host.restart(async () => {
    const stop = await startProgram(port);
    await left.goto(address);
    await titled(left, 'left');
    await stop();
  });
  expect(host.page).not.toBe(address);
  expect(await left.evaluate('act()')).toBe(401);
  await waiting.getByText('Another program answers at this address').first().waitFor();
  const seen = (await left.evaluate('seen()')) as { url: string; headers: Record<string, string> }[];
  const proofs = seen.map(({ headers }) => headers['x-a2c-session']).filter((proof) => proof !== undefined);
  // Only the one that the page of the program made.
  expect(proofs).toHaveLength(1);
  // The open page has removed the service worker. What the browser has stored belongs to the earlier start.
  await waiting.reload();
  await waiting.getByRole('heading', { name: 'This page needs your link' }).waitFor();
  await waiting.goto(host.link);
  await waiting.locator('.link-open').waitFor();
});
