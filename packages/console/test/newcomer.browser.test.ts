import { exec } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { startAuthorizationServer, startNotesServer } from '@a2c/test-authorization-server';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { launch, open, show } from './browser.js';
import { BINARY, Host, stage } from './host.js';

const WORKSHOP = fileURLToPath(new URL('../../hub/test/servers/workshop.mjs', import.meta.url));

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const isFocused = (at: Locator) => at.evaluate((element) => element === element.ownerDocument.activeElement);

async function up(files: Readonly<Record<string, unknown>> = {}): Promise<Host> {
  const config = Object.keys(files).slice(0, 1);
  const host = await Host.start(
    ['up', '--port', '0', '--name', 'pc', ...config.flatMap((file) => ['--config', file])],
    files,
  );
  onTestFinished(() => host.close());
  return host;
}

verifies('CON-PAGE-05', 'of the tools that ask for consent, the first page proposes one that only reads', async () => {
  const tool = (name: string, annotations: object) => ({ name, annotations, inputSchema: { type: 'object' } });
  const tools = [tool('wipe', { destructiveHint: true }), tool('peek', { readOnlyHint: true })];
  const host = await up({
    'mcp.json': {
      mcpServers: {
        w: { command: process.execPath, args: [WORKSHOP], env: { WORKSHOP_TOOLS: JSON.stringify(tools) } },
      },
    },
  });
  const page = await open(browser, host.link);
  expect(await page.locator('.command code').innerText()).toContain('call pc peek');
});

verifies('CON-PAGE-05', 'the first page alone leads to a tool, a call of an agent and its question', async () => {
  const host = await up();
  const page = await open(browser, host.link);
  await page.getByText('a2c puts all your MCP servers behind one address', { exact: false }).waitFor();
  await page.getByRole('link', { name: 'Open Tools' }).click();
  await page.locator('.tool').filter({ hasText: 'system_info' }).click();
  await button(page, 'Run').click();
  await page.getByRole('region', { name: 'Result' }).getByText('processors').waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  const command = await page.locator('.command code').innerText();
  expect(command).toContain('call pc clear_notes');
  const called = promisify(exec)(command.replace(/^(npx )?a2c /, `${process.execPath} ${BINARY} `));
  await page.getByRole('heading', { name: /wants to run clear_notes/ }).waitFor();
  await page.getByText('may destroy data').first().waitFor();
  await button(page, 'Allow once').click();
  expect((await called).stdout).toBe('0 notes deleted.\n');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  const steps = page.getByRole('region', { name: 'Try it in a minute' });
  await expect.poll(() => steps.locator('.step-done').count()).toBe(2);
  await page.locator('.call').filter({ hasText: 'clear_notes' }).click();
  const detail = page.getByRole('region', { name: 'Call' });
  for (const leg of ['from the agent', 'Consent', 'back to the server', 'to the agent']) {
    await detail.locator('.timeline').getByText(leg, { exact: true }).waitFor();
  }
});

verifies('CON-VIEW-03', 'servers are pasted as JSON and edited; a masked secret is kept', async () => {
  const host = await up({ 'servers.json': [] });
  const page = await open(browser, host.link);
  await show(page, 'computer/add');
  await page.getByLabel('JSON', { exact: true }).check();
  const { server_parameters } = stage('pasted', {}, { TOKEN: 'the-secret' }) as { server_parameters: object };
  await page.getByLabel('Configuration').fill('{"mcpServers": {"pasted": ');
  await button(page, 'Add server').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Configuration').fill(JSON.stringify({ mcpServers: { pasted: server_parameters } }));
  await button(page, 'Add server').click();
  const panel = page.getByRole('region', { name: 'pasted' });
  await panel.getByText('ready').waitFor();
  await panel.getByRole('button', { name: 'Edit' }).click();
  const text = await page.getByLabel('Configuration').inputValue();
  expect(text).not.toContain('the-secret');
  const edited = JSON.parse(text) as { mcpServers?: unknown };
  await page.getByLabel('Configuration').fill(JSON.stringify(withForbidden(edited)));
  await button(page, 'Save').click();
  await panel.getByText('ready').waitFor();
  const names = async () => (await host.ask('tools')).tools.map(({ name }: { name: string }) => name);
  await expect.poll(names).not.toContain('rows');
  const kept = { id: 'kept', server: 'pasted', tool: 'token', arguments: { expected: 'the-secret' } };
  expect(await host.ask('run-tool', kept)).toMatchObject({ content: [{ text: 'true' }] });
});

