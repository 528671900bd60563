import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { COMMAND, Workplace } from './a2c.js';

interface Verdict {
  readonly ok: boolean;
  readonly format: string | null;
  readonly trusted: boolean;
  readonly problems: readonly { readonly pointer: string; readonly line: number; readonly severity: string }[];
  readonly servers: readonly { readonly refusals: readonly { readonly rule: string; readonly allow_with: string }[] }[];
}

const good = { s: { command: 'node', args: ['x.js'], env: { TOKEN: 'S3CRET' } } };
const bad = '{\n  "version": 1,\n  "servers": {\n    "a": { "transport": "stdio", "argvv": ["S3CRET"] }\n  }\n}';
const remote = (url: string) => ({ mcpServers: { s: { type: 'http', url } } });

describe('check', () => {
  verifies(
    ['CONF-CLI-01', 'CONF-TRUST-03'],
    'a valid file: exit code 0, and what needs trust, with the command that grants it',
    async () => {
      const place = new Workplace({ 'mcp.json': good });
      const { code, stdout, stderr } = await place.a2c('config', 'check');
      expect(code).toBe(0);
      const file = place.path('mcp.json');
      const rule = `(rule spawn; allowed by --trust, or npx a2c config trust ${file})`;
      expect(stdout).toBe(
        `${file}: ok (server-map, 1 server)\n  s: stdio, needs trust: would start a program ${rule}\n`,
      );
      expect(stderr).toBe('');
      place.write('http.json', remote('http://example.com/mcp'));
      expect((await place.a2c('config', 'check', 'http.json')).stdout).toContain(
        `the URL is not https (rule https-only; allowed by --trust, or npx a2c config trust ${place.path('http.json')})`,
      );
    },
  );

  verifies('CONF-CLI-01', 'an invalid file: exit code 2 and every problem with its position', async () => {
    const place = new Workplace({ 'bad.json': bad });
    const { code, stdout, stderr } = await place.a2c('config', 'check', 'bad.json');
    expect(code).toBe(2);
    expect(stdout).toBe(`${place.path('bad.json')}: wrong\n`);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `${place.path('bad.json')}:4:5: error at /servers/a/argv: "argv" is missing`,
      `${place.path('bad.json')}:4:34: error at /servers/a/argvv: unknown key "argvv"; did you mean "argv"?; allowed: transport, argv, inherit_env, env, stdout_log`,
    ]);
    expect(stderr).not.toContain('S3CRET');
  });

  verifies('NEW-CLI-07', 'check: reports patterns that match no server', async () => {
    const place = new Workplace({
      'mcp.json': {
        mcpServers: { github: { url: 'https://example.com/mcp' }, mail: { url: 'https://example.com/mail' } },
        denied_tools: ['github', 'github/delete_*', 'mail/*', '*', '*_issue', 'git*', 'gihtub/delete_repo'],
        toolsets: { read: { allow: ['mial', 'github/get'], deny: ['letters'] } },
      },
    });
    const { code, stderr } = await place.a2c('config', 'check');
    expect(code).toBe(0);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining('at /denied_tools/6: "gihtub/delete_repo" matches no server of this file; a pattern'),
      expect.stringMatching(/at \/toolsets\/read\/allow\/0: "mial" matches .*; did you mean "mail"\?$/),
      expect.stringContaining('at /toolsets/read/deny/0: "letters" matches no server of this file, unless it is'),
    ]);
  });

  verifies('CONF-CLI-01', 'no file: exit code 2', async () => {
    const { code, stdout, stderr } = await new Workplace().a2c('config', 'check');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('no configuration found');
  });

  verifies('CONF-CLI-01', 'several files, one of them invalid, as JSON', async () => {
    const place = new Workplace({ 'good.json': good, 'bad.json': bad });
    const { code, stdout, stderr } = await place.a2c('config', 'check', 'good.json', 'bad.json', 'none.json', '--json');
    const verdicts = JSON.parse(stdout) as Verdict[];
    expect([code, stderr]).toEqual([2, '']);
    expect(verdicts.map(({ ok, format }) => [ok, format])).toEqual([
      [true, 'server-map'],
      [false, null],
      [false, null],
    ]);
    expect(verdicts[1]?.problems.map(({ pointer, line }) => [pointer, line])).toEqual([
      ['/servers/a/argv', 4],
      ['/servers/a/argvv', 4],
    ]);
  });

  verifies('CONF-CLI-01', 'the examples of the documentation and the files of other tools', async () => {
    const a2cInput = { id: 'API_TOKEN', type: 'promptString', description: 'API token', default: null, password: true };
    const stdio = { name: 's', type: 'stdio', server_parameters: { command: 'node', args: [], env: null, cwd: null } };
    const place = new Workplace({
      'v1.json': { version: 1, servers: { s: { transport: 'unix', unix_path: '/tmp/mcp.sock' } } },
      'claude_desktop_config.json': { mcpServers: { s: { command: 'node' } }, globalShortcut: '' },
      '.mcp.json': { s: { type: 'stdio', command: 'node', args: ['s.js'], env: {} } },
      'cursor.json': { mcpServers: { s: { url: 'http://localhost:3000/mcp', headers: { KEY: '${env:KEY}' } } } },
      'vscode.json':
        '{ // comment\n "servers": { "s": { "type": "http", "url": "https://e.example" }, }, "inputs": [] }',
      'servers.json': [stdio],
      'inputs.json': [a2cInput],
      'mcpx.json': {
        mcpServers: { s: { type: 'http', url: 'http://127.0.0.1:1/sse' } },
        toon_compression_enabled: true,
      },
    });
    const files = ['v1.json', 'claude_desktop_config.json', '.mcp.json', 'cursor.json', 'vscode.json'];
    const verdicts = await place.json<Verdict[]>(
      'config',
      'check',
      ...files,
      'servers.json',
      'inputs.json',
      'mcpx.json',
    );
    expect(verdicts.map(({ format }) => format)).toEqual([
      ...['v1', 'mcpServers', 'server-map', 'mcpServers', 'vscode'],
      ...['a2c', 'a2c', 'mcpx'],
    ]);
    expect(verdicts.flatMap(({ problems }) => problems)).toEqual([]);
  });

  verifies('CONF-CLI-06', 'a log path that the start would reject', async () => {
    const place = new Workplace();
    const server = (path: string) => ({ s: { command: 'node', stdout_log: { path } } });
    place.write('outside.json', server('/somewhere/else.log'));
    place.write('inside.json', server('logs/s.log'));
    const outside = await place.a2c('config', 'check', 'outside.json');
    expect([outside.code, outside.stdout]).toEqual([2, `${place.path('outside.json')}: wrong\n`]);
    expect(outside.stderr).toContain(
      `error: server "s": the stdout_log /somewhere/else.log is outside of ${place.folder}: choose a path below it`,
    );
    expect((await place.a2c('config', 'check', 'inside.json')).code).toBe(0);
    mkdirSync(place.path('real'));
    symlinkSync('real', place.path('logs'));
    const linked = await place.a2c('config', 'check', 'inside.json');
    expect([linked.code, linked.stderr]).toEqual([2, expect.stringContaining('goes through the symbolic link')]);
  });

  verifies(
    'COST-FILE-02',
    'a VRL program of a file that was found is compiled only if the file is trusted',
    async () => {
      const place = new Workplace({
        '.mcp.json': { servers: [{ name: 's', type: 'stdio', command: 'node', vrl: '.x =' }] },
      });
      const check = async (...more: string[]) => {
        const { stdout } = await place.a2c('config', 'check', ...more, '--json');
        return JSON.parse(stdout)[0];
      };
      expect(await check()).toMatchObject({ ok: true, problems: [] });
      expect(await check('--trust')).toMatchObject({
        ok: false,
        problems: [{ message: expect.stringContaining('VRL 1:') }],
      });
      expect(await check('.mcp.json')).toMatchObject({ ok: false, problems: [{ pointer: '/servers/0/vrl' }] });
    },
  );

  verifies('CONF-CLI-01', 'a VRL program is checked by the compiler', async () => {
    const server = (vrl: string) => ({ name: 's', type: 'stdio', command: 'node', vrl });
    const place = new Workplace({
      'right.json': server('.done = true'),
      'wrong.json': server('.done = parse_json(.x)'),
    });
    const verdicts = await place.json<Verdict[]>('config', 'check', 'right.json', 'wrong.json');
    expect(verdicts.map(({ ok }) => ok)).toEqual([true, false]);
    expect(verdicts[1]?.problems).toMatchObject([{ pointer: '/vrl', message: expect.stringMatching(/^VRL 1:\d+: /) }]);
  });

  verifies(['CONF-CLI-01', 'SEC-TEXT-01'], 'an untrusted file cannot control the terminal', async () => {
    const place = new Workplace({ 'mcp.json': { 'a\u001b[2J\u202e': { command: 'node', 'b\u009b1m\r': 1 } } });
    const { stdout, stderr } = await place.a2c('config', 'check');
    expect(stderr).toContain('a\\u001b[2J\\u202e');
    expect(stderr).toContain('b\\u009b1m\\u000d');
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });

  verifies(['KIT-FIND-01', 'KIT-FIND-02'], 'the root, its candidates, and --config', async () => {
    const place = new Workplace({ '.mcp.json': good, 'mcp.json': bad, 'other.json': [] });
    expect((await place.a2c('config', 'check')).code).toBe(0);
    expect((await place.a2c('config', 'check', '--config', 'mcp.json')).code).toBe(2);
    const elsewhere = new Workplace();
    expect((await elsewhere.json<Verdict[]>('config', 'check', '--root', place.folder))[0]?.format).toBe('server-map');
    const relative = await elsewhere.json<Verdict[]>(
      'config',
      'check',
      '--root',
      place.folder,
      '--config',
      'other.json',
    );
    expect(relative[0]?.format).toBe('a2c');
    const nothing = await elsewhere.a2c('config', 'check');
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('looked for .mcp.json and mcp.json')]);
  });

  verifies(['KIT-HTTP-10', 'CONF-TRUST-03'], 'every flag opens what it names', async () => {
    const hosts = {
      local: 'https://localhost/',
      private: 'https://10.0.0.1/',
      public: 'https://e.example/',
      unsafe: 'http://e.example/',
    };
    const entries = Object.entries(hosts).map(([name, url]) => [name, { type: 'http', url }]);
    const place = new Workplace({ 'mcp.json': { mcpServers: Object.fromEntries(entries) } });
    const remedies = async (...flags: string[]) => {
      const [verdict] = await place.json<Verdict[]>('config', 'check', ...flags);
      return verdict?.servers.map(({ refusals }) => refusals.map(({ allow_with }) => allow_with).join());
    };
    const [none, narrowed, local, open, both, trusted] = await Promise.all([
      remedies(),
      remedies('--allow-host', 'localhost'),
      remedies('--allow-localhost'),
      remedies('--allow-private-ip', '--no-dns-check'),
      remedies('--allow-host', 'a.example', '--allow-host', 'e.example'),
      remedies('--trust'),
    ]);
    expect(none).toEqual(['--allow-localhost', '--allow-private-ip', '', '--trust']);
    expect(narrowed).toEqual(['--allow-localhost', '--allow-host 10.0.0.1', '--allow-host e.example', '--trust']);
    expect(local).toEqual(['', '--allow-private-ip', '', '--trust']);
    expect(open).toEqual(['--allow-localhost', '', '', '--trust']);
    expect(both).toEqual(['--allow-localhost', '--allow-host 10.0.0.1', '', '--trust']);
    expect(trusted).toEqual(['', '', '', '']);
  });

  verifies('CONF-TRUST-03', 'host names are resolved on request', async () => {
    const place = new Workplace({ 'mcp.json': remote('https://localhost/') });
    const [verdict] = await place.json<Verdict[]>('config', 'check', '--allow-localhost', '--dns-check');
    expect(verdict?.servers[0]?.refusals).toMatchObject([
      { rule: 'private-address', allow_with: '--allow-private-ip' },
    ]);
  });
});

