import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { type ServerState, StateMachine } from '../src/servers/state-machine.js';
import { hub, run, server, until } from './hub.js';

const STATES: readonly ServerState[] = ['initialized', 'connected', 'disconnected', 'needs-login', 'error'];
const LEGAL: Readonly<Record<ServerState, readonly ServerState[]>> = {
  initialized: ['initialized', 'connected', 'needs-login', 'error'],
  connected: ['initialized', 'disconnected', 'needs-login', 'error'],
  disconnected: ['initialized', 'needs-login', 'error'],
  'needs-login': ['initialized', 'needs-login', 'error'],
  error: ['initialized', 'needs-login', 'error'],
};
const WAY: Readonly<Record<ServerState, readonly ServerState[]>> = {
  initialized: [],
  connected: ['connected'],
  disconnected: ['connected', 'disconnected'],
  'needs-login': ['needs-login'],
  error: ['error'],
};

function machineIn(state: ServerState) {
  const seen: ServerState[] = [];
  const machine = new StateMachine('it', (next) => seen.push(next));
  for (const step of WAY[state]) machine.to(step);
  return { machine, seen };
}

verifies(['HUB-STATE-01', 'HUB-STATE-02'], 'all steps, the legal ones and no others', () => {
  for (const from of STATES) {
    for (const to of STATES) {
      const { machine, seen } = machineIn(from);
      const before = [...seen];
      if (LEGAL[from].includes(to)) {
        machine.to(to);
        expect(machine.state).toBe(to);
      } else {
        expect(() => machine.to(to)).toThrow(`"it" cannot become ${to} while it is ${from}`);
        expect(machine.state).toBe(from);
        expect(seen).toEqual(before);
      }
    }
  }
});

verifies('HUB-STATE-03', 'each change is emitted once, with its cause', async () => {
  const manager = await hub([], { autoReconnect: false });
  const seen: unknown[] = [];
  manager.on('state', ({ server: name, state, cause }) => seen.push([name, state, cause !== null]));
  await manager.addOrUpdateServer(server('w'));
  await manager.stopClient('w');
  await manager.startClient('w');
  await expect(manager.executeTool('crash', {})).rejects.toThrow();
  expect(seen).toEqual([
    ['w', 'connected', false],
    ['w', 'disconnected', false],
    ['w', 'initialized', false],
    ['w', 'connected', false],
    ['w', 'error', true],
  ]);
});

verifies('HUB-STATE-04', 'a server that exits at once leaves its cause, its stderr and the time', async () => {
  const before = Date.now();
  const manager = await hub([server('w', { server_parameters: run('workshop.mjs', { WORKSHOP_EXIT: '7' }) })]);
  const [status] = manager.status();
  expect(status).toMatchObject({ state: 'error', tools: 0 });
  expect(status?.cause).toMatch(/^server "w" could not be started: .*exited with code 7.*no more wood/);
  expect(Date.parse(status?.failedAt ?? '')).toBeGreaterThanOrEqual(before);

  await until(() => manager.status()[0]?.retryAt !== null);
  await manager.addOrUpdateServer(server('w'));
  expect(manager.status()[0]).toMatchObject({ state: 'connected', cause: null, failedAt: null, retryAt: null });
});
