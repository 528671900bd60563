import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** No dependencies of this repository, because their own dependencies outweigh all others. */
const CHECKERS = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const exec = promisify(execFile);
const run = async (cwd: string, ...[program = '', ...args]: string[]) =>
  (await exec(program, args, { cwd, encoding: 'utf8', env: { ...process.env, npm_config_loglevel: 'error' } })).stdout;

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

const folder = mkdtempSync(join(tmpdir(), 'a2c-pack-'));
let packed: readonly Packed[] = [];

beforeAll(async () => {
  const published = readdirSync(join(ROOT, 'packages')).filter((name) => {
    const manifest = readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { private?: boolean }).private !== true;
  });
  const workspaces = published.map((name) => `--workspace=packages/${name}`);
  const output = await run(ROOT, 'npm', 'pack', '--json', '--pack-destination', folder, ...workspaces);
  packed = JSON.parse(output.slice(output.indexOf('['))) as Packed[];
});

/** Checks three packages at a time. */
async function eachPackage(check: (one: Packed) => Promise<void>): Promise<void> {
  const waiting = [...packed];
  const lane = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) await check(one);
  };
  await Promise.all([lane(), lane(), lane()]);
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

verifies('NEW-PACK-01', 'a package contains the necessary files and no others', () => {
  expect(packed.map(({ name }) => name)).toEqual(expect.arrayContaining(['a2c', '@a2c/config', '@a2c/server']));
  for (const { name, files } of packed) {
    const paths = files.map(({ path }) => path);
    expect(paths, name).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']));
    const entries = name === 'a2c' ? ['dist/bundle/main.js', 'dist/bundle/LICENSES.txt'] : ['dist/index.js'];
    expect(paths, name).toEqual(expect.arrayContaining(entries));
    expect(
      paths.filter((path) => /^(test|scripts|tools)\/|(^|\/)(target|node_modules)\/|tsbuildinfo|\.test\./.test(path)),
    ).toEqual([]);
  }
});

verifies('NEW-PACK-03', 'publint and arethetypeswrong report no problem', async () => {
  const place = join(folder, 'checkers');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "private": true }');
  await run(place, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...CHECKERS);
  const checker = (name: string) => join(place, 'node_modules/.bin', name);
  await eachPackage(async ({ name, filename }) => {
    const tarball = join(folder, filename);
    await run(folder, checker('publint'), tarball, '--strict');
    // The command has no types. All packages are ESM only, which Node 20 can also `require`.
    if (name !== 'a2c') await run(folder, checker('attw'), tarball, '--profile', 'esm-only');
  });
});

verifies('NEW-PACK-04', 'a dry run of publishing succeeds for every package', async () => {
  await eachPackage(async ({ name, filename }) => {
    const output = await run(folder, 'npm', 'publish', '--dry-run', '--json', join(folder, filename));
    expect(output, filename).toContain(`"id": "${name}@`);
  });
});

verifies('NEW-PACK-02', 'a2c installed globally, as in the README', async () => {
  const prefix = join(folder, 'global');
  const tarballs = packed.map(({ filename }) => join(folder, filename));
  const install = ['install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund'];
  await run(folder, 'npm', ...install, ...tarballs);
  expect(await run(folder, join(prefix, 'bin', 'a2c'), 'config', 'schema')).toContain('v1');
});

verifies('NEW-PACK-02', 'the command runs after installing the tarballs into an empty folder', async () => {
  const place = join(folder, 'empty');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "private": true }');
  const tarballs = packed.map(({ filename }) => join(folder, filename));
  await run(place, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs);

  const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8')) as { version: string };
  expect(await run(place, 'npx', '--no-install', 'a2c', '--version')).toBe(`${version}\n`);
  writeFileSync(join(place, 'mcp.json'), '{ "mcpServers": { "s": { "command": "node" } } }');
  expect(await run(place, 'npx', '--no-install', 'a2c', 'config', 'check')).toContain(
    'mcp.json: ok (mcpServers, 1 server)',
  );
  expect(JSON.parse(await run(place, 'npx', '--no-install', 'a2c', '--version', '--json'))).toMatchObject({
    a2c: version,
  });
  const imports = packed.filter(({ name }) => name !== 'a2c').map(({ name }) => `await import('${name}');`);
  await run(place, process.execPath, '--input-type=module', '-e', imports.join(''));

  for (const command of ['server', 'up']) {
    const running = spawn('npx', ['--no-install', 'a2c', command, '--port', '0'], { cwd: place, detached: true });
    onTestFinished(() => {
      const isRunning = running.exitCode === null && running.signalCode === null;
      if (isRunning) process.kill(-(running.pid as number), 'SIGKILL');
    });
    const [line] = (await once(running.stdout, 'data')) as [Buffer];
    const [, url = ''] = /^ready (http:\S+)/.exec(String(line)) ?? [];
    if (command === 'up') {
      const tools = await run(place, 'npx', '--no-install', 'a2c', 'agent', 'tools', '--url', url, '--office', 'demo');
      expect(tools).toContain('bar_chart');
    }
    process.kill(-(running.pid as number), 'SIGINT'); // As a terminal does on Ctrl-C.
    await once(running, 'exit');
    await expect(fetch(url)).rejects.toThrow();
  }
});
