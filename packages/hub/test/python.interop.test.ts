import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { hub, server, textOf } from './hub.js';

const exec = promisify(execFile);

/** Installs a package of PyPI in an environment of its own. Returns the folder of its programs. */
async function installed(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-python-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await exec('python3', ['-m', 'venv', folder]);
  await exec(join(folder, 'bin/pip'), ['install', '--quiet', name]);
  return join(folder, 'bin');
}

verifies(
  'HUB-GEN-04',
  'a server of the Python SDK connects in the 2026 generation, however slowly it starts',
  async () => {
    const program = join(await installed('mcp-server-time==2026.10.19'), 'mcp-server-time');
    const delayed = (seconds: number) =>
      server(`after${seconds}`, {
        server_parameters: { command: 'sh', args: ['-c', `sleep ${seconds}; exec ${program}`] },
      });
    const manager = await hub([0, 2, 4, 10].map(delayed), { limits: { probeTimeoutMs: 1_000 } });
    for (const { name, state, era, restarts } of manager.status()) {
      expect([name, state, era, restarts]).toEqual([name, 'connected', 'modern', 0]);
      const time = await manager.callTool(name, 'get_current_time', { timezone: 'UTC' });
      expect(textOf(time)).toContain('UTC');
    }
  },
  { timeout: 180_000 },
);
