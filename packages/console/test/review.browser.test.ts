import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import type { Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { open, violations } from './browser.js';
import { ConsoleStage } from './console-stage.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

/** Longer than a question that appears or moves ignores clicks. */
const HOLD_MS = 1_500;

const place = ConsoleStage.forFile();

/** An Agent asks for a call; returns its question on a page, and its result. */
async function ask(tool: string, args: Record<string, unknown>) {
  const page = await open(place.browser, place.host.link);
  const agent = await place.connect('asker');
  const result = agent.callTool('pc', tool, args);
  result.catch(() => {}); // A test that fails before it awaits the result reports its own error.
  const question = page.locator('.question');
  await question.waitFor();
  return { page, question, result };
}

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

/** Clicks where a person would, also on a button that ignores it. */
async function press(target: Locator): Promise<void> {
  await target.page().waitForTimeout(HOLD_MS);
  await target.click({ force: true });
}

/** Whether the end of an element is within the box that shows it. */
const isVisibleToTheEnd = (box: Locator) =>
  box.evaluate(
    (element) => element.scrollHeight <= element.clientHeight + 1 && element.scrollWidth <= element.clientWidth + 1,
  );

verifies(['CON-REVIEW-01', 'CON-VIEW-07'], 'deep arguments are visible without a click', async () => {
  const place = { city: 'Oslo', more: { query: { filter: { command: 'rm -rf /' } } } };
  const { question, result } = await ask('shape', { place, size: 'small' });
  await question.getByText('"command": "rm -rf /"').waitFor();
  expect(await isVisibleToTheEnd(question.locator('.review-json'))).toBe(true);
  await press(button(question, 'Allow once'));
  expect(await result).toMatchObject({ isError: false });
});

verifies(
  ['CON-REVIEW-01', 'CON-VIEW-07', 'CON-PAGE-01'],
  'arguments that do not fit are allowed only after all of them were shown',
  async () => {
    const tags = Array.from({ length: 150 }, (_, index) => `tag-${index}`);
    const { page, question, result } = await ask('shape', { place: { city: 'Oslo' }, size: 'small', tags });
    const box = question.locator('.review-json');
    await question.getByText(/Not all is visible: \d+ more lines/).waitFor();
    expect(await isVisibleToTheEnd(box)).toBe(false);
    await press(button(question, 'Allow once'));
    await press(button(question, 'Always allow this tool'));
    expect(await question.count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await button(question, 'Show all arguments').click();
    await question.getByText(/Not all is visible/).waitFor({ state: 'detached' });
    expect(await isVisibleToTheEnd(box)).toBe(true);
    expect(await box.innerText()).toContain('"tag-149"');
    await press(button(question, 'Allow once'));
    expect(await result).toMatchObject({ isError: false });
  },
);

verifies(['CON-REVIEW-01', 'CON-VIEW-07'], 'large arguments follow the same rule', async () => {
  const { question, result } = await ask('greet', { name: `${'n'.repeat(6_000)}; rm -rf /` });
  await question.getByText('Only the beginning of the arguments is shown').waitFor();
  await press(button(question, 'Allow once'));
  expect(await question.count()).toBe(1);
  await button(question, 'Show all arguments').click();
  const box = question.locator('.review-json');
  await expect.poll(() => box.innerText()).toContain('; rm -rf /');
  expect(await isVisibleToTheEnd(box)).toBe(true);
  await press(button(question, 'Allow once'));
  expect(await result).toMatchObject({ isError: false });
});

verifies('CON-REVIEW-01', 'what is not shown in full can be denied at once', async () => {
  const { question, result } = await ask('greet', { name: 'n'.repeat(6_000) });
  await question.getByText('Only the beginning of the arguments is shown').waitFor();
  await press(button(question, 'Deny'));
  expect(await result).toMatchObject({ isError: true });
});

verifies(['CON-REVIEW-02', 'SEC-TEXT-01'], 'blanks do not move the rest of an argument out of sight', async () => {
  const { question, result } = await ask('greet', { name: `ls${'\u00a0'.repeat(1_900)}; rm -rf /` });
  await question.getByText('"ls⟨1,900 × \\u00a0⟩; rm -rf /"').waitFor();
  expect(await isVisibleToTheEnd(question.locator('.review-json'))).toBe(true);
  await press(button(question, 'Deny'));
  expect(await result).toMatchObject({ isError: true });
});

verifies(
  ['CON-REVIEW-01', 'CON-VIEW-03'],
  'a long change of a tool is approved only after all of it was shown',
  async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `Line ${index}.`).join('\n');
    writeFileSync(join(place.host.home, 'greeting.txt'), `Greets everyone.\n${lines} The end.`);
    await place.host.ask('restart-server', { server: 'stage' });
    const page = await open(place.browser, place.host.link);
    await page.getByRole('link', { name: /stage: 1 tools? changed/ }).click();
    await page.getByText(/Not all is visible: \d+ more lines/).waitFor();
    const diff = page.locator('.review-diff');
    for (const name of ['Approve greet', 'Approve all']) await press(button(page, name));
    expect((await place.host.ask('server?server=stage')).changedTools).toBe(1);
    await button(page, 'Show the whole change of greet').click();
    await expect.poll(() => isVisibleToTheEnd(diff)).toBe(true);
    expect(await diff.innerText()).toContain('The end.');
    await press(button(page, 'Approve greet'));
    await diff.waitFor({ state: 'detached' });
  },
);