describe('trust', () => {
  verifies(['CONF-TRUST-01', 'CONF-TRUST-02'], 'is granted to a file as it is, and ends with an edit', async () => {
    const place = new Workplace({ 'mcp.json': good });
    const trusted = async () => (await place.json<Verdict[]>('config', 'check'))[0]?.trusted;
    expect(await trusted()).toBe(false);
    const { code, stdout } = await place.a2c('config', 'trust', 'mcp.json');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^trusted .*mcp\.json \(sha256 [0-9a-f]{64}\)\n$/)]);
    expect(await trusted()).toBe(true);
    place.write('mcp.json', { ...good, more: { command: 'x' } });
    expect(await trusted()).toBe(false);
    expect(await place.json('config', 'trust', 'mcp.json')).toEqual({
      trusted: [{ file: place.path('mcp.json'), sha256: expect.any(String) }],
    });
  });

  verifies('CONF-TRUST-02', 'is not granted to an invalid file', async () => {
    const place = new Workplace({ 'bad.json': bad });
    expect((await place.a2c('config', 'trust', 'bad.json')).code).toBe(2);
  });
});

describe('show', () => {
  verifies('CONF-SHOW-01', 'prints the model with secrets masked', async () => {
    const place = new Workplace({ 'mcp.json': good });
    const { code, stdout } = await place.a2c('config', 'show');
    expect(code).toBe(0);
    expect(stdout).toBe(
      `${place.path('mcp.json')} (server-map, untrusted)\n\ns: stdio\n  run: node x.js\n  env: TOKEN=********\n  env: only basic variables are inherited\n`,
    );
    const model = await place.json<{ servers: { transport: { env: object } }[] }>('config', 'show', 'mcp.json');
    expect(model).toMatchObject({ format: 'server-map', trusted: false, inputs: [], client: null, proxy: null });
    expect(model.servers[0]?.transport.env).toEqual({ TOKEN: '********' });
  });
});

