import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const BINARY = fileURLToPath(new URL('../bin/a2c.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A throw-away folder with the given files, a throw-away home, and the built binary to run in them. */
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
    writeFileSync(join(this.folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  a2c(...args: string[]): Promise<Finished> {
    const env = { ...process.env, A2C_HOME: this.home, NO_COLOR: '1' };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [BINARY, ...args], { cwd: this.folder, env }, (_, stdout, stderr) => {
        resolve({ code: child.exitCode, stdout, stderr });
      });
    });
  }

  async json<T>(...args: string[]): Promise<T> {
    const { stdout } = await this.a2c(...args, '--json');
    return JSON.parse(stdout) as T;
  }
}
