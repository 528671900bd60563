import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { BINARY, Workplace, workshop } from './a2c.js';

const SECRET = 'ghp_S3CRET';
const github = { command: 'npx', args: ['-y', 'github-server'], env: { GITHUB_TOKEN: SECRET } };
const clients = {
  '~/.cursor/mcp.json': { mcpServers: { github } },
  '~/.config/Claude/claude_desktop_config.json': { mcpServers: { github } },
  '~/.codex/config.toml': '[mcp_servers.github]\nurl = "https://github.example/mcp"\n',
  '.vscode/mcp.json': { servers: { files: { command: 'touch', args: ['started'] } } },
};

interface Shown {
  readonly servers: readonly { readonly name: string; readonly sources: readonly { readonly client: string }[] }[];
  readonly inputs: readonly { readonly id: string; readonly environment: readonly string[] }[];
  readonly written: string | null;
}

describe('import', () => {
  verifies('NEW-IMPORT-03', 'an input without a description is a line without trailing blanks', async () => {
    const inputs = [{ type: 'promptString', id: 'k', description: '' }];
    const files = { command: 'touch', env: { K: `\${input:k}` } };
    const place = new Workplace({ '.vscode/mcp.json': { inputs, servers: { files } } });
    expect((await place.a2c('config', 'import')).stdout).toContain('\n  A2C_SMCP_K\n');
  });

  verifies(
    ['NEW-IMPORT-02', 'NEW-IMPORT-03', 'NEW-IMPORT-04'],
    'lists the servers, their sources, and how to supply the secrets',
    async () => {
      const place = new Workplace(clients);
      const { code, stdout, stderr } = await place.a2c('config', 'import');
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toBe(`github        stdio npx -y github-server  (Claude Desktop, Cursor)
  with the variable GITHUB_TOKEN=\${input:GITHUB_TOKEN}
github-codex  streamable_http https://github.example/mcp  (Codex)
files         stdio touch started  (VS Code)
note: "github" of Codex is called "github-codex": another server has its name
note: "files" is from ${place.path('.vscode/mcp.json')}, a file of this project: use it only if you trust the project

Possible secrets are not written. You are asked for their values, or set these variables:
  A2C_SMCP_GITHUB_TOKEN  GITHUB_TOKEN of github
With --with-secrets, their values are stored for this user.

Nothing was written. To write these servers to one file, run:
  npx a2c config import --write servers.json
`);
      const shown = await place.json<Shown>('config', 'import', '--from', 'cursor', '--from', 'vscode');
      expect(shown.servers.map(({ name, sources }) => [name, sources[0]?.client])).toEqual([
        ['github', 'cursor'],
        ['files', 'vscode'],
      ]);
      expect(shown.inputs).toMatchObject([{ id: 'GITHUB_TOKEN', environment: ['A2C_SMCP_GITHUB_TOKEN'] }]);
      expect(JSON.stringify(shown)).not.toContain(SECRET);
    },
  );

  verifies('NEW-IMPORT-10', 'shows variables, and no lines that a file has forged', async () => {
    const args = ['git.js\n\nwritten to /home/ann/servers.json\nnote: all servers were checked'];
    const env = { NODE_OPTIONS: '--require ./evil.cjs', LD_PRELOAD: './evil.so' };
    const place = new Workplace({ '.mcp.json': { mcpServers: { git: { command: 'node', args, env } } } });
    const { stdout } = await place.a2c('config', 'import', '--write', 'servers.json');
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      String.raw`git  stdio node "git.js\n\nwritten to /home/ann/servers.json\nnote: all servers were checked"  (Claude Code)`,
      '  with the variable NODE_OPTIONS=--require ./evil.cjs',
      '  with the variable LD_PRELOAD=./evil.so',
      expect.stringMatching(/^note: "git" is from .* a file of this project/),
    ]);
    expect(stdout.match(/^written to/gm)).toHaveLength(1);
  });

  verifies(['NEW-IMPORT-06', 'NEW-IMPORT-03'], 'writes a right file for its owner alone, once', async () => {
    const place = new Workplace(clients);
    const { code, stdout } = await place.a2c('config', 'import', '--write', 'servers.json');
    expect(code).toBe(0);
    expect(stdout).toContain(`written to ${place.path('servers.json')}\n`);
    const text = readFileSync(place.path('servers.json'), 'utf8');
    expect(text).toContain('${input:GITHUB_TOKEN}');
    expect(text).not.toContain(SECRET);
    expect(statSync(place.path('servers.json')).mode & 0o777).toBe(0o600);
    const checked = await place.a2c('config', 'check', 'servers.json', '--json');
    expect(JSON.parse(checked.stdout)).toMatchObject([{ ok: true, format: 'a2c', servers: [{}, {}, {}] }]);

    place.write('servers.json', '[]');
    const again = await place.a2c('config', 'import', '--write', 'servers.json');
    expect([again.code, again.stdout]).toEqual([2, '']);
    expect(again.stderr).toBe(
      `${place.path('servers.json')} exists; name another file, or overwrite it with --force\n`,
    );
    expect(readFileSync(place.path('servers.json'), 'utf8')).toBe('[]');
    expect((await place.a2c('config', 'import', '--write', 'servers.json', '--force')).code).toBe(0);
    expect(readFileSync(place.path('servers.json'), 'utf8')).toBe(text);
  });

  verifies('NEW-IMPORT-06', 'replaces a link and not the file that it leads to, for the owner alone', async () => {
    const place = new Workplace({ ...clients, '~/.bashrc': 'alias ll="ls -l"' });
    symlinkSync(place.path('~/.bashrc'), place.path('servers.json'));
    const write = ['config', 'import', '--write', 'servers.json'];
    expect((await place.a2c(...write)).code).toBe(2);
    expect((await place.a2c(...write, '--force')).code).toBe(0);
    expect(readFileSync(place.path('~/.bashrc'), 'utf8')).toBe('alias ll="ls -l"');
    const written = lstatSync(place.path('servers.json'));
    expect([written.isFile(), written.mode & 0o777]).toEqual([true, 0o600]);

    chmodSync(place.path('servers.json'), 0o644);
    expect((await place.a2c(...write, '--force')).code).toBe(0);
    expect(lstatSync(place.path('servers.json')).mode & 0o777).toBe(0o600);
  });

  verifies('NEW-IMPORT-08', 'stores the secrets on request, and every command uses them', async () => {
    const url = 'https://bob:hunter2secret@db.example/mcp';
    const { server_parameters } = workshop('w') as { server_parameters: { command: string; args: string[] } };
    const server = { ...server_parameters, env: { API_TOKEN: 's3cr3t-t0ken' } };
    const place = new Workplace({ '~/.cursor/mcp.json': { mcpServers: { shop: server, db: { url } } } });
    const write = ['config', 'import', '--write', 'servers.json'];
    expect(await place.a2c('config', 'import', '--with-secrets')).toMatchObject({ code: 2 });
    const { stdout } = await place.a2cWith({ A2C_VAULT: 'file' }, ...write, '--with-secrets', '--json');
    const { inputs, stored, stored_in } = JSON.parse(stdout);
    expect(stored_in).toBe('file');
    expect(inputs).toMatchObject([{ description: 'API_TOKEN of shop' }, { description: 'url user:password of db' }]);
    expect(statSync(stored).mode & 0o777).toBe(0o600);
    expect(readFileSync(place.path('servers.json'), 'utf8')).not.toMatch(/s3cr3t|hunter2/);
    expect(stdout).not.toMatch(/s3cr3t|hunter2/);

    const call = ['mcp', 'call', 'shop', 'environment', 'name=API_TOKEN', '--config', 'servers.json', '--trust'];
    expect((await place.a2c(...call)).stdout).toContain('s3cr3t-t0ken');
    const shell = await place.replies(['tc environment name=API_TOKEN'], ['-c', 'servers.json', '--confirm', 'allow']);
    expect(JSON.stringify(shell.replies)).toContain('s3cr3t-t0ken');
    // The proxy finds them: an entry that passes variables on would replace them by empty ones.
    const entry = await place.a2c('config', 'export', 'servers.json', '--for', 'cursor');
    expect([entry.code, entry.stdout]).toEqual([0, expect.not.stringContaining('A2C_SMCP')]);
    // The values belong to the file: a copy cannot use them.
    place.write('copy.json', readFileSync(place.path('servers.json'), 'utf8'));
    const copied = await place.a2c(...call.map((word) => (word === 'servers.json' ? 'copy.json' : word)));
    expect([copied.code, copied.stderr]).toEqual([2, expect.stringContaining('A2C_SMCP_API_TOKEN')]);
  });

  verifies('NEW-IMPORT-07', 'starts no server', async () => {
    const place = new Workplace(clients);
    await place.a2c('config', 'import', '--write', 'servers.json');
    expect(existsSync(place.path('started'))).toBe(false);
  });

  verifies(
    'NEW-IMPORT-05',
    'an invalid file is reported; if there is none, the searched files are listed',
    async () => {
      const place = new Workplace({ '~/.cursor/mcp.json': '{ "mcpServers": {', '.mcp.json': { a: { command: 'x' } } });
      const { code, stdout, stderr } = await place.a2c('config', 'import');
      expect([code, stdout.split('\n')[0]]).toEqual([0, 'a  stdio x  (Claude Code)']);
      expect(stderr).toMatch(/\.cursor\/mcp\.json:1:\d+: error: not JSON/);
      const none = await new Workplace().a2c('config', 'import', '--from', 'gemini', '--write', 'servers.json');
      expect([none.code, none.stdout]).toEqual([1, '']);
      expect(none.stderr).toContain('/.gemini/settings.json\n');
    },
  );

  verifies('NEW-IMPORT-05', 'an unknown client is an error of the command line', async () => {
    const place = new Workplace();
    const { code, stderr } = await place.a2c('config', 'import', '--from', 'emacs');
    expect(code).toBe(2);
    expect(stderr).toContain('claude-desktop, claude-code, cursor, vscode, windsurf, codex, gemini');
    expect((await place.a2c('config', 'import', '--force')).code).toBe(2);
  });
});

