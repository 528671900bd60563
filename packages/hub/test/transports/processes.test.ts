import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { verifies } from '@a2c/requirements';
import { describe, expect, inject, onTestFinished } from 'vitest';
import type { ServerTransport } from '../../src/transports/server-transport.js';
import { call, connect, isAlive, odd, open, script, until } from './harness.js';

/** The built package. */
const BUNDLE = pathToFileURL(join(inject('commands'), 'hub.js'));
const LEGACY = { versionNegotiation: { mode: 'legacy' } } as const;

/** How long closing took, in ms. */
async function timeToClose(transport: ServerTransport): Promise<number> {
  const began = performance.now();
  await transport.close();
  return performance.now() - began;
}

async function grandchildOf(transport: ServerTransport): Promise<number> {
  const found = () => /grandchild (\d+)/.exec(transport.diagnostics().stderr)?.[1];
  await until(() => found() !== undefined, 'the grandchild');
  return Number(found());
}

describe('stopping', () => {
  verifies('HUB-STDIO-10', 'a child that exits with its stdin is not waited for', async () => {
    const { transport } = await connect(odd(), { limits: { stopGraceMs: 60_000 } }, LEGACY);
    expect(await timeToClose(transport)).toBeLessThan(30_000);
    expect(transport.diagnostics().ended).toBe('exited with code 0');
  });

  verifies('HUB-STDIO-10', 'one that does not gets SIGTERM', async () => {
    const { transport } = await connect(odd('ignore-eof'), { limits: { stopGraceMs: 200 } }, LEGACY);
    expect(await timeToClose(transport)).toBeGreaterThanOrEqual(190);
    expect(transport.diagnostics().ended).toBe('was ended by SIGTERM');
  });

  verifies('HUB-STDIO-10', 'one that ignores that too gets SIGKILL', async () => {
    const { transport } = await connect(odd('ignore-sigterm'), { limits: { stopGraceMs: 200 } }, LEGACY);
    const closing = [transport.close(), transport.close()];
    expect(await timeToClose(transport)).toBeGreaterThanOrEqual(380);
    await Promise.all(closing);
    expect(transport.diagnostics().ended).toBe('was ended by SIGKILL');
  });

  verifies('HUB-STDIO-10', 'many at once takes as long as the slowest', async () => {
    const limits = { stopGraceMs: 1_000 };
    const all = await Promise.all(Array.from({ length: 8 }, () => connect(odd('ignore-sigterm'), { limits }, LEGACY)));
    const began = performance.now();
    await Promise.all(all.map(({ transport }) => transport.close()));
    expect(performance.now() - began).toBeLessThan(all.length * 2_000); // each takes two periods;
  });

  for (const kind of ['grandchild', 'stubborn-grandchild']) {
    verifies('HUB-STDIO-11', `also ends a ${kind}`, async () => {
      const { transport } = await connect(odd(kind), { limits: { stopGraceMs: 300 } }, LEGACY);
      const grandchild = await grandchildOf(transport);
      expect(isAlive(grandchild)).toBe(true);
      await transport.close();
      await until(() => !isAlive(grandchild), 'the end of the grandchild');
    });

    verifies('HUB-STDIO-11', `ends a ${kind} when the child exits by itself`, async () => {
      const { client, transport } = await connect(odd(kind, 'die-in-call'), { limits: { stopGraceMs: 300 } }, LEGACY);
      const grandchild = await grandchildOf(transport);
      await expect(call(client, 'echo', { text: 'x' })).rejects.toThrow('Connection closed');
      await until(() => !isAlive(grandchild), 'the end of the grandchild');
    });
  }

  verifies('HUB-STDIO-09', 'does not wait for a process outside the group that holds the pipe', async () => {
    // setsid leaves the group, so the process cannot be found.
    const leave = `
      const child = require('node:child_process').spawn('sleep', ['120'], { detached: true, stdio: 'inherit' });
      process.stderr.write('pid ' + child.pid);
      child.unref();`;
    const transport = await open({ ...odd(), argv: [process.execPath, '-e', leave] });
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await transport.start();
    const began = performance.now();
    await closed;
    expect(performance.now() - began).toBeLessThan(30_000);
    process.kill(Number(/^pid (\d+)$/.exec(transport.diagnostics().stderr)?.[1]));
  });

  verifies('HUB-STDIO-18', 'does not wait for a process outside the group that keeps writing', async () => {
    const leave = `
      const stdio = ['ignore', 'inherit', 'inherit'];
      const write = ['-c', 'while echo {}; do sleep 0.05; done'];
      const child = require('node:child_process').spawn('sh', write, { detached: true, stdio });
      process.stderr.write('pid ' + child.pid);
      child.unref();`;
    const transport = await open({ ...odd(), argv: [process.execPath, '-e', leave] });
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await transport.start();
    onTestFinished(() => {
      const pid = Number(/^pid (\d+)/.exec(transport.diagnostics().stderr)?.[1]);
      if (isAlive(pid)) process.kill(pid);
    });
    await closed;
  });
});