verifies(
  ['CON-VIEW-03', 'CON-PAGE-02'],
  'Enter adds a server, errors are in view, and what happens after the form was left is shown',
  async () => {
    const host = await up({ 'servers.json': [stage('stage')] });
    const page = await open(browser, host.link, { viewport: { width: 1280, height: 500 } });
    const { server_parameters } = stage() as { server_parameters: { command: string; args: string[] } };
    const { command, args } = server_parameters;
    await show(page, 'computer/add');
    await page.getByLabel('Name').fill('twin');
    await page.getByLabel('Command').fill([command, ...args].join(' '));
    await page.getByLabel('Command').press('Enter');
    await page.getByRole('region', { name: 'twin' }).getByText('ready').waitFor();
    const outcome = page.locator('.outcome');
    await outcome.getByText('listed as "twin.', { exact: false }).waitFor();
    await outcome.getByRole('button', { name: 'Close' }).click();
    await outcome.waitFor({ state: 'detached' });

    await show(page, 'computer/add');
    await page.getByLabel('JSON', { exact: true }).check();
    await page.getByLabel('Configuration').fill('{"mcpServers": 1}');
    await button(page, 'Add server').click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await expect.poll(() => isFocused(alert)).toBe(true);
    const { y = -1 } = (await alert.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(500);

    const silent = { command, args: ['-e', 'setInterval(() => {}, 1000)'] };
    await page.getByLabel('Configuration').fill(JSON.stringify({ mcpServers: { silent, third: server_parameters } }));
    await button(page, 'Add server').click();
    await page.locator('.server-item').filter({ hasText: 'third' }).getByText('ready').waitFor();
    await show(page, 'tools');
    await host.ask('remove-server', { server: 'silent' });
    await outcome.getByText('Added: third').waitFor();
    await outcome.getByText('Not added: silent').waitFor();
    expect(page.url()).toContain('#/tools');
  },
);

/** The same configuration without one of the tools. */
function withForbidden(config: object): object {
  const [entry] = Object.values(config) as object[];
  if (!('command' in config) && !('server_parameters' in config) && entry) {
    return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, withForbidden(value as object)]));
  }
  return { ...config, forbidden_tools: ['rows'] };
}

verifies('CON-VIEW-03', 'a button logs in, and the tools of the server appear', async () => {
  const authorization = await startAuthorizationServer();
  const notes = await startNotesServer(authorization);
  onTestFinished(async () => {
    await notes.close();
    await authorization.close();
  });
  const entry = {
    name: 'notes',
    type: 'streamable',
    server_parameters: { url: notes.url, oauth: { account: 'work' } },
  };
  const host = await up({ 'servers.json': [entry] });
  const page = await open(browser, host.link);
  await page.getByRole('link', { name: 'notes needs a login' }).click();
  const panel = page.getByRole('region', { name: 'notes' });
  const opened = page.context().waitForEvent('page');
  await panel.getByRole('button', { name: 'Log in to the account work' }).click();
  const login = await opened;
  await login.waitForURL(/interaction/);
  await login.click('button'); // Who are you?
  await login.click('button'); // May a2c read notes?
  await login.waitForURL(/127\.0\.0\.1:\d+\/callback/);
  await panel.getByText('logged in to the account work').waitFor();
  await panel.getByText('ready').waitFor();
  await show(page, 'tools');
  await page.locator('.tool').filter({ hasText: 'Read a note' }).waitFor();
});

verifies('CON-VIEW-03', 'a changed tool is shown as a difference and approved', async () => {
  const host = await up({ 'servers.json': [stage('stage')] });
  await expect.poll(async () => (await host.ask('tools')).total).toBeGreaterThan(0);
  writeFileSync(join(host.home, 'greeting.txt'), 'Greets everyone, and sends the list to a stranger.');
  await host.ask('restart-server', { server: 'stage' });
  const page = await open(browser, host.link);
  await page.getByRole('link', { name: /stage: 1 tools? changed/ }).click();
  const diff = page.locator('.review-diff');
  await diff.locator('.diff-old').filter({ hasText: 'Greets someone.' }).waitFor();
  await diff.locator('.diff-new').filter({ hasText: 'sends the list to a stranger' }).waitFor();
  await button(page, 'Approve greet').click();
  await diff.waitFor({ state: 'detached' });
  const audit = readFileSync(join(host.home, 'state', 'console-audit.jsonl'), 'utf8');
  expect(audit).toContain('approve-tools');
});

