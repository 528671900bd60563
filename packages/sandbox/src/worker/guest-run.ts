import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import { SandboxError, type UnawaitedCall } from '../errors.js';
import type { SandboxLimits } from '../limits.js';
import type { FromWorker, RunEnd, ToWorker } from '../messages.js';
import { bootstrap, type ErrorDescription, type GuestConfig, type GuestEnd } from './bootstrap.js';
import type { Engine } from './engine.js';
import {
  BREAKING,
  engineFailure,
  lostCalls,
  PATH_BYTES,
  readDescription,
  readPath,
  thrownError,
} from './guest-reports.js';
import { jsonDepth } from './json-depth.js';
import { CODE_FILE, stripTypes, syntaxError, wrap } from './source.js';

/** Jobs (promise reactions) between two looks at the limits. */
const JOBS_PER_TURN = 256;

/** What a run needs of the worker around it. */
export interface RunHost {
  readonly limits: SandboxLimits;
  /** Odd while the engine runs; the main thread watches it. */
  readonly turn: Int32Array;
  post(message: FromWorker): void;
  /** Called once, with `broken` when the engine or the worker must not be used again. */
  onEnd(end: RunEnd, broken: boolean): void;
}

interface Waiting {
  readonly path: readonly string[];
  readonly json: string;
}

/** One run of code in a fresh engine, until it ends or a limit ends it. */
export class GuestRun {
  readonly #host: RunHost;
  readonly #engine: Engine;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  #bridge: { start: QuickJSHandle; settle: QuickJSHandle; describe: QuickJSHandle } | undefined;
  #ended = false;
  #cpuMs = 0;
  #enteredAt = 0;
  #cpuExceeded = false;
  #calls = 0;
  #outputBytes = 0;
  #queuedBytes = 0;
  #outputTruncated = false;
  readonly #running = new Map<number, Waiting>();
  readonly #queue = new Map<number, Waiting>();
  readonly #paths = new Map<string, readonly string[]>();
  #lastId = 0;
  readonly #sleeps = new Map<number, NodeJS.Timeout>();

  constructor(engine: Engine, host: RunHost) {
    this.#host = host;
    this.#engine = engine;
    this.#runtime = engine.newRuntime();
    this.#runtime.setMemoryLimit(host.limits.memoryBytes);
    this.#runtime.setMaxStackSize(host.limits.stackBytes);
    this.#runtime.setInterruptHandler(() => this.#overCpu());
    this.#context = this.#runtime.newContext();
  }

