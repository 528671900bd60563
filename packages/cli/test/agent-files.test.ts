import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Computer, OfficeLink } from '@a2c/computer';
import { readConfig } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, listen } from '@a2c/server';
import { expect, onTestFinished } from 'vitest';
import { Workplace } from './a2c.js';

const SHELF = fileURLToPath(new URL('../../computer/test/servers/shelf.mjs', import.meta.url));
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

verifies(
  ['MEM-SKILL-02', 'MEM-PUT-01', 'MEM-RES-01'],
  'a2c agent lists and reads skills and resources, and sends files',
  async () => {
    const place = new Workplace({
      'home/user/letters/SKILL.md': '---\ndescription: Writes letters\ntags: [office]\n---\n# Letters\n',
      'note.txt': 'hello',
    });
    const env = { SHELF: JSON.stringify([{ uri: 'file:///a', name: 'A', text: 'contents of A' }]) };
    const parameters = { command: process.execPath, args: [SHELF], env };
    const entry = { name: 'my shelf', type: 'stdio', server_parameters: parameters };
    const { config } = readConfig(JSON.stringify([entry]), { file: 'shelf.json' });
    const listening = await listen({ port: 0, authenticate: allowAnonymous, logger: quiet });
    onTestFinished(() => listening.close());
    const computer = new Computer({
      name: 'pc',
      mcpServers: config?.servers ?? [],
      skills: { home: place.path('home') },
      landingRoot: place.path('landed'),
      logger: quiet,
    });
    onTestFinished(() => computer.close());
    await computer.boot();
    const link = new OfficeLink(computer, { url: listening.url, logger: quiet });
    onTestFinished(() => link.disconnect());
    await link.connect('o');
    await link.joinOffice('o');
    const agent = async (...args: string[]) => {
      const { code, stdout, stderr } = await place.a2c('agent', ...args, '--url', listening.url, '--office', 'o');
      expect(code, stderr).toBe(0);
      return stdout.trimEnd();
    };
    expect(await agent('skills', 'pc')).toBe('letters\tWrites letters\toffice');
    expect(await agent('skill', 'pc', 'letters')).toBe('# Letters');
    expect(await agent('resources', 'pc', 'my_shelf')).toMatch(/^file:\/\/\/a\tA/);
    expect(await agent('resources', 'pc', 'my shelf', 'file:///a')).toBe('contents of A');
    const path = await agent('put', 'pc', 'note.txt');
    expect(path).toMatch(/landed.*_note\.txt$/);
    expect(readFileSync(path, 'utf8')).toBe('hello');
    execFileSync('mkfifo', [place.path('pipe')]);
    const pipe = await place.a2c('agent', 'put', 'pc', 'pipe', '--url', listening.url, '--office', 'o');
    expect([pipe.code, pipe.stderr]).toEqual([2, expect.stringContaining('"pipe" is not a regular file')]);
    const missing = await place.a2c('agent', 'skill', 'pc', 'none', '--url', listening.url, '--office', 'o');
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('Skill not found')]);
  },
);

verifies(['MEM-SKILL-02'], 'the shell of a Computer lists and prints skills', async () => {
  const place = new Workplace({
    '~/skills/user/letters/SKILL.md': '---\ndescription: Writes letters\n---\n# Letters\n',
  });
  const { replies } = await place.replies(['skills', 'skill letters', 'skill none']);
  expect(replies).toMatchObject([
    [{ name: 'letters', description: 'Writes letters' }],
    { name: 'letters', rel_path: 'SKILL.md', body: '# Letters\n' },
    { error: expect.stringContaining('Skill not found') },
  ]);
});
