import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { checkCalls, unserved } from '../chaos/checks.js';
import { nowMs } from '../chaos/clock.js';
import { MachineLoad } from '../chaos/machine-load.js';
import { fingerprint, KINDS, planOf } from '../chaos/plan.js';
import { type Pause, Program } from '../chaos/program.js';
import type { Records } from '../chaos/records.js';
import { freePort, onFreePorts } from '../chaos/system.js';
import { Timeline } from '../chaos/timeline.js';
import { Wire } from '../chaos/wire.js';

describe('the faults of a seed', () => {
  verifies('REL-CHAOS-01', 'are the same for the same seed, and others for another', () => {
    expect(fingerprint(planOf(7, 60))).toBe(fingerprint(planOf(7, 60)));
    expect(fingerprint(planOf(8, 60))).not.toBe(fingerprint(planOf(7, 60)));
    const faults = planOf(7, 60).flatMap(({ bursts }) => bursts.flat());
    expect(faults.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });

  verifies('REL-CHAOS-01', 'are of every kind and on every target, in both layouts', () => {
    const rounds = planOf(7, 5_000);
    const seen = new Set(rounds.flatMap(({ bursts }) => bursts.flat()).map(({ kind, target }) => `${kind} ${target}`));
    const all = Object.entries(KINDS).flatMap(([kind, { targets }]) => targets.map((target) => `${kind} ${target}`));
    expect([...new Set(all)].filter((each) => !seen.has(each))).toEqual([]);
    expect(new Set(planOf(7, 60).map(({ layout }) => layout)).size).toBe(2);
  });
});

describe('the records of a run', () => {
  const start = { event: 'call', t: 1_000, pid: 1, caller: 'ada', id: 'c', computer: 'red1', limitMs: 7_000 } as const;
  const done = { outcome: 'result', execution: 'ran', isRight: true, text: '' } as const;
  const end = { event: 'end', t: 1_100, pid: 1, caller: 'ada', id: 'c', computer: 'red1', ...done } as const;
  const execution = { t: 1_050, id: 'c', agent: 'ada', office: 'red', computer: 'red1', pid: 9 };

  const check = (given: Partial<Records>, caller: Partial<Program> = {}): string[] => {
    const records = {
      starts: [start],
      ends: [end],
      executions: [execution],
      notes: [],
      ...given,
    } as unknown as Records;
    const ada = { pauses: [], killed: new Map(), ...caller } as unknown as Program;
    const programs = new Map([['ada', ada]]);
    return checkCalls({ records, programs, slackMs: () => 500, endedAt: 20_000 }).map(({ what }) => what);
  };

  verifies('REL-CHAOS-02', 'of a call that was answered once break no rule', () => {
    expect(check({})).toEqual([]);
  });

  const broken: readonly (readonly [string, Partial<Record<keyof Records, unknown>>])[] = [
    ['never ended', { ends: [] }],
    ['ended after 7600 ms, allowed are 7500 ms', { ends: [{ ...end, t: 8_600 }] }],
    ['has the result of another call', { ends: [{ ...end, isRight: false }] }],
    ['an error without a type', { ends: [{ ...end, outcome: 'error', execution: 'unknown', isRight: false }] }],
    ['reported as not run, but ran', { ends: [{ ...end, outcome: 'error', execution: 'not-run' }] }],
    ['reported as run, but did not run', { executions: [] }],
    ['ran 2 times', { executions: [execution, { ...execution, t: 1_060 }] }],
    ['of ada ran in office green', { executions: [{ ...execution, office: 'green' }] }],
    ['sees the Computer', { notes: [{ caller: 'ada', text: 'CROSSED: sees the Computer green1', t: 1, pid: 1 }] }],
  ];
  for (const [what, records] of broken) {
    verifies('REL-CHAOS-02', `show: ${what}`, () => {
      expect(check(records as Partial<Records>)).toEqual([expect.stringContaining(what)]);
    });
  }

  verifies('REL-CHAOS-02', 'excuse a caller that was killed or paused, for as long as it was', () => {
    expect(check({ ends: [] }, { killed: new Map([[1, 5_000]]) })).toEqual([]);
    const pauses: Pause[] = [{ pid: 1, from: 2_000, to: 2_200 }];
    expect(check({ ends: [{ ...end, t: 8_600 }] }, { pauses })).toEqual([]);
    expect(check({ ends: [{ ...end, t: 8_800 }] }, { pauses })).toHaveLength(1);
  });

  verifies('REL-CHAOS-02', 'of a second attempt say nothing about the first, which may run late', () => {
    const error = { ...end, outcome: 'error', isRight: true } as const;
    const ends = [
      { ...error, execution: 'unknown' },
      { ...error, execution: 'not-run' },
    ] as Records['ends'];
    const late = [{ ...execution, t: 9_000 }];
    expect(check({ starts: [start, { ...start, t: 1_200 }] as Records['starts'], ends, executions: late })).toEqual([]);
    expect(check({ ends: ends.slice(1), executions: late })).toHaveLength(1);
  });

  verifies('REL-CHAOS-02', 'tell who was not served since a fault', () => {
    const records = { starts: [start], ends: [end] } as unknown as Records;
    expect(unserved(records, 900)).not.toContain('ada → red1');
    expect(unserved(records, 1_001)).toContain('ada → red1');
    expect(unserved(records, 900)).toContain('mcp-client → blue1');
  });
});

describe('a program of the system', () => {
  /** Ends a moment after the first SIGTERM; at once, with code 130, after a second one. */
  const DRAINS = `
    process.on('SIGTERM', () => {
      if (process.stopping) process.exit(130);
      process.stopping = true;
      setTimeout(() => process.exit(CODE), 300);
    });
    setInterval(() => {}, 1_000);
    console.log('ready');`;

  async function running(code: number): Promise<Program> {
    const folder = mkdtempSync(join(tmpdir(), 'a2c-chaos-test-'));
    const args = ['-e', DRAINS.replace('CODE', String(code))];
    const options = { name: 'node1', command: process.execPath, args, env: {}, ready: /ready/ };
    const program = new Program({ ...options, log: join(folder, 'log'), timeline: new Timeline() });
    onTestFinished(async () => {
      await program.kill();
      rmSync(folder, { recursive: true });
    });
    program.start();
    await program.whenReady(60_000);
    return program;
  }

  verifies('REL-CHAOS-05', 'may be ended by two faults at once: it gets one SIGTERM', async () => {
    const program = await running(0);
    await Promise.all([program.terminate(60_000), program.terminate(60_000)]);
    expect([program.pid, program.unexpectedExits]).toEqual([undefined, []]);
    program.start();
    await program.whenReady(60_000);
    await program.terminate(60_000);
    expect([program.pid, program.unexpectedExits]).toEqual([undefined, []]);
  });

  verifies('REL-CHAOS-05', 'is reported if it ends with another code, without a signal, or not at all', async () => {
    const failing = await running(3);
    await failing.terminate(60_000);
    expect(failing.unexpectedExits).toEqual([expect.stringContaining('exited with 3')]);
    const killed = await running(0);
    process.kill(killed.pid as number, 'SIGKILL');
    await expect.poll(() => killed.unexpectedExits).toEqual([expect.stringContaining('exited with SIGKILL')]);
    const late = await running(0);
    await late.terminate(1);
    expect(late.unexpectedExits).toEqual([expect.stringContaining('did not end within 1 ms of SIGTERM')]);
  });
});

verifies('REL-CHAOS-05', 'no outgoing connection can take the port of a program that is restarted', async () => {
  const range = '/proc/sys/net/ipv4/ip_local_port_range'; // The harness itself needs Linux.
  const [lowest = 32_768] = existsSync(range) ? readFileSync(range, 'utf8').trim().split(/\s+/).map(Number) : [];
  for (let i = 0; i < 20; i++) expect(await freePort()).toBeLessThan(lowest);
});

verifies('REL-CHAOS-05', 'programs are started again if one of them finds its port in use, and only then', async () => {
  const done: string[] = [];
  const start = (errors: (string | undefined)[]) => async () => {
    done.push('start');
    const error = errors.shift();
    if (error !== undefined) throw new Error(error);
  };
  const undo = async () => void done.push('undo');
  await onFreePorts(start(['node1 did not start: pid 7 exited with 1: listen EADDRINUSE 127.0.0.1:15000']), undo);
  expect(done.splice(0)).toEqual(['start', 'undo', 'start']);
  const haproxy = 'haproxy did not start: cannot bind socket (Address already in use) for [127.0.0.1:15000]';
  await expect(onFreePorts(start(Array(9).fill(haproxy)), undo)).rejects.toThrow(haproxy);
  expect(done.splice(0)).toEqual(['start', 'undo', 'start', 'undo', 'start', 'undo']);
  await expect(onFreePorts(start(['redis did not start: out of memory']), undo)).rejects.toThrow('out of memory');
  expect(done).toEqual(['start', 'undo']);
});

verifies('REL-CHAOS-06', 'processes that wait for a processor make the time limits longer', async () => {
  const load = new MachineLoad();
  const from = nowMs();
  expect(load.factor).toBe(1);
  // Three for each processor, so that each of them waits two thirds of its time.
  const busy = Array.from({ length: 3 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  onTestFinished(() => {
    for (const child of busy) child.kill('SIGKILL');
    load.close();
  });
  load.watch(() => busy.flatMap(({ pid }) => pid ?? []));
  await expect.poll(() => load.factor).toBeGreaterThan(1.5);
  await expect.poll(() => load.factorBetween(from, nowMs())).toBeGreaterThan(1.5);
  expect(load.factorBetween(from - 20_000, from - 10_000)).toBe(1);
});

describe('the TCP proxy', () => {
  async function echoBehindWire(): Promise<{ wire: Wire; dial: () => Socket }> {
    const echo = createServer((socket) => void socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const wire = new Wire(() => (echo.address() as AddressInfo).port);
    const port = await wire.listen();
    const open = new Set<Socket>();
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
      wire.close();
      echo.close();
    });
    const dial = () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      open.add(socket);
      return socket;
    };
    return { wire, dial };
  }

  const ping = async (socket: Socket) => {
    socket.write('ping');
    const [answer] = await once(socket, 'data');
    return String(answer);
  };

  verifies('REL-CHAOS-03', 'cuts connections and refuses new ones until it is healed', async () => {
    const { wire, dial } = await echoBehindWire();
    const first = dial();
    expect(await ping(first)).toBe('ping');
    const closed = (socket: Socket) => new Promise<void>((resolve) => socket.on('close', () => resolve()));
    const cut = closed(first);
    wire.cut();
    await cut;
    await closed(dial());
    wire.heal();
    expect(await ping(dial())).toBe('ping');
  });

  verifies('REL-CHAOS-03', 'delays, and keeps the order', async () => {
    const { wire, dial } = await echoBehindWire();
    wire.delay(100);
    const socket = dial();
    const from = performance.now();
    expect(await ping(socket)).toBe('ping');
    // In both directions. A timer may fire up to a millisecond early.
    expect(performance.now() - from).toBeGreaterThanOrEqual(198);
    socket.write('a');
    setTimeout(() => wire.heal(), 50);
    setTimeout(() => socket.write('b'), 60);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await expect.poll(() => text).toBe('ab');
  });

  verifies('REL-CHAOS-03', 'leaves connections open that carry nothing, and resets them in the end', async () => {
    const { wire, dial } = await echoBehindWire();
    const socket = dial();
    expect(await ping(socket)).toBe('ping');
    let isClosed = false;
    let answers = 0;
    socket.on('close', () => {
      isClosed = true;
    });
    wire.halfOpen(true);
    socket.on('data', () => answers++).write('ping');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([isClosed, answers]).toEqual([false, 0]);
    wire.heal();
    await expect.poll(() => isClosed).toBe(true);
    expect(await ping(dial())).toBe('ping');
  });
});

verifies('REL-CHAOS-04', 'missing programs and wrong options are named', () => {
  const run = (script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
    return spawnSync(process.execPath, [path, ...args], { env, encoding: 'utf8' });
  };
  expect(run('scripts/extra.js', ['chaos'], { PATH: '/nonexistent' })).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('need redis-server, haproxy, util-linux'),
  });
  expect(run('scripts/extra.js', ['chaos'], { PATH: '/nonexistent', CI: '1' }).status).toBe(1);
  expect(run('chaos/dist/run.js', ['--faults', 'many'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('need an integer'),
  });
});
