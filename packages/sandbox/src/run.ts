import { SandboxError } from './errors.js';
import type { SandboxLimits } from './limits.js';
import { type FromWorker, type RunEnd, TURN } from './messages.js';
import type { HostFunction, RunOptions, RunOutcome } from './options.js';
import { readJson, writeJson } from './values.js';
import type { SandboxWorker, WorkerPool } from './worker-pool.js';

/** How often the main thread looks whether a worker is stuck inside the engine. */
const WATCH_MS = 100;

/** Some built-in functions cannot be interrupted from inside. The worker is ended this long after the CPU limit. */
const STUCK_GRACE_MS = 1_000;

/** Longer error messages of host functions are cut. */
const MESSAGE_CHARACTERS = 8_000;

/** One run seen from the main thread: it waits for a worker, answers the calls of the code, and ends exactly once. */
export class Run {
  readonly #pool: WorkerPool;
  readonly #limits: SandboxLimits;
  readonly #code: string;
  readonly #options: RunOptions;
  readonly #startedAt = performance.now();
  readonly #calls = new Map<number, AbortController>();
  /** Settles once, with the first reason to end. */
  readonly outcome: Promise<RunOutcome>;
  #resolve: (outcome: RunOutcome) => void = () => {};
  #reject: (error: SandboxError) => void = () => {};
  #worker: SandboxWorker | undefined;
  #output = '';
  #outputTruncated = false;
  #ended = false;
  /** Keeps the process alive while the run lasts. */
  readonly #timer: NodeJS.Timeout;
  #watch: NodeJS.Timeout | undefined;

  constructor(pool: WorkerPool, limits: SandboxLimits, code: string, options: RunOptions) {
    this.#pool = pool;
    this.#limits = limits;
    this.#code = code;
    this.#options = options;
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const wallMs = options.timeoutMs ?? limits.wallMs;
    const onTimeout = () => this.fail(new SandboxError('timeout', `the code took longer than ${wallMs} ms`));
    this.#timer = setTimeout(onTimeout, Math.min(wallMs, 2 ** 31 - 1));
    options.signal?.addEventListener('abort', this.#onAbort);
    pool.acquire(this);
  }

  readonly #onAbort = () => this.fail(new SandboxError('cancelled', 'the run was cancelled'));

  onFailure(error: SandboxError): void {
    this.#worker = undefined;
    this.fail(error);
  }

  onWorker(worker: SandboxWorker): void {
    this.#worker = worker;
    worker.listener = { onMessage: (message) => this.#onMessage(message), onFailure: (error) => this.onFailure(error) };
    this.#watch = setInterval(this.#watchTurns(worker), WATCH_MS);
    const { functions = {}, namespaces = {}, prelude } = this.#options;
    worker.send({
      type: 'run',
      code: this.#code,
      prelude,
      functions: Object.keys(functions),
      namespaces: Object.keys(namespaces),
    });
  }

  /** Ends the run from outside. The worker may be anywhere in the code, so it is ended too. */
  fail(error: SandboxError): void {
    this.#end(() => {
      if (this.#worker) this.#pool.discard(this.#worker);
      else this.#pool.cancel(this);
      const pending = this.#calls.size;
      this.#reject(
        new SandboxError(error.kind, pending > 0 ? `${error.message}; ${pending} calls were pending` : error.message, {
          output: this.#output,
          outputTruncated: this.#outputTruncated,
        }),
      );
    });
  }

  #watchTurns(worker: SandboxWorker): () => void {
    let last = 0;
    let since = performance.now();
    const { cpuMs } = this.#limits;
    return () => {
      const turn = Atomics.load(worker.counters, TURN);
      if (turn % 2 === 0 || turn !== last) since = performance.now();
      last = turn;
      if (performance.now() - since < cpuMs + STUCK_GRACE_MS) return;
      this.fail(new SandboxError('cpu-limit', `the code ran longer than ${cpuMs} ms of CPU time`));
    };
  }

  #onMessage(message: FromWorker): void {
    if (this.#ended) return;
    if (message.type === 'call') this.#answer(message.id, message.path, message.json);
    else if (message.type === 'print') this.#print(message.text, message.truncated);
    else if (message.type === 'end') this.#finish(message.end, message.reusable);
  }

  #print(text: string, truncated: boolean): void {
    this.#output += text;
    this.#outputTruncated = truncated;
    this.#options.onPrint?.(text);
  }

  #answer(id: number, path: readonly string[], json: string): void {
    const controller = new AbortController();
    this.#calls.set(id, controller);
    this.#invoke(path, json, controller.signal).then(
      (result) => this.#reply(id, { type: 'fulfilled', id, json: result }),
      (error: unknown) => this.#reply(id, { type: 'rejected', id, json: JSON.stringify(describe(error)) }),
    );
  }

  async #invoke(path: readonly string[], json: string, signal: AbortSignal): Promise<string | undefined> {
    const [root = ''] = path;
    const { functions = {}, namespaces = {} } = this.#options;
    const table: Readonly<Record<string, HostFunction>> = Object.hasOwn(functions, root) ? functions : namespaces;
    const host = Object.hasOwn(table, root) ? table[root] : undefined;
    if (!host) throw new Error(`${root} is no function of the host`);
    const args = readJson(json);
    if (!Array.isArray(args)) throw new TypeError(`the arguments of ${path.join('.')} are no list`);
    const result = writeJson(await host(args, { path, signal }));
    const bytes = result === undefined ? 0 : Buffer.byteLength(result);
    const { callResultBytes } = this.#limits;
    if (bytes <= callResultBytes) return result;
    throw new Error(`the result of ${path.join('.')} has ${bytes} bytes; the limit is ${callResultBytes}`);
  }

  #reply(id: number, message: Parameters<SandboxWorker['send']>[0]): void {
    this.#calls.delete(id);
    if (!this.#ended) this.#worker?.send(message);
  }

  #finish(end: RunEnd, reusable: boolean): void {
    this.#end(() => {
      const worker = this.#worker as SandboxWorker;
      if (reusable) this.#pool.release(worker);
      else this.#pool.discard(worker);
      const common = { output: this.#output, outputTruncated: this.#outputTruncated };
      const { calls, cpuMs, unawaited } = end;
      if (!end.ok) {
        const failure = { ...end.failure, ...common, calls, unawaited };
        this.#reject(new SandboxError(end.kind, end.message, failure));
        return;
      }
      const value = end.json === undefined ? undefined : readJson(end.json);
      const wallMs = performance.now() - this.#startedAt;
      this.#resolve({ value, ...common, calls, unawaited, cpuMs, wallMs });
    });
  }

  /** The first reason to end wins. Pending calls are aborted before the caller learns of the end. */
  #end(settle: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    for (const controller of this.#calls.values()) controller.abort(new SandboxError('cancelled', 'the run ended'));
    try {
      settle();
    } catch (error) {
      this.#reject(new SandboxError('engine', `the end of the run cannot be read: ${String(error)}`));
    }
  }
}

function describe(error: unknown): { name: string; message: string; code?: string | number } {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error).slice(0, MESSAGE_CHARACTERS) };
  const { code } = error as { code?: unknown };
  const known = typeof code === 'string' || typeof code === 'number' ? { code } : {};
  return { name: error.name, message: error.message.slice(0, MESSAGE_CHARACTERS), ...known };
}
