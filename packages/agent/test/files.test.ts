import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { agentAt, next, serve } from './harness.js';
import { realComputer } from './real-computer.js';

const SHELF = fileURLToPath(new URL('../../computer/test/servers/shelf.mjs', import.meta.url));

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'a2c-agent-files-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** An MCP server with these resources, in pages of two. */
function shelf(resources: readonly object[]) {
  const file = join(folder(), 'shelf.json');
  writeFileSync(file, JSON.stringify(resources));
  const env = { SHELF: `@${file}`, SHELF_PAGE: '2' };
  const server_parameters = { command: process.execPath, args: [SHELF], env };
  const entry = { name: 'my shelf', type: 'stdio', server_parameters, default_tool_meta: { auto_apply: true } };
  return readConfig(JSON.stringify([entry]), { file: 'shelf.json' }).config?.servers ?? [];
}

describe('files of a Computer, through the Server', () => {
  verifies(
    ['MEM-SKILL-02', 'MEM-SKILL-04'],
    'skills are listed, read in full, and their changes reported',
    async () => {
      const { url } = await serve();
      const home = folder();
      const write = (path: string, content: string | Buffer) => {
        mkdirSync(join(home, 'user/letters', path, '..'), { recursive: true });
        writeFileSync(join(home, 'user/letters', path), content);
      };
      const picture = randomBytes(3_000_000);
      const long = '文'.repeat(40_000);
      write('SKILL.md', '---\ndescription: Writes letters\ntags: [office]\n---\n# Letters\n');
      write('logo.png', picture);
      write('long.md', long);
      await realComputer(url, { own: { skills: { home }, limits: { skillDebounceMs: 10, skillStartMs: 100_000 } } });
      const agent = await agentAt(url);
      expect(await agent.skills('pc')).toMatchObject([
        { name: 'letters', source: 'user', description: 'Writes letters', tags: ['office'], path: expect.any(String) },
      ]);
      expect(await agent.skill('pc', 'letters')).toMatchObject({ text: '# Letters\n', mimeType: 'text/markdown' });
      expect((await agent.skill('pc', 'letters', 'long.md')).text).toBe(long);
      expect(Buffer.from((await agent.skill('pc', 'letters', 'logo.png')).bytes).equals(picture)).toBe(true);
      await expect(agent.skill('pc', 'letters', '../x')).rejects.toMatchObject({
        kind: 'SkillResourceNotAccessible',
        details: { reason: 'traversal' },
      });
      await expect(agent.skill('pc', 'none')).rejects.toMatchObject({ kind: 'MCPServerNotFound' });
      await expect(agent.skill('pc', 'No!')).rejects.toMatchObject({ kind: 'InvalidSkillName' });
      const changed = next(agent, 'skillsChanged');
      write('SKILL.md', '---\ndescription: Writes mails\n---\n');
      expect(await changed).toEqual({ computer: 'pc' });
      expect(await agent.skills('pc')).toMatchObject([{ description: 'Writes mails' }]);
    },
  );

  verifies(
    'MEM-RES-01',
    'resources are listed page by page, by bundle id or name, and read whatever their size',
    async () => {
      const { url } = await serve();
      const blob = randomBytes(2_000_000).toString('base64');
      const resources = [
        { uri: 'file:///a', name: 'A', description: 'First', mimeType: 'text/plain', text: 'aaa', size: 3 },
        { uri: 'file:///b', text: 'b'.repeat(1_500_000) },
        { uri: 'file:///c', blob },
      ];
      await realComputer(url, { own: { mcpServers: shelf(resources) } });
      const agent = await agentAt(url);
      const first = await agent.resources('pc', 'my_shelf');
      expect(first).toEqual({
        resources: [
          { uri: 'file:///a', name: 'A', description: 'First', mime_type: 'text/plain', size: 3 },
          { uri: 'file:///b', name: 'file:///b' },
        ],
        nextCursor: '2',
      });
      expect(await agent.resources('pc', 'my shelf', { cursor: '2' })).toEqual({
        resources: [{ uri: 'file:///c', name: 'file:///c' }],
      });
      expect(await agent.readResource('pc', 'my_shelf', 'file:///a')).toMatchObject([
        { uri: 'file:///a', text: 'aaa' },
      ]);
      expect(await agent.readResource('pc', 'my_shelf', 'file:///b')).toMatchObject([{ text: resources[1]?.text }]);
      expect(await agent.readResource('pc', 'my_shelf', 'file:///c')).toMatchObject([{ blob }]);
      await expect(agent.readResource('pc', 'my_shelf', 'file:///none')).rejects.toMatchObject({ kind: 'NotFound' });
      await expect(agent.resources('pc', 'none')).rejects.toMatchObject({ kind: 'MCPServerNotFound' });
    },
  );

  verifies('MEM-PUT-01', 'a file arrives whole at the Computer, and a refusal has its reason', async () => {
    const { url } = await serve();
    const root = folder();
    await realComputer(url, { own: { landingRoot: root, limits: { uploadBytes: 4_000_000 } } });
    await realComputer(url, { name: 'closed' });
    const agent = await agentAt(url);
    const data = randomBytes(1_700_000);
    const sent: number[] = [];
    const landed = await agent.putBlob('pc', data, { name: 'my photo.png', onProgress: (bytes) => sent.push(bytes) });
    expect(landed).toMatchObject({ size: data.length, path: expect.stringMatching(/_my_photo\.png$/) });
    expect(readFileSync(landed.path).equals(data)).toBe(true);
    expect(sent.at(-1)).toBe(data.length);
    expect(sent.length).toBeGreaterThan(2);
    expect((await agent.putBlob('pc', Buffer.from('x'))).size).toBe(1);
    await expect(agent.putBlob('pc', randomBytes(4_000_001))).rejects.toMatchObject({
      kind: 'BlobWriteFailed',
      details: { reason: 'too_large' },
    });
    await expect(agent.putBlob('closed', data)).rejects.toMatchObject({ details: { reason: 'forbidden' } });
    await expect(agent.putBlob('pc', Buffer.alloc(0))).rejects.toThrow('an empty file cannot be sent');
    expect(readdirSync(join(root, '.a2c-upload'))).toEqual([]);
  });
});
