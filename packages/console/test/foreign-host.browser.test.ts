import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { verifies } from '@a2c/requirements';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { launch, open, violations } from './browser.js';
import { freePort, Host } from './host.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let browser: Browser;

beforeAll(async () => {
  browser = await launch(['--host-resolver-rules=MAP console.test 127.0.0.1']);
});
afterAll(() => browser?.close());

/** A page of the program that has taken the port. It reads what the real page has stored. */
const STEALING_PAGE = `<!doctype html><script>(async () => {
  const key = await new Promise((resolve) => {
    const opening = indexedDB.open('a2c', 1);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('session').objectStore('session').get('key');
      reading.onsuccess = () => resolve(reading.result.key);
    };
  });
  const exported = await crypto.subtle.exportKey('raw', key).catch(({ name }) => name);
  document.title = JSON.stringify({ algorithm: key.algorithm.name, exported, stored: Object.keys(localStorage).sort() });
})()</script>`;

/** Takes the port of a stopped host. Remembers what browsers send. */
async function takePort(port: number) {
  const requests: IncomingHttpHeaders[] = [];
  const answers: number[] = [];
  let status = 200;
  const server = createServer(({ headers, url = '' }, response) => {
    requests.push(headers);
    answers.push(status);
    const isPage = url.startsWith('/console/');
    const isStream = url.startsWith('/operator/events');
    response.writeHead(isPage || isStream ? 200 : status, {
      'Content-Type': isPage ? 'text/html' : 'application/json',
      ...(status === 302 && { Location: '/operator/other' }),
    });
    if (isStream) response.write('event: hello\ndata: {"stream":"x","version":"evil","offers":["servers"]}\n\n');
    else response.end(isPage ? STEALING_PAGE : '{"start":"x","proofs":["x"]}');
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    requests,
    answered: (code: number) => answers.filter((each) => each === code).length,
    answerWith: (next: number) => {
      status = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

verifies('CON-ACCESS-11', 'a program that takes the port meanwhile gets nothing that is useful later', async () => {
  const port = await freePort();
  const host = await Host.start(['up', '--port', String(port), '--name', 'pc']);
  onTestFinished(() => host.close());
  const waiting = await open(browser, host.link);
  const reloaded = await open(browser, host.link);
  const refused = await open(browser, host.link);
  const forgetting = await open(browser, host.link);
  for (const page of [waiting, reloaded, refused, forgetting]) await page.locator('.link-open').waitFor();
  let requests: IncomingHttpHeaders[] = [];
  await host.restart(async () => {
    const thief = await takePort(port);
    ({ requests } = thief);
    await waiting.getByText('Another program answers at this address').first().waitFor();
    await reloaded.reload();
    await expect.poll(() => reloaded.title()).toMatch(/^\{/);
    expect(JSON.parse(await reloaded.title())).toEqual({
      algorithm: 'HMAC',
      exported: 'InvalidAccessError',
      stored: ['a2c.language', 'a2c.theme'],
    });
    // It refuses the session and a link, and would send events of its own. No page asks for a key.
    for (const status of [302, 401, 403, 404, 500]) {
      thief.answerWith(status);
      await expect.poll(() => thief.answered(status), { timeout: 60_000 }).toBeGreaterThan(3);
    }
    thief.answerWith(401);
    await refused.goto(host.link);
    await expect.poll(() => new URL(refused.url()).hash, { timeout: 60_000 }).toBe('#/');
    for (const page of [waiting, refused]) {
      await page.getByRole('button', { name: 'Forget this session' }).waitFor();
      expect(await page.locator('input').count()).toBe(0);
    }
    expect(await violations(waiting)).toEqual([]);
    await forgetting.getByRole('button', { name: 'Forget this session' }).click();
    await forgetting.getByRole('heading', { name: 'This page needs your link' }).waitFor();
    await thief.close();
  });
  const stolen = requests.filter(({ cookie }) => cookie !== undefined);
  expect(stolen.length).toBeGreaterThan(1);
  for (const { cookie = '', 'x-a2c-session': proof = '' } of stolen) {
    const headers = { 'x-none': '1', Cookie: cookie, 'X-A2C-Session': String(proof) };
    expect((await host.request('servers', undefined, headers)).status).toBe(401);
  }
  for (const page of [waiting, refused]) await page.locator('.link-open').waitFor();
});

verifies('CON-ACCESS-11', 'without encryption, on another machine, the page asks for no key', async () => {
  const { hashApiKey } = await import('@a2c/server');
  const keys = [{ subject: 'ops', sha256: hashApiKey('k-ops'), operator: true }];
  const args = ['server', '--host', '0.0.0.0', '--port', '0', '--insecure', '--auth-file', 'keys.json', '--console'];
  const host = await Host.start(args, { 'keys.json': { keys } });
  onTestFinished(() => host.close());
  const context = await browser.newContext({ locale: 'en' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`http://console.test:${new URL(host.url).port}/console/`);
  await page.getByText('Open the console with https').waitFor();
  expect(await page.locator('input').count()).toBe(0);
});
