import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { launch, open, show } from './browser.js';
import { freePort, Host } from './host.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const SERVER = fileURLToPath(new URL('servers/odd-tools.mjs', import.meta.url));

/** A page with the limits of this test has a few thousand elements; without them, millions. */
const MAX_ELEMENTS = 60_000;

let browser: Browser;
let host: Host;

beforeAll(async () => {
  browser = await launch();
  host = await Host.start(['up', '--port', String(await freePort()), '--name', 'pc', '--config', 'servers.json'], {
    'servers.json': {
      servers: [
        {
          name: 'odd',
          type: 'stdio',
          server_parameters: { command: process.execPath, args: [SERVER] },
          default_tool_meta: { auto_apply: true },
        },
      ],
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await host?.close();
});

async function openTool(page: Page, tool: string): Promise<void> {
  await show(page, `tools/odd/${tool}`);
  await page.getByRole('region', { name: tool }).getByRole('button', { name: 'Run', exact: true }).waitFor();
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(MAX_ELEMENTS);
}

describe('the page stays usable with a tool', () => {
  for (const tool of ['chain', 'recursive', 'invalid', 'broad', 'choices']) {
    verifies('CON-PAGE-08', `whose schema is odd: ${tool}`, async () => {
      const page = await open(browser, host.link);
      await openTool(page, tool);
      if (tool !== 'recursive') return;
      // What the form leaves out can be added.
      const set = page.getByRole('button', { name: 'Set n', exact: true });
      const before = await page.locator('form fieldset').count();
      await set.click();
      await expect.poll(() => page.locator('form fieldset').count()).toBeGreaterThan(before);
    });
  }

  for (const of of ['columns', 'different columns', 'deep rows', 'many values']) {
    verifies('CON-PAGE-08', `whose result has ${of}`, async () => {
      const page = await open(browser, host.link);
      await openTool(page, 'result');
      await page.getByLabel('of').selectOption({ label: of });
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.locator('.run .json-branch').first().waitFor();
      expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(MAX_ELEMENTS);
      if (of.endsWith('columns')) return;
      // A closed branch gets its elements when it is opened.
      const shown = page.locator('.run .json-branch, .run .json-leaf');
      const before = await shown.count();
      await page.locator('.run details:not([open]) > summary').first().click();
      await expect.poll(() => shown.count()).toBeGreaterThan(before);
    });
  }
});
