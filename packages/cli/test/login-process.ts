import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { approve } from '@a2c/test-authorization-server';
import { COMMAND, type Finished, type Workplace } from './a2c.js';

/**
 * Runs `a2c login …`, or another command with what is typed in. `onUrl` opens the address that it prints; what it
 * returns is typed in.
 */
export async function loginProcess(
  { folder, home }: Workplace,
  args: readonly string[],
  onUrl: (url: string) => Promise<unknown> = approve,
  { command = 'login', input = '' }: { readonly command?: string; readonly input?: string } = {},
): Promise<Finished> {
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, BROWSER: _browser, ...inherited } = process.env;
  const env = { ...inherited, HOME: home, A2C_HOME: home, A2C_VAULT: 'file', NO_COLOR: '1' };
  const child = spawn(process.execPath, [COMMAND, command, ...args], { cwd: folder, env });
  if (input !== '') child.stdin.end(input);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  createInterface({ input: child.stderr }).on('line', async (line) => {
    stderr += `${line}\n`;
    if (!/^https?:/.test(line)) return;
    const typed = await onUrl(line);
    if (typeof typed === 'string') child.stdin.end(`${typed}\n`);
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}
