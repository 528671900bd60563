import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject, onTestFinished } from 'vitest';

/** Returns an unused port, for programs that cannot pick one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Receives the function that kills a program and its children. */
type OnStarted = (kill: () => Promise<void>) => void;

/** Starts a program. It and its children are killed when the test ends, or when `onStarted` decides. */
export function run(
  command: string,
  args: readonly string[],
  stdin = '',
  onStarted: OnStarted = onTestFinished,
): ChildProcess {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  child.stdin?.end(stdin);
  onStarted(async () => {
    const ended = child.exitCode !== null || child.signalCode !== null || once(child, 'exit');
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await ended;
  });
  return child;
}

/** Waits for output that matches. */
export function line(child: ChildProcess, pattern: RegExp, ms = 30_000): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`no output matched ${pattern} within ${ms} ms: ${text}`)), ms);
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      const match = pattern.exec(text);
      if (!match) return;
      clearTimeout(timer);
      resolve(match);
    });
  });
}

export interface NodeProcess {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Runs a script, which uses the bundled build, until it prints `ready <url>`. */
export async function startScript(
  script: string,
  nodeOptions: readonly string[] = [],
  onStarted?: OnStarted,
): Promise<NodeProcess> {
  const bundle = `(await import('${pathToFileURL(join(inject('commands'), 'server.js'))}')).default`;
  const bundled = script.replace(/import (\{.*\}) from '@a2c\/server'/, `const $1 = ${bundle}`);
  const child = run(process.execPath, [...nodeOptions, '--input-type=module', '--eval', bundled], '', onStarted);
  const [, url = ''] = await line(child, /ready (\S+)/);
  return { url, child };
}

/** Starts a signalling server in a process of its own. SIGTERM drains and closes it. */
export function startNode(options: object, port = 0): Promise<NodeProcess> {
  return startScript(`
    import { allowAnonymous, listen } from '@a2c/server';
    const { url, server, close } = await listen({ authenticate: allowAnonymous, port: ${port}, logger: { debug() {}, info() {}, warn() {}, error(fields, message) { console.error(message, fields); } }, ...${JSON.stringify(options)} });
    process.once('SIGTERM', () => server.drain(20_000).then(close));
    console.log('ready ' + url);`);
}

export async function startRedis(port: number): Promise<ChildProcess> {
  const child = run('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  await line(child, /Ready to accept connections/);
  return child;
}