describe('convert', () => {
  verifies('CONF-CLI-02', 'prints the document on stdout and the losses on stderr', async () => {
    const place = new Workplace({ 'mcp.json': { s: { command: 'x', timeout: 5 } } });
    const { code, stdout, stderr } = await place.a2c('config', 'convert', 'mcp.json', '--to', 'v1');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ version: 1, servers: { s: { transport: 'stdio', argv: ['x'] } } });
    expect(stderr).toBe('not carried over: s: timeout: v1 has no such field\n');
    expect(await place.json('config', 'convert', 'mcp.json', '--to', 'mcpServers')).toEqual({
      document: { mcpServers: { s: { type: 'stdio', command: 'x', args: [], timeout: 'PT5S' } } },
      losses: [],
    });
  });
});

describe('schema', () => {
  verifies('CONF-CLI-03', 'lists the names and prints one', async () => {
    const place = new Workplace();
    const [names, list, v1] = await Promise.all([
      place.a2c('config', 'schema'),
      place.json('config', 'schema'),
      place.a2c('config', 'schema', 'v1'),
    ]);
    expect(names.stdout).toBe('v1\na2c-servers\na2c-inputs\n');
    expect(list).toEqual(['v1', 'a2c-servers', 'a2c-inputs']);
    expect(JSON.parse(v1.stdout)).toMatchObject({ title: 'mcp.json v1' });
  });
});

