import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject, onTestFinished } from 'vitest';
import { runHosted } from './command-hosts.js';

export const BINARY = fileURLToPath(new URL('../bin/a2c.js', import.meta.url));
/** The same command, bundled: it starts faster. */
export const COMMAND = join(inject('commands'), 'a2c.js');
export const COMPUTER_BINARY = fileURLToPath(new URL('../bin/a2c-computer.js', import.meta.url));

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the reply of any command; the test knows its type
export type Reply = any;

/** The MCP server of the hub's tests, as an entry of a configuration. */
export function workshop(name: string, fields: object = {}, env: Readonly<Record<string, string>> = {}): object {
  const path = fileURLToPath(new URL('../../hub/test/servers/workshop.mjs', import.meta.url));
  const server_parameters = { command: process.execPath, args: [path], env };
  return { name, type: 'stdio', server_parameters, default_tool_meta: { auto_apply: true }, ...fields };
}

/**
 * A temporary folder with the given files and a temporary home, to run the built command line in. The commands of a
 * test file share processes; `BINARY` is for tests of a process itself.
 */
export class Workplace {
  readonly folder: string;
  readonly home: string;

  constructor(files: Readonly<Record<string, string | object>> = {}) {
    this.folder = mkdtempSync(join(tmpdir(), 'a2c-cli-'));
    this.home = mkdtempSync(join(tmpdir(), 'a2c-home-'));
    onTestFinished(() => {
      for (const folder of [this.folder, this.home]) rmSync(folder, { recursive: true, force: true });
    });
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  write(name: string, content: string | object): void {
    const file = this.path(name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** The path in the folder or, with `~/`, in the home. */
  path(name: string): string {
    return name.startsWith('~/') ? join(this.home, name.slice(2)) : join(this.folder, name);
  }

  a2c(...args: string[]): Promise<Finished> {
    return this.a2cWith({}, ...args);
  }

  /** Runs `a2c` with additional environment variables. */
  a2cWith(more: Readonly<Record<string, string>>, ...args: string[]): Promise<Finished> {
    const home = { HOME: this.home, USERPROFILE: this.home, XDG_CONFIG_HOME: join(this.home, '.config') };
    const env = { ...process.env, ...home, A2C_HOME: this.home, NO_COLOR: '1', ...more };
    return runHosted({ args, cwd: this.folder, env, input: '' });
  }

  /** Runs `a2c-computer` with these lines on its standard input. */
  computer(lines: readonly string[], args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
    return runHosted({
      args: ['computer', ...args],
      cwd: this.folder,
      env: { ...process.env, A2C_HOME: this.home, LC_ALL: 'C', ...env },
      input: lines.map((line) => `${line}\n`).join(''),
    });
  }

  /** Runs `a2c-computer --json` and returns one value per reply. */
  async replies(lines: readonly string[], args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
    const { stdout, ...rest } = await this.computer(lines, [...args, '--json'], env);
    const printed = stdout.split('\n').filter((line) => line !== '');
    return { ...rest, replies: printed.map((line) => JSON.parse(line) as Reply) };
  }

  async json<T>(...args: string[]): Promise<T> {
    const { stdout } = await this.a2c(...args, '--json');
    return JSON.parse(stdout) as T;
  }
}