describe('when our process ends', () => {
  /** A process that starts a server and prints the ids of its processes. */
  const host = (behaviours: readonly string[], after: string) => {
    const program = `
      const { createClient, HUB_LIMITS: limits } = (await import('${BUNDLE}')).default;
      const transport = { type: 'stdio', env: {}, env_file: null, inherit_env: true, cwd: null, encoding: 'utf-8',
        encoding_error_handler: 'strict', stdout_log: null,
        argv: [process.execPath, ${JSON.stringify(script('odd.mjs'))}, ...${JSON.stringify(behaviours)}] };
      const timeouts = { timeout: null, sse_read_timeout: null };
      const client = createClient({ name: 's', transport, timeouts }, { root: process.cwd(), limits });
      const opened = await client.createTransport();
      await opened.start();
      const grandchild = () => /grandchild (\\d+)/.exec(opened.diagnostics().stderr)?.[1];
      while (${behaviours.some((one) => one.includes('grandchild'))} && !grandchild()) await new Promise((r) => setTimeout(r, 5));
      opened.onmessage = () => {
        console.log('pids', opened.diagnostics().pid, grandchild() ?? '');
        ${after}
      };
      await opened.send({ jsonrpc: '2.0', id: 1, method: 'ping' });`;
    return spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  };

  const pidsOf = async (child: ReturnType<typeof host>): Promise<number[]> => {
    let output = '';
    for await (const chunk of child.stdout ?? []) {
      output += String(chunk);
      const line = /^pids (.*)\n/m.exec(output)?.[1];
      if (line !== undefined) return line.trim().split(' ').map(Number);
    }
    throw new Error('the process ended without output');
  };

  const stubborn = ['ignore-sigterm', 'stubborn-grandchild'];
  const ways: [string, string, NodeJS.Signals | undefined][] = [
    ['is killed', '', 'SIGKILL'],
    ['exits', 'process.exit(0)', undefined],
    ['crashes', 'process.abort()', undefined],
  ];
  for (const [way, after, signal] of ways) {
    verifies('HUB-STDIO-12', `because it ${way}, the most stubborn child is gone two seconds later`, async () => {
      const child = host(stubborn, after);
      const pids = await pidsOf(child);
      expect(pids).toHaveLength(2);
      const exited = once(child, 'exit');
      if (signal) child.kill(signal);
      await exited;
      await until(() => pids.every((pid) => !isAlive(pid)), 'the end of all', 2_000);
    });
  }

  verifies('HUB-STDIO-12', 'because it has nothing more to do, the watchdog does not hold it', async () => {
    const child = host([], 'opened.close()');
    const [pid = 0] = await pidsOf(child);
    await once(child, 'exit');
    expect(isAlive(pid)).toBe(false);
  });
});