verifies(
  ['CON-PAGE-07', 'CON-VIEW-02'],
  'each kind of failure has its reason and its remedy, in both languages',
  async () => {
    const auto = { auto_apply: true };
    const host = await up({
      'servers.json': [
        stage('stage', {
          default_tool_meta: auto,
          tool_meta: { greet: { auto_apply: false, alias: 'ask_greet' } },
          forbidden_tools: ['board'],
        }),
      ],
    });
    await expect.poll(async () => (await host.ask('tools')).total).toBeGreaterThan(0);
    const agent = await Agent.connect({ url: host.url, office: 'demo', name: 'caller' });
    onTestFinished(() => agent.close());
    await agent.ready();
    const english = await open(browser, host.link);
    const chinese = await open(browser, host.link, { locale: 'zh-CN' });
    await show(english, 'calls');
    await show(chinese, 'calls');
    const call = (tool: string, args: object, timeout?: number) =>
      agent.callTool('pc', tool, args as Record<string, unknown>, { timeout }).catch((error: Error) => error);
    const denied = call('ask_greet', { name: 'Ann' });
    await button(english, 'Deny').click();
    await denied;
    await call('ask_greet', { name: 'Bo' }, 0.5);
    await call('count', { steps: 1_000 }, 0.5);
    await call('ask_greet', { wrong: 1 });
    await call('board', { text: 'x' });
    await call('no-such-tool', {});
    await call('crash', {});
    const leaving = new AbortController();
    const left = agent
      .callTool('pc', 'ask_greet', { name: 'Cy' }, { signal: leaving.signal })
      .catch((error: Error) => error);
    await english.getByRole('heading', { name: /wants to run greet/ }).waitFor();
    leaving.abort();
    await left;
    const expected: [text: RegExp, texts: string[], chineseTexts: string[]][] = [
      [/greet.*denied/, ['denied this call', 'press “Allow once”'], ['拒绝了此次调用', '允许一次']],
      [/greet.*failed/, ['No one answered', 'answer the question here in time'], ['未在时限内', '及时在此处回答']],
      [/count.*failed/, ['longer than its timeout', 'longer timeout'], ['超过了时限', '延长调用超时']],
      [/ask_greet.*failed|greet.*failed/, ['invalid arguments', 'Compare the arguments'], ['检查参数']],
      [/board.*failed/, ['offers no tool "board"', 'gone or disabled'], ['已禁用']],
      [/no-such-tool.*failed/, ['offers no tool', 'Check the name'], ['请检查名称']],
      [/crash.*failed/, ['It broke.', 'reported this itself'], ['It broke.', '自行报告']],
      [/greet.*cancelled/, ['was cancelled', 'The tool was not run'], ['已被取消', '工具没有运行']],
    ];
    const rows = english.locator('.call');
    await expect.poll(() => rows.count()).toBe(expected.length);
    for (const [index, [text, texts, chineseTexts]] of expected.entries()) {
      const at = expected.length - 1 - index;
      await rows.nth(at).filter({ hasText: text }).click();
      const detail = english.getByRole('region', { name: 'Call' });
      for (const each of texts) await expect.poll(() => detail.locator('.well-bad').innerText()).toContain(each);
      expect(await english.locator('main').innerText()).not.toMatch(/\p{Script=Han}/u);
      await chinese.locator('.call').nth(at).click();
      for (const each of chineseTexts) {
        await chinese.locator('.detail .well-bad').getByText(each, { exact: false }).waitFor();
      }
    }
  },
);

