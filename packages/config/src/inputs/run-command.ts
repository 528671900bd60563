import { spawn } from 'node:child_process';

export interface CommandLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export const COMMAND_LIMITS: CommandLimits = { timeoutMs: 30_000, maxBytes: 1024 * 1024 };

/** Characters that only a shell interprets. Quotes are not among them: `words` handles them. */
const NEEDS_SHELL = /[|&;<>()$`\\*?[\]{}~#!%^\n\r]|^\s*\w+=/;

/**
 * Runs a command and returns its trimmed output. A shell is used only when the command needs one; `args` are never
 * interpreted by it. Errors contain the exit code but not the output, which may be a secret.
 */
export function runCommand(command: string, args: readonly string[], limits = COMMAND_LIMITS): Promise<string> {
  const [program, argv] = commandLine(command, args);
  return new Promise((resolve, reject) => {
    // In a process group of its own, so that the time limit also ends the children of the command.
    const child = spawn(program, argv, {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let failure: string | undefined;
    const end = (reason: string) => {
      failure ??= reason;
      endGroup(child.pid);
      child.stdout.destroy();
    };
    const timer = setTimeout(() => end(`took longer than ${limits.timeoutMs / 1000} s`), limits.timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.maxBytes) end(`printed more than ${limits.maxBytes} bytes`);
      else chunks.push(chunk);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(new Error(`could not be started (${error.code ?? 'unknown error'})`));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (failure !== undefined) reject(new Error(failure));
      else if (code !== 0) reject(new Error(code === null ? `was ended by ${signal}` : `exited with ${code}`));
      else resolve(Buffer.concat(chunks).toString('utf8').trim());
    });
  });
}

/** The program and the arguments that `runCommand` starts. */
export function commandLine(command: string, args: readonly string[]): [string, string[]] {
  const split = NEEDS_SHELL.test(command) ? undefined : words(command);
  if (split?.[0] !== undefined) return [split[0], [...split.slice(1), ...args]];
  if (process.platform === 'win32') return [process.env.ComSpec ?? 'cmd.exe', ['/d', '/s', '/c', command, ...args]];
  return ['/bin/sh', ['-c', args.length > 0 ? `${command} "$@"` : command, 'sh', ...args]];
}

/** Splits at spaces outside quotes; undefined when a quote is never closed: the shell then reports the error. */
function words(command: string): string[] | undefined {
  const pattern = /\s*((?:[^\s"']|"[^"]*"|'[^']*')+)\s*/y;
  const found: string[] = [];
  while (pattern.lastIndex < command.length) {
    const match = pattern.exec(command);
    if (!match?.[1]) return undefined;
    found.push(
      match[1].replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
    );
  }
  return found;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ESRCH: the process has already ended.
  }
}
