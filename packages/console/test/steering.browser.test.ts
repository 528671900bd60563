import { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { open, show } from './browser.js';
import { ConsoleStage } from './console-stage.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const place = ConsoleStage.forFile();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

verifies(
  ['CON-VIEW-07', 'CON-VIEW-02'],
  'a tool that is always allowed is listed, and asks again on request',
  async () => {
    const page = await open(place.browser, place.host.link);
    const agent = await place.connect('asker');
    const greet = () => agent.callTool('pc', 'greet', { name: 'Ann' });
    const first = greet();
    await button(page, 'Always allow this tool').click();
    expect(await first).toMatchObject({ isError: false });
    await greet();
    await show(page, 'computer');
    const allowed = page.getByRole('region', { name: 'Always allowed' });
    await allowed.getByText('greet').waitFor();
    await allowed.getByRole('button', { name: 'Ask again before greet runs' }).click();
    await allowed.waitFor({ state: 'detached' });
    const third = greet();
    await button(page, 'Deny').click();
    expect(await third).toMatchObject({ isError: true });

    // The record of a call has the result.
    await show(page, 'calls');
    await page.locator('.call').last().click();
    const detail = page.getByRole('region', { name: 'Call' });
    await detail.getByRole('heading', { name: 'Result' }).waitFor();
    await detail.getByText(/^Hello Ann, run \d+\.$/).waitFor();
  },
);

verifies('CON-VIEW-02', 'a late response does not remove the result of a call', async () => {
  const page = await open(place.browser, place.host.link);
  const agent = await place.connect('asker');
  const responses: (() => Promise<unknown>)[] = [];
  // Holds back what the host answers while the call waits for consent.
  const devTools = await page.context().newCDPSession(page);
  devTools.on('Fetch.requestPaused', ({ requestId }) => {
    responses.push(() => devTools.send('Fetch.continueRequest', { requestId }));
    if (responses.length > 1) void responses.at(-1)?.();
  });
  const patterns = [{ urlPattern: '*/operator/call?*', requestStage: 'Response' as const }];
  await devTools.send('Fetch.enable', { patterns });
  const called = agent.callTool('pc', 'greet', { name: 'Late' });
  await button(page, 'Allow once').waitFor();
  await show(page, 'calls');
  await page.locator('.call').first().click();
  await vi.waitUntil(() => responses.length === 1, { timeout: 60_000 });
  await button(page, 'Allow once').click();
  expect(await called).toMatchObject({ isError: false });
  const result = page.getByRole('region', { name: 'Call' }).getByText(/^Hello Late, run \d+\.$/);
  await result.waitFor();
  const arrived = page.waitForEvent('requestfinished', (request) => request.url().includes('/operator/call?'));
  await responses[0]?.();
  await arrived;
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  expect(await result.count()).toBe(1);
});

verifies('CON-VIEW-07', 'a click for a question that has just gone does not answer the next one', async () => {
  const page = await open(place.browser, place.host.link);
  const other = await open(place.browser, place.host.link);
  const agent = await place.connect('asker');
  const first = agent.callTool('pc', 'greet', { name: 'Ann' });
  await page.getByText('"Ann"').waitFor();
  const next = agent.callTool('pc', 'greet', { name: 'Bob' });
  await page.getByText('"Bob"').waitFor();
  const { x = 0, y = 0, width = 0, height = 0 } = (await button(page, 'Allow once').first().boundingBox()) ?? {};
  // At the moment of the change, so that the load of the machine does not matter.
  const clicked = page.evaluate(`new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (document.querySelectorAll('.question').length !== 1) return;
      observer.disconnect();
      const target = document.elementFromPoint(${x + width / 2}, ${y + height / 2});
      target.click();
      resolve([target.innerText, target.closest('.question')?.textContent.includes('"Bob"')]);
    }).observe(document.body, { childList: true, subtree: true });
  })`);
  await button(other, 'Deny').first().click();
  expect(await clicked).toEqual(['Allow once', true]);
  expect(await first).toMatchObject({ isError: true });
  await button(page, 'Deny').click();
  expect(await next).toMatchObject({ isError: true });
});

verifies('CON-VIEW-07', 'all questions of an Agent are denied with one click', async () => {
  const page = await open(place.browser, place.host.link);
  const agent = await place.connect('flood');
  const calls = Array.from({ length: 40 }, () => agent.callTool('pc', 'greet', { name: 'Ann' }));
  // The others wait until those have ended.
  await button(page, 'Deny all 32 of flood').first().click();
  await button(page, 'Deny all 8 of flood').first().click();
  for (const result of await Promise.all(calls)) expect(result).toMatchObject({ isError: true });
  await page.locator('.question').first().waitFor({ state: 'detached' });
});

verifies(
  ['CON-VIEW-07', 'CON-ACCESS-07', 'SEC-TEXT-01'],
  'hidden characters in arguments and results are shown escaped',
  async () => {
    const page = await open(place.browser, place.host.link);
    const agent = await place.connect('asker');
    const emoji = '\u{1f469}\u{1f3fd}\u200d\u{1f4bb} \u2764\ufe0f';
    const call = agent.callTool('pc', 'greet', { name: `a\u202egnp\u200b.\u2066exe\ufeff ${emoji}` });
    const shown = `a\\u202egnp\\u200b.\\u2066exe\\ufeff ${emoji}`;
    await page.locator('.question').getByText(`"name": "${shown}"`).waitFor();
    await button(page, 'Allow once').click();
    await call;
    await show(page, 'calls');
    await page.locator('.call').first().click();
    await page.locator('pre').getByText(`Hello ${shown}, run`).waitFor();
  },
);

verifies('CON-VIEW-01', 'Disconnect asks first, and refusals are sentences', async () => {
  const page = await open(place.browser, place.host.link);
  await place.connect('holder');
  await expect(Agent.connect({ url: place.host.url, office: 'demo', name: 'second' })).rejects.toThrow();
  await show(page, 'offices');
  const refusals = page.getByRole('list', { name: 'Refusals' });
  await refusals
    .getByText(/could not join an office/)
    .first()
    .waitFor();
  await button(page, 'Disconnect holder').click();
  await button(page, 'Really disconnect holder?').waitFor();
  // The first click alone does nothing, and another click elsewhere takes it back.
  await page.getByRole('heading', { name: 'Offices' }).click();
  await button(page, 'Disconnect holder').click();
  await button(page, 'Really disconnect holder?').click();
  await page
    .getByText(/holder (left|lost its connection to) demo/)
    .first()
    .waitFor();
});

verifies('CON-VIEW-06', 'the command of the proxy is shown and copied', async () => {
  const page = await open(place.browser, place.host.link, clipboard);
  await show(page, 'context');
  const command = page.locator('code').filter({ hasText: `proxy --url ${place.host.url} --office demo` });
  await command.waitFor();
  await button(page, 'Copy').click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await command.innerText());
});

