import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';

const run = promisify(execFile);

/** The published versions of the Python SDK that are tested, one for each generation. */
export const SDK_VERSIONS = ['0.1.6', '0.2.2', '0.3.3', '0.4.2'] as const;
export type SdkVersion = (typeof SDK_VERSIONS)[number];

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'a2c-interop');
/** What the SDK needs and does not declare in every version. */
const MORE_PACKAGES = ['pyyaml', 'uvicorn', 'aiohttp', 'requests', 'websocket-client', 'werkzeug'];

/** The virtual environment with this version. */
const folderOf = (version: SdkVersion): string => join(CACHE, `python-${version}`);
const pythonIn = (folder: string): string => join(folder, 'bin', 'python');

/**
 * The processes of a test file, one for each version of the SDK: started when they are first used, and ended with the
 * file. Creates the virtual environments that do not exist yet; they are kept in the cache folder.
 */
export function sdkProcesses(): (version: SdkVersion) => SdkProcess {
  const started = new Map<SdkVersion, SdkProcess>();
  beforeAll(installAll, 900_000);
  afterAll(() => {
    for (const sdk of started.values()) sdk.kill();
  });
  return (version) => {
    const sdk = started.get(version) ?? new SdkProcess(version);
    started.set(version, sdk);
    return sdk;
  };
}

/** The version whose environment has the packages that all versions use. */
const FIRST = '0.4.2' satisfies SdkVersion;

async function installAll(): Promise<void> {
  await install(FIRST);
  await Promise.all(SDK_VERSIONS.filter((version) => version !== FIRST).map(install));
}

/**
 * Created aside and renamed: another test file may create it at the same time. The other versions find the packages of
 * the first: `pip` installs only what these do not satisfy. That takes 3 seconds instead of a minute each.
 */
async function install(version: SdkVersion): Promise<void> {
  const folder = folderOf(version);
  const packages = [`a2c-smcp[cli]==${version}`, ...MORE_PACKAGES];
  const wanted = packages.join('\n');
  const complete = join(folder, 'complete');
  const isComplete = () => existsSync(complete) && readFileSync(complete, 'utf8') === wanted;
  if (isComplete()) return;
  mkdirSync(CACHE, { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  const aside = mkdtempSync(`${folder}-`);
  try {
    const isFirst = version === FIRST;
    await run('python3', ['-m', 'venv', ...(isFirst ? [] : ['--without-pip']), aside]);
    if (!isFirst) writeFileSync(join(await packagesOf(aside), 'first.pth'), await packagesOf(folderOf(FIRST)));
    await run(pythonIn(aside), ['-m', 'pip', 'install', '--quiet', ...packages]);
    writeFileSync(join(aside, 'complete'), wanted);
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!isComplete()) throw error;
  }
}

/** The folder of an environment that contains its packages. */
async function packagesOf(folder: string): Promise<string> {
  const { stdout } = await run(pythonIn(folder), ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
  return stdout.trim();
}

/** An error that a peer reports: the code and the reason are those of the protocol. */
export class PeerError extends Error {
  readonly code: number | null | undefined;
  readonly reason: string | null | undefined;
  /** In a refused version: that of the server. */
  readonly serverVersion: string | null | undefined;

  constructor(message: string, code?: number | null, reason?: string | null, serverVersion?: string | null) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.serverVersion = serverVersion;
  }
}

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** A process of one version of the SDK, which holds Agents, Computers and servers. */
export class SdkProcess {
  readonly version: SdkVersion;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #pending = new Map<number, Pending>();
  #stderr = '';
  #next = 1;

  constructor(version: SdkVersion) {
    this.version = version;
    this.#child = spawn(pythonIn(folderOf(version)), [fileURLToPath(new URL('peer.py', import.meta.url))], {
      env: { ...process.env, A2C_UPLOAD_IDLE_TIMEOUT: '3' },
    });
    this.#child.stderr.on('data', (text) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-2_000);
    });
    // The SDK logs to standard output too.
    createInterface(this.#child.stdout).on('line', (line) => line.startsWith('@@') && this.#answered(line.slice(2)));
    this.#child.once('exit', () => {
      for (const { reject } of this.#pending.values()) reject(new Error(`${version} ended: ${this.#stderr}`));
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Sends a request; resolves to its value. */
  ask<T = unknown>(command: string, request: Record<string, unknown> = {}): Promise<T> {
    const id = this.#next++;
    const answer = new Promise<T>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#child.stdin.write(`${JSON.stringify({ id, do: command, ...request })}\n`);
    return answer;
  }

  #answered(line: string): void {
    const { id, value, error } = JSON.parse(line);
    const { resolve, reject } = this.#pending.get(id) as Pending;
    this.#pending.delete(id);
    if (error) reject(new PeerError(error.message, error.code, error.reason, error.server_version));
    else resolve(value as never);
  }
}
