import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { checkNode } from '../src/doctor/findings.js';
import { Workplace } from './a2c.js';

const WORKSHOP = fileURLToPath(new URL('../../hub/test/servers/workshop.mjs', import.meta.url));
const shop = { command: process.execPath, args: [WORKSHOP] };

verifies('CLI-DOCTOR-01', 'all checks pass: one line each, exit code 0', async () => {
  const place = new Workplace({ 'mcp.json': { mcpServers: { shop } } });
  const { code, stdout, stderr } = await place.a2c('doctor', '--trust');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.trimEnd().split('\n')).toEqual([
    `ok   Node: ${process.versions.node}`,
    `ok   configuration: ${place.path('mcp.json')}, 1 server`,
    expect.stringMatching(/^ok {3}server "shop": stdio, MCP 2025-11-25, \d+ tools, \d+ ms$/),
  ]);
});

verifies(['CLI-DOCTOR-01', 'CLI-DOCTOR-02'], 'each failure with its remedy, exit code 1', async () => {
  const place = new Workplace({
    'mcp.json': {
      mcpServers: {
        shop,
        absent: { command: 'no-such-program' },
        away: { url: 'http://127.0.0.1:1/mcp', type: 'http' },
      },
    },
  });
  const { code, stdout } = await place.a2c('doctor', '--trust', '--url', 'http://127.0.0.1:1', '--json');
  expect(code).toBe(1);
  const { ok, findings } = JSON.parse(stdout);
  expect(ok).toBe(false);
  const failed = findings.filter((finding: { ok: boolean }) => !finding.ok);
  expect(failed.toSorted((a: { what: string }, b: { what: string }) => a.what.localeCompare(b.what))).toEqual([
    {
      ok: false,
      what: 'server "absent"',
      detail: 'the program "no-such-program" was not found or cannot be executed',
      remedy: 'install it, give its full path, or make it executable',
    },
    {
      ok: false,
      what: 'server "away"',
      detail: expect.stringContaining('refused'),
      remedy: expect.stringContaining('start the server'),
    },
    {
      ok: false,
      what: 'signalling server http://127.0.0.1:1',
      detail: expect.any(String),
      remedy: expect.stringContaining('a2c up'),
    },
  ]);
  const untrusted = await place.a2c('doctor');
  expect(untrusted.code).toBe(1);
  const remedy = `→ if you trust the file: --trust for one call, or npx a2c config trust ${place.path('mcp.json')}\n`;
  expect(untrusted.stdout.split(remedy)).toHaveLength(2); // once, though two servers need it
  expect(untrusted.stdout).toMatch(/^ {5}→ as for server "(shop|absent)"$/m);
  expect(untrusted.stdout).toMatch(/^FAIL server "shop": would start a program \(rule spawn\)$/m);
});

verifies('CLI-DOCTOR-02', 'names the option that is enough where trust would allow more', async () => {
  const place = new Workplace({ 'mcp.json': { mcpServers: { lan: { url: 'https://10.0.0.1/mcp', type: 'http' } } } });
  const { stdout } = await place.a2c('doctor');
  expect(stdout).toMatch(/^FAIL server "lan": .* is not public \(rule private-address\)$/m);
  expect(stdout).toMatch(/→ if you trust the file: .*mcp\.json; to allow only this: --allow-private-ip$/m);
});

verifies('CLI-DOCTOR-02', 'an address with another service, or with no host', async () => {
  const listener = createServer((_request, response) => response.writeHead(404).end());
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const { port } = listener.address() as { port: number };
  const url = `http://127.0.0.1:${port}/wrong`;
  const place = new Workplace({ 'mcp.json': { mcpServers: { web: { url, type: 'http' } } } });
  const { stdout } = await place.a2c('doctor', '--trust', '--url', `https://127.0.0.1:${port}`);
  expect(stdout).toContain('FAIL server "web": answered with HTTP 404\n     → check the path of its URL\n');
  expect(stdout).toContain(': the server there does not use TLS\n     → use http:// instead of https://\n');
  const nowhere = await new Workplace().a2c('doctor', '--url', 'http://a2c.invalid');
  expect(nowhere.stdout).toContain('→ check the host name and your network connection\n');
});

verifies('CLI-DOCTOR-01', 'no configuration is not a failure; an invalid or missing file is', async () => {
  const empty = await new Workplace().a2c('doctor');
  expect(empty.code).toBe(0);
  expect(empty.stdout).toContain('there is no .mcp.json or mcp.json here');
  expect(empty.stdout).not.toContain('→');
  const place = new Workplace({ 'mcp.json': '{ "mcpServers": ', 'none.json': { mcpServers: {} } });
  const broken = await place.a2c('doctor');
  expect(broken.code).toBe(2);
  expect(broken.stdout).toContain(
    `→ correct the file, and check it with: npx a2c config check ${place.path('mcp.json')}\n`,
  );
  const missing = await place.a2c('doctor', '--config', 'a b.json');
  expect(missing.code).toBe(2);
  expect(missing.stdout).toContain(`or write a file: npx a2c config import --write '${place.path('a b.json')}'\n`);
  expect((await place.a2c('doctor', '--config', 'none.json')).stdout).toContain(
    '0 servers; npx a2c config import finds',
  );
});

