import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** Runs a script until the test ends. Returns the address from its line `ready <address>`. */
export async function serving(file: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, where] = line.split(' ');
    if (word === 'ready' && where) return where;
  }
  throw new Error(`${file} ended before it was ready`);
}
