import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NETWORK_ENV } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { hub, script, server, temporaryFolder, textOf, until } from './hub.js';

const exec = promisify(execFile);

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'a2c-interop');

/** Installs packages of PyPI in an environment that later runs use again. Returns the folder of its programs. */
async function installed(...packages: readonly string[]): Promise<string> {
  const folder = join(CACHE, `hub-${packages.join(' ').replaceAll(/[^\w.]+/g, '-')}`);
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    await rm(folder, { recursive: true, force: true });
    await exec('python3', ['-m', 'venv', folder]);
    await exec(join(folder, 'bin/pip'), ['install', '--quiet', ...packages]);
    await writeFile(complete, '');
  }
  return join(folder, 'bin');
}

const memoryServer = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js');

verifies(
  'HUB-GEN-04',
  'servers of both SDKs and both generations connect at the first attempt, however slowly they start',
  async () => {
    const [python2025, python2026] = await Promise.all([
      installed('mcp-server-time==2025.9.25', 'mcp<2'),
      installed('mcp-server-time==2026.10.19', 'mcp>=2'),
    ]);
    const programs = {
      python_legacy: `${python2025}/mcp-server-time`,
      python_modern: `${python2026}/mcp-server-time`,
      typescript_legacy: `'${process.execPath}' '${memoryServer}'`,
      // It speaks both generations.
      typescript_both: `'${process.execPath}' '${script('sdk.mjs')}'`,
    };
    const servers = Object.entries(programs).flatMap(([name, program]) =>
      [0, 2, 10].map((seconds) =>
        server(`${name}_${seconds}`, {
          server_parameters: { command: 'sh', args: ['-c', `sleep ${seconds}; exec ${program}`] },
          start_timeout: 120,
        }),
      ),
    );
    // All twelve at once. The probe is far shorter than the delays.
    const manager = await hub(servers, { limits: { probeTimeoutMs: 1_000 } });
    const found = manager.status().map(({ name, state, era, restarts, cause }) => {
      const generation = name.startsWith('typescript_both') ? 'both' : era;
      return [name, state, generation, restarts, cause];
    });
    expect(found).toEqual(servers.map(({ name }) => [name, 'connected', name.split('_')[1], 0, null]));
    for (const { name } of servers) expect(manager.toolsOf(name).length).toBeGreaterThan(0);
  },
  { timeout: 300_000 },
);

verifies(
  'HUB-LIFE-20',
  'npx and uvx download a server from its registry, longer than a usual start may take',
  async () => {
    const programs = await installed('uv');
    const HOME = await temporaryFolder();
    const network = Object.fromEntries(
      // The tests keep NODE_EXTRA_CA_CERTS from all programs but npm.
      [...NETWORK_ENV, 'npm_config_cafile'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    );
    const env = { HOME, PATH: `${programs}:${process.env.PATH}`, ...network };
    const everything = ['-y', '@modelcontextprotocol/server-everything@2026.8.31'];
    const servers = [
      server('npx', { server_parameters: { command: 'npx', args: everything, env } }),
      server('uvx', { server_parameters: { command: `${programs}/uvx`, args: ['mcp-server-time==2026.10.19'], env } }),
    ];
    const manager = await hub(servers, { autoConnect: false, limits: { startTimeoutMs: 500 } });
    const started = manager.startAll();
    await until(() => manager.status().every(({ activity }) => activity === 'downloading'));
    await started;
    expect(manager.status().map(({ name, state, cause }) => [name, state, cause])).toEqual([
      ['npx', 'connected', null],
      ['uvx', 'connected', null],
    ]);
    expect(textOf(await manager.callTool('npx', 'echo', { message: 'hi' }))).toBe('Echo: hi');
    expect(textOf(await manager.callTool('uvx', 'get_current_time', { timezone: 'UTC' }))).toContain('UTC');
  },
  { timeout: 600_000 },
);