verifies(
  ['CLI-DOCTOR-01', 'CLI-DOCTOR-02'],
  'reports a server as soon as it is known, and one that hangs after its timeout',
  async () => {
    const silent = { command: process.execPath, args: ['-e', 'console.log("hi"); setInterval(() => {}, 1000)'] };
    const place = new Workplace({ 'mcp.json': { mcpServers: { aaa: silent, shop } } });
    const { code, stdout, stderr } = await place.a2c('doctor', '--trust', '--timeout', '8');
    expect(code).toBe(1);
    expect(stdout.indexOf('ok   server "shop"')).toBeGreaterThan(0);
    expect(stdout.indexOf('FAIL server "aaa": the start took longer than 8 s')).toBeGreaterThan(
      stdout.indexOf('ok   server "shop"'),
    );
    expect(stdout).toContain(`or run it by hand: ${process.execPath} -e '`);
    expect(stdout).toContain('print only JSON-RPC on its stdout');
    expect(stderr).toMatch(/^waiting for aaa\b.* …, at most 8 s \(--timeout\)\n$/);
  },
);

verifies('CLI-DOCTOR-01', 'checks the signalling server', async () => {
  const answers = [200, 503];
  const listener = createServer((_request, response) => response.writeHead(answers.shift() ?? 200).end());
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const url = `http://127.0.0.1:${(listener.address() as { port: number }).port}`;
  const place = new Workplace();
  expect(await place.a2c('doctor', '--url', url)).toMatchObject({ code: 0, stdout: expect.stringContaining('ready,') });
  expect(await place.a2c('doctor', '--url', url)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('HTTP 503'),
  });
});

verifies('CLI-DOCTOR-02', 'an invalid URL is an error of the command line', async () => {
  const { code, stdout } = await new Workplace().a2c('doctor', '--url', 'foo');
  expect(code).toBe(2);
  expect(stdout).toContain('→ give --url a value such as http://127.0.0.1:7000');
  const bare = await new Workplace().a2c('doctor', '--url', '127.0.0.1:7000');
  expect(bare).toMatchObject({ code: 2, stdout: expect.stringContaining('did you mean http://127.0.0.1:7000?') });
});

verifies('CLI-DOCTOR-02', 'a file without --config is an error of the command line', async () => {
  const stderr = `"a b.json" is not an option; did you mean --config 'a b.json'?\n`;
  expect(await new Workplace().a2c('doctor', 'a b.json')).toEqual({ code: 2, stdout: '', stderr });
});

verifies('CLI-DOCTOR-02', 'an old Node is reported with the version to install', () => {
  expect(checkNode('20.19.0')).toMatchObject({ ok: true });
  expect(checkNode('22.1.0')).toMatchObject({ ok: true });
  expect(checkNode('20.18.9')).toMatchObject({ ok: false, remedy: 'install Node 20.19 or newer' });
  expect(checkNode('18.20.0')).toMatchObject({ ok: false });
});

verifies('CLI-DOCTOR-01', 'a missing value is no reason to speak of downloads, and names the server once', async () => {
  const server_parameters = { command: 'npx', args: ['-y', 'gh-mcp'], env: { TOKEN: '${input:TOKEN}' } };
  const servers = [{ name: 'gh', type: 'stdio', server_parameters }];
  const inputs = [{ id: 'TOKEN', type: 'promptString', description: 'Token' }];
  const place = new Workplace({ 'servers.json': { servers, inputs } });
  const { stdout } = await place.a2cWith({ SSL_CERT_FILE: '/ca.pem' }, 'doctor', '--config', 'servers.json');
  expect(stdout).toContain('server "gh": env TOKEN: input "TOKEN" has no value');
  expect(stdout).not.toContain('download');
});

verifies(
  'CLI-DOCTOR-02',
  'the remedy for a slow start is the limit that applies, or the output that is no JSON-RPC',
  async () => {
    const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
    const noisy = { command: process.execPath, args: ['-e', 'console.log("hi"); setInterval(() => {}, 1000)'] };
    const limit = { start_timeout: 2.5 };
    const servers = { silent: { ...silent, ...limit }, noisy: { ...noisy, ...limit } };
    const place = new Workplace({ 'mcp.json': { mcpServers: servers } });
    const { stdout, stderr } = await place.a2c('doctor', '--timeout', '100', '--config', 'mcp.json');
    expect(stdout).toMatch(/server "silent": .* 2\.5 s\n +→ raise "start_timeout" of the server/);
    expect(stdout).toMatch(/server "noisy": .* no JSON-RPC\n +→ make it write its messages to stderr/);
    expect(stdout).not.toContain('use a longer --timeout');
    expect(stderr).toMatch(/^waiting for .* …, at most 2\.5 s \(--timeout\)\n$/);
  },
);

verifies(
  'CLI-DOCTOR-01',
  'names the transport of the connection, which may be SSE behind a URL without a type',
  async () => {
    const program = fileURLToPath(new URL('../../hub/test/servers/sse.mjs', import.meta.url));
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const place = new Workplace({
      'mcp.json': { mcpServers: { s: { url: String(line).trim().replace('ready ', '') } } },
    });
    const { stdout } = await place.a2c('doctor', '--config', 'mcp.json');
    expect(stdout).toContain('ok   server "s": sse, ');
  },
);