verifies('CON-VIEW-04', 'earlier runs of a tool are shown again, and their arguments used again', async () => {
  const host = await up({ 'servers.json': [stage('stage', { default_tool_meta: { auto_apply: true } })] });
  await expect.poll(async () => (await host.ask('tools')).total).toBeGreaterThan(0);
  const page = await open(browser, host.link);
  await show(page, 'tools/stage/greet');
  const name = page.locator('form').getByLabel('name');
  const result = page.getByRole('region', { name: 'Result' });
  for (const each of ['Ann', 'Bo']) {
    await name.fill(each);
    await button(page, 'Run').click();
    await result.getByText(`Hello ${each}, run`, { exact: false }).waitFor();
  }
  await page.getByText('Earlier runs').click();
  const runs = page.locator('.runs li');
  expect(await runs.count()).toBe(2);
  const first = runs.nth(1); // The latest run comes first.
  await first.getByRole('button').first().click();
  await result.getByText('Hello Ann, run 1.').waitFor();
  await first.getByRole('button', { name: 'Use these arguments' }).click();
  expect(await name.inputValue()).toBe('Ann');
  await button(page, 'Run').click();
  await result.getByText('Hello Ann, run 3.').waitFor();
});

verifies(['CON-VIEW-04', 'CON-PAGE-02'], 'Enter runs a tool; several lines can be typed', async () => {
  const host = await up({ 'servers.json': [stage('stage', { default_tool_meta: { auto_apply: true } })] });
  await expect.poll(async () => (await host.ask('tools')).total).toBeGreaterThan(0);
  const page = await open(browser, host.link, { viewport: { width: 1280, height: 500 } });
  await show(page, 'tools/stage/greet');
  const name = page.locator('form').getByLabel('name, required', { exact: true });
  const result = page.getByRole('region', { name: 'Result' });
  await name.fill('Ann');
  await name.press('Enter');
  await result.getByText('Hello Ann, run 1.').waitFor();
  expect(await isFocused(name)).toBe(true);
  await button(page, 'Several lines').click();
  await name.pressSequentially('e\n');
  expect(await name.inputValue()).toBe('Anne\n');
  expect(await name.evaluate((element) => element.tagName)).toBe('TEXTAREA');
  await page.getByRole('link', { name: /greet ?, stage/ }).waitFor();

  await show(page, 'tools/stage/shape');
  await page.getByLabel('city').fill('Oslo');
  await button(page, 'Run').click();
  await result.getByText('Oslo', { exact: false }).first().waitFor();
  await expect.poll(() => isFocused(result)).toBe(true);
  const { y = -1 } = (await result.boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(500);
});

verifies('CON-ACCESS-08', 'a button logs out, in every page of the browser', async () => {
  const host = await up({ 'servers.json': [] });
  const page = await open(browser, host.link);
  const second = await page.context().newPage();
  await second.goto(host.page);
  await second.getByRole('heading', { name: 'One computer for AI agents' }).waitFor();
  await button(page, 'Log out').click();
  for (const each of [page, second]) await each.getByRole('heading', { name: 'This page needs your link' }).waitFor();
  await page.getByText('You are logged out.').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'This page needs your link' }).waitFor();
});

verifies('CON-ACCESS-01', 'a link opened in the tab of the page logs in, and a wrong one is explained', async () => {
  const host = await up({ 'servers.json': [] });
  const page = await open(browser, host.page);
  await page.getByRole('heading', { name: 'This page needs your link' }).waitFor();
  await page.goto(`${host.page}#token=wrong`);
  await page.getByText('This link is wrong, or from an earlier start of a2c.').waitFor();
  await page.goto(host.link);
  await page.getByRole('heading', { name: 'One computer for AI agents' }).waitFor();
  expect(page.url()).not.toContain('token');
});

verifies('CON-VIEW-03', 'the log of a server grows while it is shown', async () => {
  const code = `let n = 0; setInterval(() => require('fs').existsSync('more') && n++ < 3 &&
    console.error('line ' + n), 50); import(process.argv[1])`;
  const { server_parameters } = stage() as { server_parameters: { command: string; args: string[] } };
  const { command, args } = server_parameters;
  const host = await up({
    'servers.json': [{ name: 'talks', type: 'stdio', server_parameters: { command, args: ['-e', code, ...args] } }],
  });
  const page = await open(browser, host.link);
  await show(page, 'computer/talks');
  const log = page.locator('.log');
  await log.getByText('started with no token').waitFor();
  writeFileSync(join(host.home, 'more'), '');
  await log.getByText('line 3').waitFor();
});
