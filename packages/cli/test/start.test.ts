import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { BINARY, COMPUTER_BINARY, Workplace } from './a2c.js';

verifies('NEW-START-01', 'an old Node gets one clear line from every command, before anything is loaded', () => {
  const place = new Workplace({
    'old-node.cjs': `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });`,
  });
  for (const [binary, ...words] of [
    [BINARY, 'up'],
    [BINARY, '--version'],
    [COMPUTER_BINARY],
    [BINARY, 'mcp', 'tools'],
  ]) {
    const args = ['--require', place.path('old-node.cjs'), binary as string, ...words];
    const { status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe('a2c needs Node 20.19 or newer; this is Node 18.20.8. Get it from https://nodejs.org\n');
  }
});

verifies('NEW-START-01', 'a clone that was not built names the commands that build it', () => {
  const clone = new Workplace({ 'cli/package.json': { type: 'module' } });
  cpSync(dirname(BINARY), clone.path('cli/bin'), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [clone.path('cli/bin/a2c.js'), 'up'], { encoding: 'utf8' });
  expect(stderr).toBe('a2c is not built; run "npm ci" and "npm run build" in the root of the repository\n');
  expect(status).toBe(1);
});

verifies('NEW-CLI-08', 'the files of the bundle are ASCII, which V8 keeps with one byte per character', () => {
  const folder = join(dirname(BINARY), '../dist/bundle');
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  expect(files.length).toBeGreaterThan(10);
  const others = files.filter((name) => readFileSync(join(folder, name)).some((byte) => byte > 0x7f));
  expect(others).toEqual([]);
});

verifies('NEW-START-01', 'the supported version is that of the manifest', () => {
  const version = execFileSync(process.execPath, [BINARY, '--version'], { encoding: 'utf8' });
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect([version.trim(), manifest.engines.node]).toEqual([manifest.version, '>=20.19']);
});
