import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { listen } from '@a2c/server';
import { expect, onTestFinished } from 'vitest';
import { OWN } from './sdk/own-roles.js';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const TOOLS_SERVER = fileURLToPath(new URL('sdk/tools-server.mjs', import.meta.url));

verifies('GEN-SCOPE-01', 'an Agent sees and uses only the tools and MCP servers of its key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-scope-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const listening = await listen({
    port: 0,
    logger: quiet,
    authenticate: async ({ auth }) =>
      auth.api_key === 'guest'
        ? { subject: 'guest', servers: ['!more_tools'], tools: ['!fail'] }
        : { subject: 'owner' },
  });
  onTestFinished(() => listening.close());
  const tools = [process.execPath, TOOLS_SERVER];
  const computer = await OWN.computer({ name: 'pc', folder, stdio: ['my tools', 'more tools'], tools, http: {} });
  onTestFinished(() => computer.stop());
  await computer.join(listening.url, 'o');
  const as = async (apiKey: string) => {
    const agent = await Agent.connect({ url: listening.url, office: 'o', name: apiKey, apiKey });
    onTestFinished(() => agent.close());
    await agent.ready();
    return agent;
  };

  const guest = await as('guest');
  const names = guest.computers.get('pc')?.tools.map(({ name }) => name) ?? [];
  expect(names).toContain('add');
  expect(names.filter((name) => /more|fail/.test(name))).toEqual([]);
  expect(Object.keys((await guest.getConfig('pc')).servers)).toEqual(['my_tools']);
  const guestWindows = await guest.getDesktop('pc');
  for (const tool of ['more_tools__add', 'more tools.add', 'fail', 'my_tools__fail'])
    await expect(guest.callTool('pc', tool, { a: 1, b: 2 })).rejects.toMatchObject({
      code: expect.toBeOneOf([403, 404]),
    });
  for (const server of ['more tools', 'more_tools'])
    await expect(guest.resources('pc', server)).rejects.toMatchObject({ code: 403 });
  await expect(guest.skill('pc', 'mcp:more_tools:x')).rejects.toMatchObject({ code: 403 });
  expect((await guest.callTool('pc', 'add', { a: 1, b: 2 })).content[0]?.text).toBe('3');
  await guest.close();

  const owner = await as('owner');
  expect((await owner.getDesktop('pc')).length).toBe(2 * guestWindows.length);
  expect(Object.keys((await owner.getConfig('pc')).servers)).toHaveLength(2);
});
