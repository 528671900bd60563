import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished, vi } from 'vitest';
import { lastLine } from '../src/clients/stderr-line.js';
import { hub, server } from './hub.js';

const shell = (code: string) => ({ server_parameters: { command: 'sh', args: ['-c', code] } });
const missing = { server_parameters: { command: process.execPath, args: ['/nowhere/server.js'] } };

verifies('HUB-STATE-07', 'a program that exits at once is reported with its exit code and its error', async () => {
  const manager = await hub([
    server('closes_stdin', shell('exec 0<&-; sleep 0.3; echo "no config file" >&2; exit 7')),
    server('missing', missing),
  ]);
  const [closesStdin, noModule] = manager.status();
  expect(closesStdin?.cause).toMatch(/could not be started: exited with code 7; last line of stderr: no config file$/);
  expect(closesStdin?.diagnostics).toMatchObject({ stderr: 'no config file\n', ended: 'exited with code 7' });
  expect(noModule?.cause).toMatch(
    /exited with code 1; last line of stderr: Error: Cannot find module '\/nowhere\/server\.js'$/,
  );
  expect(noModule?.diagnostics?.stderr).toContain('MODULE_NOT_FOUND');
});

verifies('HUB-STATE-07', 'the line that names the error is found among others', () => {
  const python =
    'Traceback (most recent call last):\n  File "x.py", line 1\nModuleNotFoundError: No module named \'x\'\n';
  expect(lastLine(python)).toBe("ModuleNotFoundError: No module named 'x'");
  const npm =
    'npm error code E404\nnpm error 404 Not Found\nnpm error A complete log of this run can be found in: /x\n';
  expect(lastLine(npm)).toBe('npm error 404 Not Found');
  const object = "Error: listen EADDRINUSE\n    at Server.x\n  code: 'EADDRINUSE',\n  port: 80\n}\n\nNode.js v20.1.0\n";
  expect(lastLine(object)).toBe('Error: listen EADDRINUSE');
  expect(lastLine('')).toBeUndefined();
});

const NPM_404 = [
  'npm error code E404',
  'npm error 404 Not Found - GET https://registry.example/some-mcp - Not found',
  'npm error 404',
  "npm error 404  The requested resource 'some-mcp@*' could not be found.",
  'npm error 404',
  'npm error 404 Note that you can also install from a',
  'npm error 404 tarball, folder, http url, or git url.',
  'npm error A complete log of this run can be found in: /x/1.log',
];

verifies('HUB-STATE-07', 'a failed download is reported with the line that names the package or the reason', () => {
  expect(lastLine(NPM_404.join('\n'))).toBe(NPM_404[1]);
  const offline =
    'npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error network request to https://x failed\nnpm error network This is a problem\n';
  expect(lastLine(offline)).toBe('npm error network request to https://x failed');
  const uv =
    '  × No solution found:\n  ╰─▶ Because some-mcp was not found in the package registry and you require\n      some-mcp, it ends.\n';
  expect(lastLine(uv)).toMatch(/^╰─▶ Because some-mcp was not found/);
  const docker =
    "docker: Error response from daemon: pull access denied\n\nRun 'docker run --help' for more information\n";
  expect(lastLine(docker)).toBe('docker: Error response from daemon: pull access denied');
});

verifies(
  'HUB-STATE-07',
  'there is no advice about certificates for a download that the registry has refused',
  async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'a2c-start-')));
    onTestFinished(() => rm(folder, { recursive: true }));
    vi.stubEnv('SSL_CERT_FILE', '/certificates.pem');
    onTestFinished(() => void vi.unstubAllEnvs());
    const npx = async (name: string, lines: readonly string[]) => {
      await mkdir(join(folder, name));
      const text = lines.map((line) => `echo ${JSON.stringify(line)} >&2\n`).join('');
      await writeFile(join(folder, name, 'npx'), `#!/bin/sh\n${text}exit 1\n`, { mode: 0o755 });
      return server(name, { server_parameters: { command: join(folder, name, 'npx'), args: ['-y', 'some-mcp'] } });
    };
    const manager = await hub([
      await npx('unknown', NPM_404),
      await npx('offline', ['npm error network request to https://registry.example failed']),
    ]);
    const [unknown, offline] = manager.status();
    expect(unknown?.cause).toMatch(/last line of stderr: npm error 404 Not Found - GET \S+ - Not found$/);
    expect(offline?.cause).toMatch(/failed; if the download failed: the program does not get SSL_CERT_FILE/);
  },
);

verifies('COST-STDERR-01', 'the line that names the error is found in linear time', () => {
  const size = 64 * 1_024;
  const words = [
    'Error.',
    'Exception.',
    'error',
    'x.',
    ' ',
    '\t',
    ' at',
    ' a',
    ': ',
    " x: '",
    'Error: \n',
    '\n',
    'a\n',
  ];
  const before = process.cpuUsage();
  for (const word of words) {
    const text = word.repeat(size / word.length);
    for (const stderr of [text, `${text}:`, ` ${text}!`, `x${text}: y`]) lastLine(`x\n${stderr}\n`);
  }
  const { user, system } = process.cpuUsage(before);
  // Typically less than 0.1 s in all; more than 10 s if each part of a word starts a search.
  expect((user + system) / 1_000).toBeLessThan(3_000);
  expect(lastLine('a.b.MyException in x: boom\nlast\n')).toBe('a.b.MyException in x: boom');
  expect(lastLine('  FATAL error: no\nlast\n')).toBe('FATAL error: no');
  expect(lastLine('TypeErrors: none\nlast\n')).toBe('last');
  expect(lastLine(`Error: first\n${'later\n'.repeat(200)}`)).toBe('later');
});

verifies('HUB-STATE-08', 'an error shows paths that placeholders produced, and no secret', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'a2c-start-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  const raw = server('w', {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of the configuration
    server_parameters: { command: '${env:SHELL_PROGRAM}', args: ['-c', '${env:CODE}'], cwd: '${env:FOLDER}' },
  });
  const code = `echo "cannot open $VIRTUAL_ENV and $PWD/data.db with $THING" >&2; exit 1`;
  const transport = {
    ...raw.transport,
    argv: ['/bin/sh', '-c', code],
    cwd: folder,
    env: { VIRTUAL_ENV: join(folder, '.venv'), THING: '/s3cr3t/value' },
  };
  const manager = await hub([raw], { prepare: async () => ({ ...raw, transport }) as typeof raw });
  expect(manager.status()[0]?.cause).toMatch(
    `last line of stderr: cannot open ${folder}/.venv and ${folder}/data.db with [redacted]`,
  );
});

verifies('SEC-ENV-02', 'an error shows no literal value of `env`, except ordinary words', async () => {
  const command = ['-c', 'echo "mode $MODE: cannot use $THING" >&2; exit 1'];
  const env = { THING: 'plain-words-of-the-file', MODE: 'production' };
  const manager = await hub([server('w', { server_parameters: { command: '/bin/sh', args: command, env } })]);
  expect(manager.status()[0]?.cause).toMatch('last line of stderr: mode production: cannot use [redacted]');
});

verifies('SEC-SANDBOX-02', 'a program with a sandbox does not start where there is none', async () => {
  const { PATH } = process.env;
  process.env.PATH = '/nowhere';
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
  const [{ cause, state } = {}] = (
    await hub([server('inside', { server_parameters: { command: process.execPath, args: ['-v'], sandbox: true } })])
  ).status();
  expect(state).toBe('error');
  expect(cause).toMatch(/must run in a sandbox, which is not available/);
});
