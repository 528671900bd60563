import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished, vi } from 'vitest';
import { mayDownload } from '../src/transports/process/downloaders.js';
import { hub, run, script, server, textOf, until } from './hub.js';

// Slow servers on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 600_000 });

function eras(name: string, ...args: readonly string[]) {
  return server(name, {
    server_parameters: run('eras.mjs', {}, args),
    tool_meta: { era: { alias: `${name}_era` } },
  });
}

verifies('HUB-GEN-04', 'ten slow servers of both generations connect at once, at the first attempt', async () => {
  const delays = ['0', '500', '2000', '4000'];
  const servers = ['2025', '2026', 'both'].flatMap((era) => delays.map((ms) => eras(`s${era}_${ms}`, era, ms)));
  // The silence is far shorter than the delays, as on a cold machine.
  const manager = await hub(servers, { limits: { probeTimeoutMs: 300, startTimeoutMs: 300_000 } });
  expect(manager.status().map(({ name, state, restarts, cause }) => [name, state, restarts, cause])).toEqual(
    servers.map(({ name }) => [name, 'connected', 0, null]),
  );
  for (const { name } of servers) {
    const era = textOf(await manager.executeTool(`${name}_era`, {}));
    if (!name.startsWith('sboth')) expect(era).toBe(name.slice(1, 5));
  }
});

verifies('HUB-GEN-04', 'the answers decide in any order, and also when one of them never comes', async () => {
  const servers = [
    eras('ignores_initialize', '2026', '900', 'mute'),
    eras('ignores_discover', '2025', '900', 'mute'),
    eras('reversed', '2026', '900', 'reversed'),
    eras('exits_at_initialize', '2026', '900', 'exit'),
    eras('exits_at_discover', '2025', '900', 'exit'),
  ];
  const manager = await hub(servers, { limits: { probeTimeoutMs: 300, startTimeoutMs: 300_000 } });
  expect(manager.status().map(({ name, state, era }) => [name, state, era])).toEqual([
    ['ignores_initialize', 'connected', 'modern'],
    ['ignores_discover', 'connected', 'legacy'],
    ['reversed', 'connected', 'modern'],
    ['exits_at_initialize', 'connected', 'modern'],
    ['exits_at_discover', 'connected', 'legacy'],
  ]);
  for (const { name } of servers) {
    expect(textOf(await manager.executeTool(`${name}_era`, {}))).toMatch(/^202[56]$/);
  }
});

/** Writes a line to stderr every 100 ms, `lines` times, then becomes a server. A shell starts quickly. */
function writing(lines: number) {
  const code = `n=0; while [ $((n += 1)) -le ${lines} ]; do echo "Downloading part $n" >&2; sleep 0.1; done; exec sh "$0"`;
  return { server_parameters: { command: 'sh', args: ['-c', code, script('quick.sh')] } };
}

verifies('HUB-LIFE-20', 'a program that writes gets more time, and the status shows its last line', async () => {
  const limits = { startTimeoutMs: 4_000, downloadTimeoutMs: 60_000 };
  const manager = await hub([server('w', writing(45))], { autoConnect: false, limits });
  const started = manager.startClient('w');
  await until(() => /^Downloading part \d+$/.test(manager.status()[0]?.activity ?? ''));
  await started;
  expect(manager.status()).toMatchObject([{ state: 'connected', activity: null }]);
});

verifies('HUB-LIFE-20', 'start_timeout limits a start, also one that writes', async () => {
  const slow = server('w', { ...writing(1e6), start_timeout: 2 });
  const manager = await hub([slow], { autoConnect: false, limits: { downloadTimeoutMs: 60_000 } });
  await expect(manager.startClient('w')).rejects.toThrow(
    /the start took longer than 2 s; last line of stderr: Downloading/,
  );

  const mute = { server_parameters: { command: 'sleep', args: ['1000000'] } };
  const patient = server('w', { ...mute, start_timeout: 'PT0.3S' });
  const silent = await hub([patient], { autoConnect: false });
  await expect(silent.startClient('w')).rejects.toThrow('the start took longer than 0.3 s');
});

verifies('HUB-LIFE-20', 'the first start of a program that downloads may be silent for minutes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-npx-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const npx = join(folder, 'npx');
  await writeFile(npx, `#!/bin/sh\nexec ${process.execPath} ${script('eras.mjs')} 2025 1500\n`, { mode: 0o755 });
  const manager = await hub([server('w', { server_parameters: { command: npx, args: ['-y', 'some-server'] } })], {
    autoConnect: false,
    limits: { startTimeoutMs: 500 },
  });
  const started = manager.startClient('w');
  await until(() => manager.status()[0]?.activity === 'downloading');
  await started;

  expect(mayDownload(['npm', '--yes', 'exec', 'x'])).toBe(true);
  expect(mayDownload(['C:/tools/uvx.exe', 'x'])).toBe(true);
  expect(mayDownload(['npm', 'start'])).toBe(false);
  expect(mayDownload(['node', 'npx'])).toBe(false);
});
