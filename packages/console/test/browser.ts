import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** How long to wait for something that must happen. Reached only by a failure, also on a loaded machine. */
const WAIT_MS = 60_000;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function launch(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
    // Containers have no user namespaces and a small /dev/shm. The page is our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...args],
  });
}

/** Opens a link in a browser of its own. The test fails if the page reports an error. */
export async function open(browser: Browser, link: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en', ...options });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    // Lost connections and refused requests are reported by the browser itself.
    if (message.type() === 'error' && !/net::ERR|status of (40[0134]|500)/.test(message.text()))
      errors.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  await page.goto(link);
  return page;
}

/** Opens a view and waits until it is shown. */
export async function show(page: Page, route: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${route}`)}`);
  await page.locator(`nav a[href="#/${route.split('/')[0]}"][aria-current]`).waitFor();
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** The violations of WCAG 2.1 AA on the page as it is now. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
    return (await axe.run({ runOnly: { type: 'tag', values: tags } })).violations;
  });
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
}

/** The milliseconds from the start of the navigation until the overview shows the MCP servers and their tools. */
export async function firstViewMs(browser: Browser, link: string): Promise<number> {
  const context = await browser.newContext({ locale: 'en' });
  const page = await context.newPage();
  await page.addInitScript(`(function find() {
    if (/ ready · [1-9]\\d* tools/.test(document.body?.innerText)) globalThis.firstViewMs = performance.now();
    else requestAnimationFrame(find);
  })()`);
  await page.goto(link);
  const read = () => page.evaluate('globalThis.firstViewMs ?? 0') as Promise<number>;
  await expect.poll(read, { timeout: WAIT_MS }).toBeGreaterThan(0);
  const ms = await read();
  await context.close();
  return ms;
}
