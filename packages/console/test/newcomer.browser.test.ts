import { exec } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { startAuthorizationServer, startNotesServer } from '@a2c/test-authorization-server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { launch, open, show } from './browser.js';
import { BINARY, Host, stage } from './host.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function up(files: Readonly<Record<string, unknown>> = {}): Promise<Host> {
  const config = Object.keys(files).slice(0, 1);
  const host = await Host.start(
    ['up', '--port', '0', '--name', 'pc', ...config.flatMap((file) => ['--config', file])],
    files,
  );
  onTestFinished(() => host.close());
  return host;
}

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
  const host = await up({ 'mcp.json': { mcpServers: { notes: { type: 'http', url: notes.url } } } });
  const page = await open(browser, host.link);
  await page.getByRole('link', { name: 'notes needs a login' }).click();
  const panel = page.getByRole('region', { name: 'notes' });
  const opened = page.context().waitForEvent('page');
  await panel.getByRole('button', { name: 'Log in' }).click();
  const login = await opened;
  await login.waitForURL(/interaction/);
  await login.click('button'); // Who are you?
  await login.click('button'); // May a2c read notes?
  await login.waitForURL(/127\.0\.0\.1:\d+\/callback/);
  await panel.getByText('logged in').waitFor();
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
  const diff = page.locator('.diff');
  await diff.locator('.diff-old').filter({ hasText: 'Greets someone.' }).waitFor();
  await diff.locator('.diff-new').filter({ hasText: 'sends the list to a stranger' }).waitFor();
  await button(page, 'Approve greet').click();
  await diff.waitFor({ state: 'detached' });
  const audit = readFileSync(join(host.home, 'state', 'console-audit.jsonl'), 'utf8');
  expect(audit).toContain('approve-tools');
});