describe('the command line', () => {
  const commands = ['check', 'show', 'convert', 'schema', 'trust'];

  verifies('CONF-CLI-04', 'every command has help with an example, and --json', async () => {
    const place = new Workplace();
    const paths = [[], ['config'], ...commands.map((command) => ['config', command])];
    const helps = await Promise.all(paths.map((path) => place.a2c(...path, '--help')));
    for (const [index, { code, stdout, stderr }] of helps.entries()) {
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^ {2}\$ (?:npx )?a2c config /m);
      if ((paths[index]?.length ?? 0) > 1) expect(stdout).toContain('--json');
    }
  });

  verifies('CONF-CLI-05', 'a wrong command line exits with 2 and its reason', async () => {
    const place = new Workplace({ 'mcp.json': good });
    const wrong = [
      ['nonsense'],
      ['config', 'check', '--nonsense'],
      ['config', 'convert', 'mcp.json'],
      ['config', 'convert', 'mcp.json', '--to', 'xml'],
      ['config', 'trust'],
    ];
    const finished = await Promise.all(wrong.map((args) => place.a2c(...args)));
    for (const [index, { code, stdout, stderr }] of finished.entries()) {
      expect([code, stdout], wrong[index]?.join(' ')).toEqual([2, '']);
      expect(stderr).toContain('error: ');
    }
  });

  verifies('CONF-CLI-05', 'a closed output pipe is not an error', async () => {
    const child = spawn(process.execPath, [COMMAND, 'config', 'schema', 'a2c-servers']);
    child.stdout.destroy();
    const stderr: string[] = [];
    child.stderr.on('data', (chunk) => stderr.push(String(chunk)));
    const [code] = await once(child, 'close');
    expect([code, stderr]).toEqual([0, []]);
  });

  verifies('CONF-CLI-05', 'an interrupt exits with 130', async () => {
    const place = new Workplace({ 'mcp.json': remote('https://e.example/') });
    // Preloaded: keeps the process alive and reports when the command has started.
    const preload = `data:text/javascript,setInterval(()=>{},1000);process.on('newListener',(name)=>name==='SIGINT'&&setImmediate(()=>process.stderr.write('ready')))`;
    const child = spawn(process.execPath, ['--import', preload, COMMAND, 'config', 'schema'], { cwd: place.folder });
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
  });
});
