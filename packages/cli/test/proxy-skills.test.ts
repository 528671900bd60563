import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Computer, OfficeLink } from '@a2c/computer';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, listen } from '@a2c/server';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished } from 'vitest';
import { COMMAND, Workplace } from './a2c.js';

const SHELF = fileURLToPath(new URL('../../computer/test/servers/shelf.mjs', import.meta.url));
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** `a2c proxy …` as a client starts it; `TMPDIR` is a folder of the test. */
async function proxy(place: Workplace, ...args: string[]) {
  const env = { ...(process.env as Record<string, string>), A2C_HOME: place.home, TMPDIR: place.path('tmp') };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, 'proxy', ...args],
    cwd: place.folder,
    env,
  });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  const inspect = async (given: Record<string, unknown>) => {
    const { content } = await client.callTool({ name: 'inspect', arguments: { server_name: '*', ...given } });
    return (content as { text: string }[])[0]?.text;
  };
  return { client, inspect };
}

const LETTERS = '---\ndescription: Writes letters\n---\n# Letters\n';

verifies(
  ['MEM-SKILL-07', 'CHOICE-STABLE-03'],
  'a2c proxy shows the skills of the user and of its MCP servers, from the first list of tools on',
  async () => {
    const skill = { uri: 'skill://shelf/tidy', name: 'tidy', _meta: { source: 'resources' } };
    const entry = '---\nname: tidy\ndescription: Tidies up\n---\n# Tidy\n';
    const env = {
      SHELF: JSON.stringify([skill, { uri: 'skill://shelf/tidy/SKILL.md', name: 'entry', text: entry }]),
    };
    const place = new Workplace({
      'mcp.json': { mcpServers: { shelf: { command: process.execPath, args: [SHELF], env } } },
      '~/skills/user/letters/SKILL.md': LETTERS,
      '~/skills/user/letters/forms/a.md': 'Dear Sir',
      'tmp/keep': '',
    });
    const { client, inspect } = await proxy(place, '--config', 'mcp.json');
    expect((await client.listTools()).tools[0]?.inputSchema.properties).toHaveProperty('skill_name');
    await expect
      .poll(() => inspect({ list: 'skills' }))
      .toBe(
        '2 skills. Read one with skill_name, before you do such a task.\n- letters: Writes letters\n- mcp:shelf:tidy: Tidies up',
      );
    expect(await inspect({ skill_name: 'letters' })).toBe('# Letters\n');
    expect(await inspect({ skill_name: 'letters/forms/a.md' })).toBe('Dear Sir');
    expect(await inspect({ skill_name: 'letters/../../../mcp.json' })).toContain('not accessible');
    expect(await inspect({ skill_name: 'mcp:shelf:tidy' })).toBe('# Tidy\n');
    await client.close();
    await expect.poll(() => readdirSync(place.path('tmp'))).toEqual(['keep']);

    const without = await proxy(place, '--config', 'mcp.json', '--no-skills');
    expect(await without.inspect({ list: 'skills' })).toBe('There are no skills here.');
  },
);

verifies('MEM-SKILL-07', 'a2c proxy shows the skills of the Computers of an office', async () => {
  const place = new Workplace({ 'home/user/letters/SKILL.md': LETTERS, 'tmp/keep': '' });
  const listening = await listen({ port: 0, authenticate: allowAnonymous, logger: quiet });
  onTestFinished(() => listening.close());
  const computer = new Computer({ name: 'pc', skills: { home: place.path('home') }, logger: quiet });
  onTestFinished(() => computer.close());
  await computer.boot();
  const link = new OfficeLink(computer, { url: listening.url, logger: quiet });
  onTestFinished(() => link.disconnect());
  await link.connect('o');
  await link.joinOffice('o');
  const { inspect } = await proxy(place, '--url', listening.url, '--office', 'o');
  expect(await inspect({ list: 'skills' })).toContain('- pc/letters: Writes letters');
  expect(await inspect({ skill_name: 'pc/letters' })).toBe('# Letters\n');
  const { code, stderr } = await place.a2c('proxy', '--url', listening.url, '--office', 'o', '--no-skills');
  expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be combined')]);
});
