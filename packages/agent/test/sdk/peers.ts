import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The published versions of the Python SDK that are tested, one for each generation. */
export const SDK_VERSIONS = ['0.1.6', '0.2.2', '0.3.3', '0.4.2'] as const;
export type SdkVersion = (typeof SDK_VERSIONS)[number];

export const TOOLS_SERVER = script('tools_server.py');

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'a2c-interop');
/** What the SDK needs and does not declare in every version. */
const MORE_PACKAGES = ['pyyaml', 'uvicorn', 'aiohttp', 'requests', 'websocket-client'];

function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** The interpreter of a virtual environment with this version. It is created once and kept in the cache folder. */
export function pythonOf(version: SdkVersion): string {
  const folder = join(CACHE, `python-${version}`);
  const python = join(folder, 'bin', 'python');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return python;
  mkdirSync(CACHE, { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  execFileSync('python3', ['-m', 'venv', folder]);
  const packages = [`a2c-smcp[cli]==${version}`, ...MORE_PACKAGES];
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
  writeFileSync(complete, '');
  return python;
}

/** A program of the SDK. It ends with its standard input. */
export class SdkPeer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #values: unknown[] = [];
  readonly #waiting: ((value: unknown) => void)[] = [];
  #stderr = '';

  constructor(version: SdkVersion, program: string, ...args: string[]) {
    this.#child = spawn(pythonOf(version), [script(program), ...args]);
    this.#child.stderr.on('data', (text) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-2_000);
    });
    // The SDK logs to standard output too.
    createInterface(this.#child.stdout).on('line', (line) => {
      if (!line.startsWith('@@')) return;
      const value: unknown = JSON.parse(line.slice(2));
      const take = this.#waiting.shift();
      if (take) take(value);
      else this.#values.push(value);
    });
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  /** The next value that the program prints. Rejects when it ends. */
  next(): Promise<unknown> {
    if (this.#values.length > 0) return Promise.resolve(this.#values.shift());
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve);
      this.#child.once('exit', () => reject(new Error(`the program ended: ${this.#stderr}`)));
    });
  }

  write(value: unknown): void {
    this.#child.stdin.write(`${JSON.stringify(value)}\n`);
  }
}

export async function sdkComputer(version: SdkVersion, url: string, office: string, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-sdk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await new SdkPeer(version, 'sdk_computer.py', url, office, name, folder, TOOLS_SERVER).next();
}

/** The URL of a signalling server of the SDK. */
export async function sdkServer(version: SdkVersion): Promise<string> {
  return `http://127.0.0.1:${await new SdkPeer(version, 'sdk_server.py').next()}`;
}
