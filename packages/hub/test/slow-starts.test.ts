import { verifies } from '@a2c/requirements';
import { expect, vi } from 'vitest';
import { hub, run, server, textOf } from './hub.js';

// Slow servers on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 60_000 });

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
  const manager = await hub(servers, { limits: { probeTimeoutMs: 300 } });
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
  const manager = await hub(servers, { limits: { probeTimeoutMs: 300 } });
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