describe('export', () => {
  const stdio = { name: 's', type: 'stdio', server_parameters: { command: 'x', env: { K: '${input:key}' } } };
  const servers = { servers: [stdio], inputs: [{ id: 'key', type: 'promptString', description: '', password: true }] };

  verifies('NEW-EXPORT-04', 'the entry for a file that was found trusts nothing', async () => {
    const place = new Workplace({ '.mcp.json': { mcpServers: { s: { command: 'x' } } } });
    const exported = () => place.a2c('config', 'export', '--for', 'claude');
    const { stdout, stderr } = await exported();
    expect(JSON.parse(stdout).mcpServers.a2c.args).toEqual([BINARY, 'proxy', '--root', place.folder]);
    expect(stderr).toContain('starts no server of');
    expect(stderr).toContain('a2c config trust');
    await place.a2c('config', 'trust', '.mcp.json');
    expect((await exported()).stderr).not.toContain('starts no server of');
  });

  verifies('NEW-EXPORT-01', 'an entry with absolute paths on stdout, where to put it on stderr', async () => {
    const place = new Workplace({ 'servers.json': servers });
    const args = [BINARY, 'proxy', '--config', place.path('servers.json')];
    const env = { A2C_HOME: place.home };
    const { code, stdout, stderr } = await place.a2c('config', 'export', 'servers.json', '--for', 'claude');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { a2c: { command: process.execPath, args, env } } });
    expect(stderr).toContain('claude_desktop_config.json (Claude Desktop), instead of the servers');
    expect(stderr).toContain('A2C_SMCP_KEY');
    const vscode = await place.a2c('config', 'export', 'servers.json', '--for', 'vscode', '--name', 'mine');
    expect(JSON.parse(vscode.stdout)).toEqual({
      servers: {
        mine: { type: 'stdio', command: process.execPath, args, env: { ...env, A2C_SMCP_KEY: '${input:key}' } },
      },
      inputs: [{ id: 'key', type: 'promptString', description: '', password: true }],
    });
  });

  verifies('NEW-EXPORT-02', 'Codex gets TOML, with the path of its file', async () => {
    const place = new Workplace({ 'servers.json': servers });
    const { code, stdout, stderr } = await place.a2c('config', 'export', 'servers.json', '--for', 'codex');
    expect([code, stdout.split('\n')[0]]).toEqual([0, '[mcp_servers.a2c]']);
    expect(stdout).toContain('env_vars = [ "A2C_SMCP_KEY" ]');
    expect(stderr).toContain('config.toml (Codex)');
    expect(stderr).toContain('set these variables in the environment of Codex: A2C_SMCP_KEY\n');
    const office = await place.a2c('config', 'export', '--for', 'codex', '--url', 'http://x', '--office', 'o');
    expect(office.stderr).toContain('if the server requires a key, add env_vars = ["A2C_API_KEY"] to the entry');
  });

  verifies('NEW-EXPORT-01', 'the entry starts an MCP server', async () => {
    const place = new Workplace({ 'servers.json': [workshop('w')] });
    const { stdout } = await place.a2c('config', 'export', 'servers.json', '--for', 'claude');
    const { mcpServers } = JSON.parse(stdout) as { mcpServers: { a2c: { command: string; args: string[] } } };
    // A client starts it in another folder.
    const child = spawn(mcpServers.a2c.command, mcpServers.a2c.args, { cwd: place.home });
    onTestFinished(() => void child.kill('SIGKILL'));
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect(JSON.parse(String(line))).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  verifies('NEW-EXPORT-01', 'an office instead of a file', async () => {
    const place = new Workplace();
    const office = ['--url', 'http://127.0.0.1:7000', '--office', 'home'];
    expect((await place.a2c('config', 'export', '--for', 'cursor', ...office)).stderr).toContain('A2C_API_KEY');
    const { client, file, entry } = await place.json<Record<string, unknown>>(
      ...['config', 'export', '--for', 'cursor', ...office],
    );
    expect([client, file]).toEqual(['cursor', place.path('~/.cursor/mcp.json')]);
    const args = [BINARY, 'proxy', ...office];
    const env = { A2C_HOME: place.home };
    expect(entry).toEqual({ mcpServers: { a2c: { command: process.execPath, args, env } } });
  });

  verifies('NEW-EXPORT-01', 'an invalid file or an incomplete office is rejected', async () => {
    const place = new Workplace({ 'bad.json': '[' });
    for (const args of [
      ['bad.json'],
      ['none.json'],
      ['--url', 'http://x'],
      ['bad.json', '--url', 'http://x', '--office', 'o'],
    ]) {
      const { code, stdout } = await place.a2c('config', 'export', '--for', 'claude', ...args);
      expect([code, stdout]).toEqual([2, '']);
    }
    const noUrl = ['--url', 'foo', '--office', 'o'];
    const stderr = '"foo" is not a URL; did you mean https://foo?\n';
    expect(await place.a2c('config', 'export', '--for', 'claude', ...noUrl)).toEqual({ code: 2, stdout: '', stderr });
  });
});