  async start({ code, prelude, functions, namespaces }: ToWorker & { type: 'run' }): Promise<void> {
    await this.#guard(async () => {
      const main = await this.#compile(code);
      this.#inside(() => {
        this.#install({ functions, namespaces, ...this.#host.limits });
        if (prelude !== undefined) this.#must(this.#context.evalCode(prelude, 'prelude.js'), 'the prelude failed');
        // Evaluated again: the first time was before the bootstrap, and code that closes the wrapper runs at once.
        const value = this.#must(this.#context.evalCode(main, CODE_FILE));
        this.#must(this.#context.callFunction(this.#guest.start, this.#context.undefined, value));
      });
      this.#runJobs();
    });
  }

  /** The answer of the main thread to a call. Answers that arrive after the end are ignored. */
  settle(message: ToWorker & { type: 'fulfilled' | 'rejected' }): void {
    if (!this.#running.delete(message.id)) return;
    for (const [id, waiting] of this.#queue) {
      this.#queue.delete(id);
      this.#queuedBytes -= waiting.json.length;
      this.#send(id, waiting);
      break;
    }
    this.#resume(message.id, message.type === 'fulfilled', message.json);
  }

  /** JavaScript source of the code: the code itself if it parses, else the code without its types. */
  async #compile(code: string): Promise<string> {
    const first = this.#parse(code);
    if (first === undefined) return wrap(code);
    const turn = this.#host.turn;
    Atomics.add(turn, 0, 1);
    let stripped: string;
    try {
      stripped = await stripTypes(code);
    } catch (error) {
      if (error instanceof SandboxError) throw error;
      // Deep nesting exhausts the stack of the stripper, as a RangeError or as a trap of its WebAssembly.
      throw new SandboxError('stack-limit', 'the code is nested too deeply to be parsed');
    } finally {
      Atomics.add(turn, 0, 1);
    }
    const second = stripped === code ? first : this.#parse(stripped);
    if (second) throw second;
    return wrap(stripped);
  }

  /** Parses without running: the source is one function that is never called. */
  #parse(code: string): SandboxError | undefined {
    return this.#inside(() => {
      const result = this.#context.evalCode(`(function(){return ${wrap(code)}})`, CODE_FILE);
      if (!result.error) {
        result.value.dispose();
        return undefined;
      }
      const name = this.#property(result.error, 'name');
      const message = this.#property(result.error, 'message');
      if (name !== 'SyntaxError') throw this.#failureOf({ name, message, stack: '' });
      const line = /:(\d+):\d+/.exec(this.#property(result.error, 'stack'))?.[1];
      return syntaxError(code, message, Number(line ?? 1));
    });
  }

  #install(config: GuestConfig): void {
    const context = this.#context;
    const host = context.newObject();
    const define = (name: string, body: (...args: QuickJSHandle[]) => void) =>
      context.newFunction(name, body).consume((handle) => context.setProp(host, name, handle));
    define('call', (message) => this.#onCall(this.#text(message)));
    define('sleep', (id, ms) => this.#onSleep(this.#number(id), this.#number(ms)));
    define('print', (text) => this.#onPrint(this.#text(text)));
    define('end', (how, text, rejected) => {
      const isText = context.typeof(text as QuickJSHandle) === 'string';
      this.#onEnd(this.#text(how) as GuestEnd, isText ? this.#text(text) : undefined, this.#text(rejected));
    });
    const install = this.#must(context.evalCode(`(${bootstrap.toString()})`, 'bootstrap.js'));
    const settings = this.#must(context.evalCode(`(${JSON.stringify(config)})`, 'bootstrap.js'));
    const bridge = this.#must(context.callFunction(install, context.undefined, host, settings));
    this.#bridge = {
      start: context.getProp(bridge, 'start'),
      settle: context.getProp(bridge, 'settle'),
      describe: context.getProp(bridge, 'describe'),
    };
  }

  get #guest() {
    if (!this.#bridge) throw new Error('the bootstrap has not run');
    return this.#bridge;
  }

  #onCall(message: string): void {
    if (!this.#countCall()) return;
    const [pathAt, jsonAt] = [message.indexOf('\n') + 1, message.indexOf('\n', message.indexOf('\n') + 1) + 1];
    const id = Number(message.slice(0, pathAt));
    const pathJson = message.slice(pathAt, jsonAt - 1);
    const json = message.slice(jsonAt);
    if (!this.#isNext(id)) return;
    const { argumentBytes, depth, callsInFlight, memoryBytes } = this.#host.limits;
    const path = this.#path(pathJson);
    if (!path || Buffer.byteLength(json) > argumentBytes || jsonDepth(json) > depth + 1) {
      const reason = `the name or the arguments exceed the limits: ${PATH_BYTES} bytes, ${argumentBytes} bytes, ${depth} levels`;
      this.#running.set(id, { path: [], json: '' });
      // Not from inside the call: the engine is not re-entered.
      setImmediate(() => this.#resume(id, false, JSON.stringify({ name: 'Error', message: reason })));
      return;
    }
    if (this.#running.size < callsInFlight) {
      this.#send(id, { path, json });
      return;
    }
    this.#queue.set(id, { path, json });
    this.#queuedBytes += json.length;
    if (this.#queuedBytes <= memoryBytes) return;
    this.#fail(new SandboxError('memory-limit', `calls that wait hold more than ${memoryBytes} bytes of arguments`));
  }

  /** Loops use the same names again. */
  #path(json: string): readonly string[] | undefined {
    const known = this.#paths.get(json);
    if (known) return known;
    const path = readPath(json);
    if (path) this.#paths.set(json, path);
    return path;
  }

  #send(id: number, waiting: Waiting): void {
    this.#running.set(id, waiting);
    this.#host.post({ type: 'call', id, ...waiting });
  }

  /** Ids only grow. Code that got hold of our functions could otherwise replace a call that is running. */
  #isNext(id: number): boolean {
    if (id > this.#lastId) {
      this.#lastId = id;
      return true;
    }
    this.#fail(new SandboxError('engine', 'the code made a call in a way that is not provided'));
    return false;
  }

  #onSleep(id: number, ms: number): void {
    if (!this.#countCall() || !this.#isNext(id)) return;
    const wake = () => {
      this.#sleeps.delete(id);
      this.#resume(id, true, undefined);
    };
    this.#sleeps.set(id, setTimeout(wake, Math.min(Math.max(ms, 0), 2 ** 31 - 1)));
  }

  #countCall(): boolean {
    if (this.#ended) return false;
    const { calls } = this.#host.limits;
    if (++this.#calls <= calls) return true;
    this.#fail(new SandboxError('too-many-calls', `the code made more than ${calls} calls; fetch more with each call`));
    return false;
  }

  #onPrint(text: string): void {
    if (this.#ended || this.#outputTruncated) return;
    const bytes = Buffer.from(text);
    const left = this.#host.limits.outputBytes - this.#outputBytes;
    this.#outputTruncated = bytes.length > left;
    this.#outputBytes += bytes.length;
    const kept = this.#outputTruncated ? new TextDecoder().decode(bytes.subarray(0, left), { stream: true }) : text;
    this.#host.post({ type: 'print', text: kept, truncated: this.#outputTruncated });
  }

  #onEnd(how: GuestEnd, text: string | undefined, rejected: string): void {
    const lost = lostCalls(rejected);
    const failure = this.#judge(how, text);
    if (failure) this.#fail(failure, lost);
    else this.#finish({ ok: true, json: text, ...this.#facts(lost) }, false);
  }

  /** Why what the code ended with is no result; undefined when it is one. */
  #judge(how: GuestEnd, text: string | undefined): SandboxError | undefined {
    const { resultBytes, depth } = this.#host.limits;
    if (how === 'error') return this.#failureOf(readDescription(text));
    // Code that catches the interruption has still used up its time.
    if (this.#cpuExceeded) return this.#cpuError();
    if (how === 'invalid') return new SandboxError('result-invalid', `${text}`);
    const bytes = how === 'too-large' ? text : Buffer.byteLength(text ?? '');
    if (how === 'too-large' || Number(bytes) > resultBytes) {
      const message = `the result has ${bytes} bytes; the limit is ${resultBytes}. Return only what is needed`;
      return new SandboxError('result-too-large', message);
    }
    if (jsonDepth(text ?? '') <= depth) return undefined;
    return new SandboxError('result-invalid', `the result is nested deeper than ${depth} levels`);
  }

  /** The error for something thrown in the code and not caught there. */
  #failureOf(thrown: ErrorDescription): SandboxError {
    if (this.#cpuExceeded) return this.#cpuError();
    // The engine throws null when it has no memory left for an error.
    return thrown.isNull && this.#isExhausted ? this.#memoryError() : thrownError(thrown, this.#host.limits);
  }

  /** Whether the code has used up its memory at some time. */
  get #isExhausted(): boolean {
    return this.#engine.memoryBytes > this.#host.limits.memoryBytes;
  }

  #resume(id: number, fulfilled: boolean, json: string | undefined): void {
    void this.#guard(() => {
      this.#running.delete(id);
      if (this.#ended) return;
      this.#inside(() => {
        const context = this.#context;
        const text = json === undefined ? context.undefined : context.newString(json);
        const state = fulfilled ? context.true : context.false;
        const number = context.newNumber(id);
        this.#must(context.callFunction(this.#guest.settle, context.undefined, number, state, text)).dispose();
        number.dispose();
        text.dispose();
      });
      this.#runJobs();
    });
  }

  #runJobs(): void {
    while (!this.#ended && this.#runtime.hasPendingJob()) {
      this.#inside(() => {
        const result = this.#runtime.executePendingJobs(JOBS_PER_TURN);
        if (result.error) throw this.#thrown(result.error);
      });
      if (this.#overCpu()) throw this.#cpuError();
    }
    if (this.#ended || this.#running.size + this.#sleeps.size > 0) return;
    // Without memory, the engine can also lose the job that would have continued.
    if (this.#isExhausted) throw this.#memoryError();
    this.#fail(
      new SandboxError('stalled', 'the code waits for a promise that nothing can settle; only calls and sleep can'),
    );
  }

  /** Counts the time inside the engine and shows the main thread that it is there. */
  #inside<T>(body: () => T): T {
    this.#enteredAt = performance.now();
    Atomics.add(this.#host.turn, 0, 1);
    try {
      return body();
    } finally {
      Atomics.add(this.#host.turn, 0, 1);
      this.#cpuMs += performance.now() - this.#enteredAt;
      this.#enteredAt = 0;
    }
  }

  /** The engine's interrupt handler. True also after the end, so that code that goes on is stopped. */
  #overCpu(): boolean {
    const used = this.#cpuMs + (this.#enteredAt === 0 ? 0 : performance.now() - this.#enteredAt);
    this.#cpuExceeded ||= used > this.#host.limits.cpuMs;
    return this.#cpuExceeded || this.#ended;
  }

  #cpuError(): SandboxError {
    return new SandboxError('cpu-limit', `the code ran longer than ${this.#host.limits.cpuMs} ms of CPU time`);
  }

  #memoryError(): SandboxError {
    return new SandboxError('memory-limit', `the code used more than ${this.#host.limits.memoryBytes} bytes of memory`);
  }

  #must(
    result: { error?: undefined; value: QuickJSHandle } | { error: QuickJSHandle },
    context?: string,
  ): QuickJSHandle {
    if (result.error === undefined) return (result as { value: QuickJSHandle }).value;
    throw this.#thrown(result.error, context);
  }

  #thrown(error: QuickJSHandle, context?: string): SandboxError {
    if (this.#cpuExceeded) return this.#cpuError();
    if (!this.#bridge) return new SandboxError('engine', 'the engine could not be prepared');
    const described = this.#context.callFunction(this.#bridge.describe, this.#context.undefined, error);
    if (described.error) {
      return this.#cpuExceeded ? this.#cpuError() : this.#memoryError();
    }
    const description = readDescription(this.#text(described.value));
    return this.#failureOf(context ? { ...description, message: `${context}: ${description.message}` } : description);
  }

  #property(handle: QuickJSHandle, key: string): string {
    return this.#context.getProp(handle, key).consume((value) => this.#text(value));
  }

  #text(handle: QuickJSHandle | undefined): string {
    return handle ? this.#context.getString(handle) : '';
  }

  #number(handle: QuickJSHandle | undefined): number {
    return handle ? this.#context.getNumber(handle) : Number.NaN;
  }

  /** An error on the way ends the run. One that is no SandboxError comes from the engine itself. */
  async #guard(body: () => void | Promise<void>): Promise<void> {
    try {
      await body();
    } catch (error) {
      if (this.#ended) return;
      if (error instanceof SandboxError) this.#fail(error);
      else this.#finish(this.#failed(engineFailure(error), []), true);
    }
  }

  #fail(error: SandboxError, lost: readonly UnawaitedCall[] = []): void {
    if (this.#ended) return;
    this.#finish(this.#failed(error, lost), BREAKING.has(error.kind));
  }

  #failed({ kind, message, line, column, guestStack: stack }: SandboxError, lost: readonly UnawaitedCall[]): RunEnd {
    const failure = {
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      ...(stack ? { guestStack: stack } : {}),
    };
    return { ok: false, kind, message, failure, ...this.#facts(lost) };
  }

  #facts(lost: readonly UnawaitedCall[]): { calls: number; cpuMs: number; unawaited: UnawaitedCall[] } {
    const open = [...this.#running.values(), ...this.#queue.values()].map(
      ({ path }): UnawaitedCall => ({ path, state: 'pending' }),
    );
    const current = this.#enteredAt === 0 ? 0 : performance.now() - this.#enteredAt;
    return { calls: this.#calls, cpuMs: this.#cpuMs + current, unawaited: [...lost, ...open].slice(0, 100) };
  }

  #finish(end: RunEnd, broken: boolean): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const timer of this.#sleeps.values()) clearTimeout(timer);
    this.#host.onEnd(end, broken);
  }
}
