import { execFileSync } from 'node:child_process';
import { verifies } from '@a2c/requirements';
import { startAuthorizationServer, startNotesServer } from '@a2c/test-authorization-server';
import { chromium } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { Workplace } from './a2c.js';
import { loginProcess } from './login-process.js';

verifies('LOGIN-CMD-04', 'a person clicks, and every tool works', async () => {
  const authorization = await startAuthorizationServer();
  const notes = await startNotesServer(authorization);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
    // Containers have no user namespaces and a small /dev/shm. The pages are our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  onTestFinished(async () => {
    await browser.close();
    await notes.close();
    await authorization.close();
  });
  const place = new Workplace({ 'mcp.json': { mcpServers: { notes: { type: 'http', url: notes.url } } } });
  const page = await browser.newPage();
  let title = '';
  const login = await loginProcess(place, ['notes', '--config', 'mcp.json'], async (url) => {
    await page.goto(url);
    await page.click('button'); // Who are you?
    await page.click('button'); // May a2c read notes?
    await page.waitForURL(/127\.0\.0\.1:\d+\/callback/);
    title = await page.title();
  });
  expect(login).toMatchObject({ code: 0, stdout: 'logged in to notes\n' });
  await expect.poll(() => title).toBe('You are logged in');
  const called = await place.a2cWith(
    { A2C_VAULT: 'file' },
    'mcp',
    'call',
    'notes',
    'read',
    '--config',
    'mcp.json',
    '--trust',
  );
  expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('a note') });
});
