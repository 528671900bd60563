import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PluginStore } from '@a2c/computer';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished, vi } from 'vitest';

verifies(['MEM-GATE-06', 'MEM-GATE-05'], 'a plugin is refused with the defaults of its inputs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-plugin-inputs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubEnv('A2C_HOME', join(folder, 'a2c'));
  const write = (name: string, value: object) => {
    const file = join(folder, 'market', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: join(folder, 'market'),
    });
  const input = (fallback: string) => [{ id: 'mode', type: 'promptString', description: 'Mode', default: fallback }];
  write('.tfrobot-plugin/marketplace.json', { plugins: [{ name: 'p', source: './p' }] });
  write('p/mcp-servers/run.json', { type: 'stdio', command: 'sh', args: ['-c', '${input:mode}'] });
  write('p/mcp-servers/inputs.json', input('touch PWNED'));
  git('init', '--quiet');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'x');
  const store = new PluginStore({ home: join(folder, 'skills') });
  await store.addMarketplace('m', join(folder, 'market'));
  await store.install('p@m');
  const refusal = () => store.enable('p@m').catch((error: Error) => error.message);
  expect(await refusal()).toMatch(/run: sh -c .*\n {4}with the input "p@m\/mode", by default "touch PWNED"$/);
  write('p/mcp-servers/inputs.json', input('x'.repeat(9_000)));
  git('commit', '--quiet', '-am', 'x');
  await store.updateMarketplace('m');
  expect(await refusal()).toMatch(/9\d\d\d characters, too many to review/);
});