verifies(['CON-VIEW-04', 'CON-PAGE-02'], 'several lines that are pasted stay several lines', async () => {
  const page = await open(place.browser, place.host.link, clipboard);
  await show(page, 'tools/stage/greet');
  const name = page.locator('form').getByLabel('name, required', { exact: true });
  await name.fill('Ann and ');
  await page.evaluate(`navigator.clipboard.writeText('Bo\\nCy')`);
  await name.press('End');
  await name.press('Control+V');
  await expect.poll(() => name.evaluate((element) => element.tagName)).toBe('TEXTAREA');
  expect(await name.inputValue()).toBe('Ann and Bo\nCy');
});

/** Whether the document itself scrolls, besides the view in it. */
const documentScrolls = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollHeight > document.documentElement.clientHeight');

verifies('CON-VIEW-02', 'a view has one scroll bar, and the answers of a question are visible on a phone', async () => {
  const page = await open(place.browser, place.host.link, { viewport: { width: 390, height: 800 } });
  // Words of the command stay whole, and the filter has a line of its own.
  const words = page.locator('.command code span');
  await words.first().waitFor();
  for (const box of await words.all()) expect((await box.boundingBox())?.height).toBeLessThan(30);
  await show(page, 'calls');
  expect((await page.getByRole('searchbox').boundingBox())?.width).toBeGreaterThan(320);
  const agent = await place.connect('asker');
  const called = agent.callTool('pc', 'greet', { name: 'A line of text.\n'.repeat(60) });
  const deny = button(page, 'Deny');
  await deny.waitFor();
  // The hidden label of the filter is below the window now.
  for (const height of [500, 800]) {
    await page.setViewportSize({ width: 390, height });
    expect([height, await documentScrolls(page)]).toEqual([height, false]);
  }
  const [answer, navigation] = [await deny.boundingBox(), await page.locator('nav').boundingBox()];
  expect((answer?.y ?? Infinity) + (answer?.height ?? 0)).toBeLessThan(navigation?.y ?? 0);
  await deny.click();
  await called;
});
