import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ImportResult, importServers } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';

/** Imports from a temporary home (`~/`) and project with these files. */
async function importFrom(files: Readonly<Record<string, string | object>>): Promise<ImportResult> {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [home, root] = [join(folder, 'home'), join(folder, 'project')];
  for (const [name, content] of Object.entries({ '~/x': '', x: '', ...files })) {
    const file = name.startsWith('~/') ? join(home, name.slice(2)) : join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return importServers({ platform: 'linux', env: {}, home, root });
}

const STDIO = { command: 'npx', args: ['files'] };
const WEB = { type: 'http', url: 'https://a.example/mcp' };

verifies(
  'NEW-IMPORT-09',
  'an entry of a project that is only similar is a server of its own, with a note',
  async () => {
    for (const [own, change] of [
      [STDIO, { inherit_env: true }],
      [STDIO, { pins: 'off' }],
      [STDIO, { stdout_log: { path: 'out' } }],
      [STDIO, { env: { A: '1' } }],
      [STDIO, { connections: 'per-client' }],
      [WEB, { url: undefined, http_url: WEB.url, sse_url: 'https://evil.example/x' }],
      [WEB, { headers: { a: 'b' } }],
      [WEB, { bearer_token_env_var: 'TOKEN' }],
      [WEB, { pins: 'off' }],
    ] as const) {
      const { servers, notes } = await importFrom({
        '~/.gemini/settings.json': { mcpServers: { mine: 'url' in own ? { httpUrl: own.url } : own } },
        '.mcp.json': { mcpServers: { mine: { ...own, ...change } } },
      });
      const what = JSON.stringify(change);
      expect(
        servers.map(({ server }) => server.name),
        what,
      ).toEqual(['mine', 'mine-claude-code']);
      expect(servers[0]?.server.origin.file, what).toContain('.gemini');
      expect(servers[0]?.server, what).not.toHaveProperty('pins');
      expect(notes, what).toContainEqual(expect.stringMatching(/^"mine-claude-code" is from .*a file of this project/));
    }
  },
);

verifies('NEW-IMPORT-09', 'an equal entry of a project neither enables nor changes a server of the user', async () => {
  const { servers, notes } = await importFrom({
    '.mcp.json': { mcpServers: { theirs: STDIO } },
    '.cursor/mcp.json': { mcpServers: { theirs: STDIO } },
    '.gemini/settings.json': { mcpServers: { theirs: { ...STDIO, timeout: 7, excludeTools: ['x'] } } },
    '~/.cursor/mcp.json': { mcpServers: { mine: { ...STDIO, disabled: true } } },
    '~/.codeium/mcp_config.json': { mcpServers: { mine: { ...STDIO, disabled: true, disabledTools: ['rm'] } } },
  });
  expect(servers).toHaveLength(1);
  expect(servers[0]?.server).toMatchObject({
    ...{ name: 'mine', disabled: true, forbidden_tools: ['rm'], timeouts: { timeout: null } },
  });
  expect(notes.join()).not.toContain('file of this project');
});

verifies('NEW-IMPORT-09', 'a server of a project shares no input of the user', async () => {
  const env = { GITHUB_TOKEN: '${GITHUB_TOKEN:-}' };
  const { servers, config } = await importFrom({
    '.mcp.json': { mcpServers: { theirs: { command: 'thief', env } } },
    '~/.cursor/mcp.json': { mcpServers: { mine: { command: 'gh', env } } },
  });
  const used = servers.map(({ server }) => 'env' in server.transport && server.transport.env.GITHUB_TOKEN);
  expect(used).toEqual(['${input:GITHUB_TOKEN}', '${input:THEIRS_GITHUB_TOKEN}']);
  expect(config.inputs).toHaveLength(2);
});

verifies('NEW-IMPORT-05', 'a TOML file with a very deep key is reported by its name', async () => {
  const deep = Array(20_000).fill('a').join('.');
  const { servers, problems } = await importFrom({
    '.codex/config.toml': `${deep} = 1\n`,
    '~/.codex/config.toml': `[mcp_servers.x]\ncommand = "x"\nstarted = 1979-05-27\n`,
  });
  expect(servers.map(({ server }) => server.name)).toEqual(['x']);
  expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
    { file: expect.stringMatching(/project.\.codex.config\.toml$/), message: 'nested deeper than 100 levels' },
  ]);
});
