import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Agent, AgentOptions } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { ANONYMOUS, apiKey } from '@a2c/server';
import { chromium, type Page } from 'playwright-core';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { bundle } from './bundle.js';
import { serve } from './harness.js';
import { TestComputer, text } from './test-computer.js';

// A browser on a loaded machine.
vi.setConfig({ testTimeout: 120_000 });

/** A web server for one page with the bundle. Returns its origin. */
async function servePage(): Promise<string> {
  const { code } = await bundle();
  const server = createServer((request, response) => {
    const [type, body] =
      request.url === '/a2c.js'
        ? ['text/javascript', code]
        : ['text/html', '<!doctype html><title>page</title><script src="/a2c.js"></script>'];
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openPage(origin: string): Promise<Page> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
    // Containers have no user namespaces and a small /dev/shm. The page is our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(origin);
  return page;
}

/** Connects with the defaults of the package, calls a tool, and returns the result or the error. */
function call(page: Page, options: AgentOptions): Promise<unknown> {
  return page.evaluate(async (given) => {
    const { Agent: Bundled } = (
      globalThis as unknown as { a2c: { Agent: { connect(options: AgentOptions): Promise<Agent> } } }
    ).a2c;
    try {
      const agent = await Bundled.connect(given);
      const result = await agent.callTool('pc', 'echo', { text: 'from a page' });
      await agent.close();
      return result;
    } catch (error) {
      return { code: (error as { code?: number }).code, message: (error as Error).message };
    }
  }, options);
}

describe('a web page in Chromium', () => {
  verifies('AGT-CONNECT-07', 'uses the package with its defaults, from an origin that is allowed', async () => {
    const origin = await servePage();
    const key = apiKey('k-all');
    const { url } = await serve({
      authenticate: (handshake) => (handshake.query.role === 'agent' ? key(handshake) : ANONYMOUS),
      origins: [origin],
    });
    await TestComputer.join(url);
    const page = await openPage(origin);
    const options = { url, office: 'o', name: 'page', apiKey: 'k-all' };
    expect(await call(page, options)).toEqual(text('from a page'));
    // The reason of a refusal is readable too.
    expect(await call(page, { ...options, apiKey: 'wrong' })).toMatchObject({ code: 401 });
  });

  verifies('WEB-HOST-50', 'cannot lock out the programs of the machine with requests without Origin', async () => {
    const { url } = await serve({ limits: { connectionsPerAddress: 5, handshakesPerSecond: 1 } });
    const page = await openPage(await servePage());
    await page.evaluate(async (server) => {
      const open = () => fetch(`${server}/socket.io/?EIO=4&transport=polling`, { mode: 'no-cors' });
      await Promise.all(Array.from({ length: 20 }, open));
    }, url);
    await TestComputer.join(url);
  });

  verifies('AGT-CONNECT-07', 'cannot connect from an origin that is not allowed', async () => {
    const origin = await servePage();
    const { url } = await serve({ origins: ['https://elsewhere.example'] });
    await TestComputer.join(url);
    const page = await openPage(origin);
    const limits = { connectMs: 3_000 };
    expect(await call(page, { url, office: 'o', name: 'page', limits })).toMatchObject({
      message: expect.stringContaining('cannot reach'),
    });
  });
});
