import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type { Finished } from './a2c.js';

export interface CommandRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
}

const HOST = fileURLToPath(new URL('command-host.mjs', import.meta.url));
/** Commands of one test may depend on each other, so several run at the same time. */
const MAX_HOSTS = 4;

const idle: ChildProcess[] = [];
const all = new Set<ChildProcess>();
const waiting: (() => void)[] = [];

/** Runs a command line in a process that other commands have used, or in a new one. */
export async function runHosted(command: CommandRun): Promise<Finished> {
  while (idle.length === 0 && all.size >= MAX_HOSTS) await new Promise<void>((resolve) => waiting.push(resolve));
  const host = idle.pop() ?? start();
  try {
    const { reusable, ...finished } = await send(host, command);
    if (reusable) idle.push(host);
    else stop(host);
    return finished;
  } catch (error) {
    stop(host);
    throw error;
  } finally {
    waiting.shift()?.();
  }
}

function start(): ChildProcess {
  const host = fork(HOST, [join(inject('commands'), 'main.js')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  });
  all.add(host);
  // It ends with the process of the tests.
  host.unref();
  host.channel?.unref();
  return host;
}

function stop(host: ChildProcess): void {
  all.delete(host);
  host.kill('SIGKILL');
}

async function send(host: ChildProcess, command: CommandRun): Promise<Finished & { readonly reusable: boolean }> {
  if (!host.connected) throw new Error('the process of the commands has ended');
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the process of the commands ended with ${code}`));
    const onMessage = (message: unknown) => {
      if (message === 'ready') return;
      host.off('exit', onExit).off('message', onMessage);
      resolve(message as Finished & { readonly reusable: boolean });
    };
    host.on('exit', onExit).on('message', onMessage);
    host.send(command);
  });
}
