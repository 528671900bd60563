import { execFileSync, execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, vi } from 'vitest';
import { firstViewMs, launch, open, show, violations } from './browser.js';
import { BINARY, freePort, Host, stage } from './host.js';
import { serveMany } from './many-servers.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const VIEWS = ['overview', 'offices', 'calls', 'computer', 'tools', 'desktop', 'context'];

let browser: Browser;
let host: Host;

beforeAll(async () => {
  browser = await launch();
  host = await Host.start(['up', '--port', String(await freePort()), '--name', 'pc', '--config', 'servers.json'], {
    'servers.json': {
      inputs: [{ id: 'token', type: 'promptString', description: 'A token', password: true }],
      servers: [
        stage('stage', { default_tool_meta: { auto_apply: true } }),
        stage('asking', { tool_meta: { greet: { alias: 'ask_greet' } }, forbidden_tools: OTHERS }),
        stage('locked', { forbidden_tools: OTHERS }, { TOKEN: '$' + '{input:token}' }),
      ],
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await host?.close();
});

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** A server whose tools have other names. */
const DEMO = fileURLToPath(new URL('../../cli/dist/demo/demo-server.js', import.meta.url));

/** Tools that only the first server offers. */
const OTHERS = ['token', 'script', 'media', 'rows', 'shape', 'count', 'long', 'crash', 'board'];

async function agent(name: string): Promise<Agent> {
  const joined = await Agent.connect({ url: host.url, office: 'demo', name });
  onTestFinished(() => joined.close());
  await joined.ready();
  return joined;
}

/** The name by which the Agent sees a tool. */
function named(caller: Agent, tool: string): string {
  return caller.tools().find((each) => each.tool.name.endsWith(tool))?.tool.name ?? tool;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function clipboard(page: Page): Promise<string> {
  return String(await page.evaluate('navigator.clipboard.readText()'));
}

async function runTool(page: Page, tool: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
  await show(page, `tools/stage/${tool}`);
  await page.getByRole('region', { name: tool }).getByRole('heading', { name: tool }).waitFor();
  for (const [field, value] of Object.entries(fields)) await page.locator('form').getByLabel(field).fill(value);
  await button(page, 'Run').click();
}

describe('views', () => {
  verifies('CON-VIEW-04', 'a tool runs with progress, is cancelled, and shows every kind of result', async () => {
    const page = await open(browser, host.link);
    await runTool(page, 'greet', { name: 'Ann' });
    await page.getByText(/Hello Ann, run \d+\./).waitFor();
    // A large result is not in its event.
    await runTool(page, 'long', { length: '300000' });
    await expect.poll(async () => (await page.locator('.run .text-output').textContent())?.length).toBe(300_000);
    await runTool(page, 'rows');
    await page.getByRole('columnheader', { name: 'people' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(3);
    await runTool(page, 'count', { steps: '500' });
    await page.getByText(/^step \d+$/).waitFor();
    await button(page, 'Cancel').click();
    await page
      .getByText(/cancelled/)
      .first()
      .waitFor();
    await runTool(page, 'media');
    await page.locator('audio').waitFor();
    await page.evaluate("document.querySelector('audio').play()");
    await expect.poll(() => page.evaluate("document.querySelector('audio').ended")).toBe(true);
    const link = page.getByRole('link', { name: 'The report' });
    expect(await link.getAttribute('href')).toBe('https://example.com/report');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    await page.getByText('Notes file:///tmp/notes.txt').waitFor();
    await page.getByText('An embedded note').waitFor();
    await page.getByRole('searchbox').fill('counts slowly');
    await page.locator('.tool-list a').first().filter({ hasText: 'count' }).waitFor();
  });

  verifies('CON-VIEW-04', 'a form has nested objects, arrays, choices, and unions as JSON', async () => {
    const page = await open(browser, host.link);
    await show(page, 'tools/stage/shape');
    await page.getByLabel('city').fill('Oslo');
    await page.getByLabel('size').selectOption({ label: 'large' });
    await page.getByRole('group', { name: 'tags' }).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('group', { name: 'tags' }).getByRole('textbox').fill('red');
    await page.getByLabel('any').fill('42');
    await page.getByLabel('loud').check();
    await button(page, 'Run').click();
    const result = page.getByRole('region', { name: 'Result' });
    for (const text of ['"Oslo"', '"large"', '"red"', '42', 'true'])
      await result.getByText(text, { exact: true }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(page, 'Copy command').click();
    const command = await clipboard(page);
    expect(command).toContain(`agent call pc shape '{"place":{"city":"Oslo"},"size":"large"`);
    const words = [BINARY, ...(/^(?:npx )?a2c (.*)$/.exec(command)?.[1] ?? '').split(' ')].join(' ');
    expect(JSON.parse(execSync(`${process.execPath} ${words}`, { encoding: 'utf8' }))).toMatchObject({ any: 42 });
    await button(page, 'Copy code').click();
    const program = `${await clipboard(page)}\nconsole.log(result.content[0].text);\nawait agent.close();\n`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: HERE,
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toMatchObject({ place: { city: 'Oslo' }, size: 'large', tags: ['red'] });
  });

  verifies('CON-ACCESS-07', 'script in the output of a tool stays text', async () => {
    const page = await open(browser, host.link);
    await runTool(page, 'script');
    await page.locator('pre').getByText('<img src=x onerror').waitFor();
    await show(page, 'computer/stage');
    await page.locator('.description').getByText('<img src=x onerror').waitFor();
    expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  });

  verifies(['CON-VIEW-01', 'CON-VIEW-02'], 'an Agent joins, its calls arrive, a failed one has a remedy', async () => {
    const page = await open(browser, host.link);
    await show(page, 'offices');
    const caller = await agent('visitor');
    await page
      .locator('.member')
      .filter({ hasText: 'visitor' })
      .getByText(/Protocol/)
      .waitFor();
    await page.getByRole('log').getByText('visitor joined demo').waitFor();
    await show(page, 'calls');
    await caller.callTool('pc', named(caller, 'rows'), {});
    await page.locator('.call').filter({ hasText: 'visitor → pc → stage' }).first().click();
    const detail = page.getByRole('region', { name: 'Call' });
    await detail.getByText('MCP server', { exact: true }).first().waitFor();
    await detail.getByText('Audit record').waitFor();
    await expect(caller.callTool('pc', 'no-such-tool', {})).rejects.toThrow();
    await page.getByRole('searchbox').fill('no-such-tool');
    await page.locator('.call').first().click();
    await detail.getByText('What to do').waitFor();
    await button(page, 'Pause').click();
    await page.getByText(/^Paused/).waitFor();
    await button(page, 'Resume').click();
  });

  verifies('CON-VIEW-03', 'a server is added, stopped, started and removed; an input is set', async () => {
    const page = await open(browser, host.link);
    await show(page, 'computer/add');
    await page.getByLabel('Name').fill('extra');
    await page.getByLabel('Command').fill(`${process.execPath} "${DEMO}"`);
    await button(page, 'Add server').last().click();
    const panel = page.getByRole('region', { name: 'extra' });
    await panel.getByText('ready').waitFor();
    await panel.getByText('It has written nothing.').waitFor();
    await panel.getByRole('button', { name: 'Stop' }).click();
    await panel.getByText('stopped').waitFor();
    await panel.getByRole('button', { name: 'Start' }).click();
    await panel.getByText('ready').waitFor();
    await panel.getByRole('button', { name: 'Remove' }).click();
    await panel.getByRole('button', { name: 'Remove extra? Press again.' }).click();
    await page.locator('.server-item').filter({ hasText: 'extra' }).waitFor({ state: 'detached' });
    await page.locator('.input').getByText('missing').waitFor();
    await page.getByLabel('token').fill('secret-of-the-test');
    await button(page, 'Set').click();
    await page.locator('.server-item').filter({ hasText: 'locked' }).getByText('ready').waitFor();
    expect(await page.content()).not.toContain('secret-of-the-test');
  });

  verifies('CON-VIEW-05', 'a window changes by itself', async () => {
    const page = await open(browser, host.link);
    await show(page, 'desktop');
    const board = page.getByRole('article', { name: 'Board' }).first();
    await board.waitFor();
    await host.ask('run-tool', {
      id: crypto.randomUUID(),
      server: 'stage',
      tool: 'board',
      arguments: { text: 'It changed' },
    });
    await page.getByRole('article', { name: 'Board' }).getByText('It changed').waitFor();
  });

  verifies('CON-VIEW-06', 'the context view compares tokens', async () => {
    const page = await open(browser, host.link);
    await show(page, 'context');
    await page
      .getByText(/^[\d,]+ tokens$/)
      .first()
      .waitFor();
    await page.locator('.cost-row').filter({ hasText: 'stage' }).waitFor();
  });

  verifies(['CON-VIEW-07', 'CON-PAGE-04'], 'a question appears in two browsers and is answered in one', async () => {
    const first = await open(browser, host.link);
    const second = await open(browser, host.link);
    const caller = await agent('asker');
    const name = named(caller, 'ask_greet');
    const allowed = caller.callTool('pc', name, { name: 'Bo' });
    await second.getByRole('heading', { name: 'asker wants to run greet' }).waitFor();
    await button(first, 'Allow once').click();
    expect((await allowed).content[0]).toMatchObject({ text: expect.stringContaining('Hello Bo') });
    await second.locator('.question').waitFor({ state: 'detached' });
    const denied = caller.callTool('pc', name, { name: `${'C'.repeat(10_000)}y` });
    await second.getByText('they have 10.0 kB').waitFor();
    await button(second, 'Show all arguments').click();
    await second.getByText(/C{10000}y/).waitFor();
    await button(second, 'Deny').click();
    expect(await denied).toMatchObject({ isError: true });
  });
});

describe('the page', () => {
  verifies('CON-ACCESS-01', 'a wrong token and a missing one lead to the explanation', async () => {
    for (const hash of ['#token=wrong', '']) {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(`${host.page}${hash}`);
      await page.getByRole('heading', { name: 'This page needs your link' }).waitFor();
      expect(page.url()).not.toContain('wrong');
      expect(await violations(page)).toEqual([]);
    }
  });

  verifies('CON-ACCESS-10', 'a session lasts through a reload and in a second tab, until the logout', async () => {
    const page = await open(browser, host.link);
    await page.locator('.link-open').waitFor();
    await page.reload();
    await page.locator('.link-open').waitFor();
    const tab = await page.context().newPage();
    await tab.goto(host.page);
    await tab.locator('.link-open').waitFor();
    // A malformed address shows the overview.
    await show(tab, 'tools');
    await tab.evaluate('location.hash = "#/%"');
    await tab.locator('nav a[href="#/overview"][aria-current]').waitFor();
    await tab.goto(`${host.page}#/%`);
    await tab.reload();
    await tab.locator('nav a[href="#/overview"][aria-current]').waitFor();
    await button(tab, 'Log out').click();
    for (const each of [page, tab]) await each.getByRole('heading', { name: 'This page needs your link' }).waitFor();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    verifies('CON-PAGE-01', `no violation of WCAG 2.1 AA, ${colorScheme}`, async () => {
      const locale = colorScheme === 'light' ? 'en' : 'zh-CN';
      const page = await open(browser, host.link, { colorScheme, locale });
      await page.locator('nav a').nth(6).waitFor();
      const caller = await agent(`axe-${colorScheme}`);
      void caller.callTool('pc', named(caller, 'ask_greet'), { name: 'Di' }).catch(() => {});
      await page.locator('.question').waitFor();
      for (const view of [...VIEWS, 'tools/stage/shape', 'computer/stage', 'computer/add']) {
        await show(page, view);
        await page.locator('main h1').waitFor();
        expect(await violations(page), view).toEqual([]);
      }
      await show(page, 'calls');
      await page.locator('.call').first().click();
      expect(await violations(page)).toEqual([]);
      await page.locator('.question button').last().click();
    });
  }

  verifies('CON-PAGE-02', 'every view fits into 360 pixels and 1,920 pixels', async () => {
    for (const width of [360, 1_920]) {
      const page = await open(browser, host.link, { viewport: { width, height: 780 } });
      await page.locator('nav a').nth(6).waitFor();
      for (const view of [...VIEWS, 'tools/stage/shape', 'computer/stage', 'computer/add']) {
        await show(page, view);
        const widest = "Math.max(document.documentElement.scrollWidth, document.querySelector('main').scrollWidth)";
        expect(await page.evaluate(widest), `${view} at ${width}`).toBeLessThanOrEqual(width);
        const used = await page.evaluate("document.querySelector('main').clientWidth / innerWidth");
        expect(used, `${view} at ${width}`).toBeGreaterThan(0.8);
      }
    }
  });

  verifies('CON-PAGE-02', 'a tool is chosen and run with the keyboard alone', async () => {
    const page = await open(browser, host.link);
    await page.locator('nav a[href="#/tools"]').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter'); // Skip to the content.
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.locator('nav a[href="#/tools"]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('returns rows');
    // The order of the tools changes until the last result of the search has arrived.
    await expect
      .poll(async () => {
        await page.getByRole('searchbox').focus();
        await page.keyboard.press('Tab');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        return page.evaluate('location.hash');
      })
      .toBe('#/tools/stage/rows');
    await page.getByRole('region', { name: 'rows' }).getByRole('button', { name: 'Run' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'city' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'rows has ended' }).waitFor({ state: 'attached' });
  });

  verifies(['CON-PAGE-03', 'CON-PAGE-06'], '100 servers and 2,000 tools are lists of a few rows', async () => {
    const url = await serveMany(20);
    const servers = Array.from({ length: 100 }, (_, n) => ({
      name: `server-${n}`,
      type: 'streamable',
      server_parameters: { url: `${url}/${n}` },
    }));
    const large = await Host.start(['up', '--port', '0', '--name', 'pc', '--config', 'servers.json'], {
      'servers.json': servers,
    });
    onTestFinished(() => large.close());
    await expect.poll(async () => (await large.ask('tools')).total).toBe(2_000);
    const small = await Host.start(['up', '--port', '0', '--name', 'pc']);
    onTestFinished(() => small.close());
    const times: { few: number; many: number }[] = [];
    for (let round = 0; round < 4; round++) {
      times.push({ few: await firstViewMs(browser, small.link), many: await firstViewMs(browser, large.link) });
    }
    const fastest = (kind: 'few' | 'many') => Math.min(...times.map((each) => each[kind]));
    console.log(
      `first view: ${Math.round(fastest('few'))} ms with 1 server, ${Math.round(fastest('many'))} ms with 100 servers and 2,000 tools`,
    );
    expect(fastest('many') / fastest('few')).toBeLessThan(5);
    const page = await open(browser, large.link);
    await page.getByText('100 of 100 ready · 2000 tools').waitFor();
    for (const [view, rows] of [
      ['computer', '.server-item'],
      ['tools', '.tool'],
      ['context', '.cost-row'],
    ] as const) {
      await show(page, view);
      await page.locator(rows).first().waitFor();
      expect(await page.locator(rows).count(), view).toBeLessThan(60);
    }
    await show(page, 'tools');
    await page.getByRole('searchbox').fill('tool 7 of server 42');
    await page.locator('.tool').first().filter({ hasText: 't42_7' }).waitFor();
  });

  verifies('CON-PAGE-03', 'the page keeps up with 10,000 calls per minute', async () => {
    const page = await open(browser, host.link);
    await show(page, 'calls');
    const caller = await agent('busy');
    const name = named(caller, 'rows');
    const before = Number(await page.locator('[data-count]').getAttribute('data-count'));
    const total = 1_000;
    // 17 calls each tenth of a second are 10,200 calls per minute.
    const pending: Promise<unknown>[] = [];
    const seen: number[] = [];
    for (let sent = 0; sent < total; sent += 17) {
      for (let each = sent; each < Math.min(sent + 17, total); each++) pending.push(caller.callTool('pc', name, {}));
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (sent % 170 === 0) seen.push(Number(await page.locator('[data-count]').getAttribute('data-count')));
    }
    await Promise.all(pending);
    await expect
      .poll(async () => Number(await page.locator('[data-count]').getAttribute('data-count')))
      .toBeGreaterThanOrEqual(before + total);
    expect(seen.at(-1)).toBeGreaterThan(seen[0] as number);
    expect(await page.locator('.call').count()).toBeLessThan(60);
  });

  verifies('CON-PAGE-04', 'an open page comes back by itself after a restart', async () => {
    const page = await open(browser, host.link);
    await show(page, 'tools');
    await page.locator('.tool').first().waitFor();
    await host.restart();
    await page.locator('.link-open').waitFor();
    await expect.poll(async () => (await host.request('tool?server=stage&tool=greet')).status).toBe(200);
    await runTool(page, 'greet', { name: 'again' });
    await page.getByText(/Hello again/).waitFor();
  });
});

describe('other hosts', () => {
  verifies('CON-HOST-01', 'the console of a Computer offers what the Computer has', async () => {
    const args = [
      'computer',
      'run',
      '--headless',
      '--url',
      host.url,
      '--office',
      'demo',
      '--name',
      'second',
      '--console',
    ];
    const computer = await Host.start([...args, '--config', 'servers.json'], {
      'servers.json': [stage('own', { default_tool_meta: { auto_apply: true } })],
    });
    onTestFinished(() => computer.close());
    const page = await open(browser, computer.link);
    await page.locator('nav a[href="#/tools"]').waitFor();
    expect(await page.locator('nav a').allInnerTexts()).not.toContain('Offices');
    await show(page, 'computer');
    await page.getByText(`in office demo at ${host.url}`).waitFor();
    const caller = await agent('remote');
    const tool = caller.tools().find((each) => each.computer === 'second' && each.tool.name.endsWith('rows'));
    await caller.callTool('second', tool?.tool.name ?? 'rows', {});
    await show(page, 'calls');
    await page.locator('.call').filter({ hasText: 'remote' }).first().waitFor();
  });
});

verifies('CON-PAGE-02', 'the pictures in the documentation show the page', async () => {
  const demo = await Host.start(['up', '--port', String(await freePort()), '--name', 'pc']);
  onTestFinished(() => demo.close());
  const page = await open(browser, demo.link, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const caller = await Agent.connect({ url: demo.url, office: 'demo', name: 'research-agent' });
  onTestFinished(() => caller.close());
  await caller.ready();
  const call = (tool: string, args: object) =>
    caller.callTool('pc', named(caller, tool), args as Record<string, unknown>);
  await call('now', { timezone: 'UTC' });
  await call('now', { timezone: 'Asia/Shanghai' });
  await page.locator('.call').nth(1).waitFor();
  await picture(page, 'overview');
  await show(page, 'tools/demo/bar_chart');
  for (const [index, value] of [3, 1, 4, 1, 5].entries()) {
    if (index > 0) await button(page, 'Add').click();
    await page
      .getByLabel(String(index + 1), { exact: false })
      .first()
      .fill(String(value));
  }
  await button(page, 'Run').click();
  await page.getByRole('img', { name: 'Image returned by the tool' }).scrollIntoViewIfNeeded();
  await picture(page, 'tools');
  const asked = call('clear_notes', {});
  await page.locator('.question').waitFor();
  await show(page, 'calls');
  await page.locator('.call').nth(2).click();
  await page.getByText('Audit record').waitFor();
  await picture(page, 'calls');
  await button(page, 'Allow once').click();
  await asked;
});

/** Takes a picture for the documentation. `npm run picture:console` writes it. */
async function picture(page: Page, name: string): Promise<void> {
  const path = fileURLToPath(new URL(`../../../docs/pictures/console-${name}.png`, import.meta.url));
  const bytes = await page.screenshot();
  if (process.env.A2C_PICTURES !== undefined) writeFileSync(path, bytes);
  const width = (png: Buffer) => png.readUInt32BE(16);
  expect(width(readFileSync(path)), name).toBe(width(bytes));
}
