import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import { SandboxError, type UnawaitedCall } from '../errors.js';
import { type RunEnd, type ToWorker, TURN } from '../messages.js';
import { bootstrap } from './bootstrap.js';
import { type Insertion, insert, watchDiscarded } from './discarded-promises.js';
import type { Engine } from './engine.js';
import type { ErrorDescription, GuestConfig, GuestEnd } from './guest-bridge.js';
import { type Answer, type CallHost, GuestCalls } from './guest-calls.js';
import { guestJson } from './guest-json.js';
import { BREAKING, engineFailure, lostCalls, lostErrors, readDescription, thrownError } from './guest-reports.js';
import { jsonShape } from './json-shape.js';
import { CODE_FILE, stripTypes, syntaxError, WATCHER, wrap } from './source.js';

/** Jobs (promise reactions) between two looks at the limits. */
const JOBS_PER_TURN = 256;

/** What a run needs of the worker around it. */
export interface RunHost extends CallHost {
  /** Shared with the main thread: see `WorkerData`. */
  readonly counters: Int32Array;
}

/** `broken`: the engine or the worker must not be used again. */
export interface GuestRunEnd {
  readonly end: RunEnd;
  readonly broken: boolean;
}

/** One run of code in a fresh engine, until it ends or a limit ends it. */
export class GuestRun {
  readonly #host: RunHost;
  readonly #engine: Engine;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #calls: GuestCalls;
  #bridge: { start: QuickJSHandle; settle: QuickJSHandle; describe: QuickJSHandle } | undefined;
  #end: GuestRunEnd | undefined;
  #cpuMs = 0;
  #enteredAt = 0;
  #cpuExceeded = false;
  #outputBytes = 0;
  #outputTruncated = false;
  #insertions: readonly Insertion[] = [];

  constructor(engine: Engine, host: RunHost) {
    this.#host = host;
    this.#engine = engine;
    this.#calls = new GuestCalls(host);
    this.#runtime = engine.newRuntime();
    this.#runtime.setMemoryLimit(host.limits.memoryBytes);
    this.#runtime.setMaxStackSize(host.limits.stackBytes);
    this.#runtime.setInterruptHandler(() => this.#overCpu());
    this.#context = this.#runtime.newContext();
  }

  /** Runs the code to its end. The thread blocks while the code waits for calls or sleeps. */
  async run({ code, prelude, functions, namespaces }: ToWorker & { type: 'run' }): Promise<GuestRunEnd> {
    try {
      const source = await this.#compile(code);
      this.#insertions = await this.#counted(() => watchDiscarded(source, WATCHER));
      const main = insert(source, this.#insertions);
      this.#inside(() => {
        this.#install({ functions, namespaces, ...this.#host.limits });
        if (prelude !== undefined) this.#must(this.#context.evalCode(prelude, 'prelude.js'), 'the prelude failed');
        // Evaluated again: the first time was before the bootstrap, and code that closes the wrapper runs at once.
        const value = this.#must(this.#context.evalCode(main, CODE_FILE));
        this.#must(this.#context.callFunction(this.#guest.start, this.#context.undefined, value));
      });
      for (;;) {
        this.#runJobs();
        if (this.#end) return this.#end;
        this.#settle(this.#calls.next());
      }
    } catch (error) {
      // An error that is no SandboxError comes from the engine itself.
      if (error instanceof SandboxError) this.#fail(error);
      else this.#finish(this.#failed(engineFailure(error), []), true);
      return this.#end as unknown as GuestRunEnd;
    }
  }

  /** Gives an outcome to the code. */
  #settle({ id, type, json }: Answer): void {
    this.#inside(() => {
      const context = this.#context;
      const text = json === undefined ? context.undefined : context.newString(json);
      const state = type === 'fulfilled' ? context.true : context.false;
      const number = context.newNumber(id);
      this.#must(context.callFunction(this.#guest.settle, context.undefined, number, state, text)).dispose();
      number.dispose();
      text.dispose();
    });
  }

  /** JavaScript source of the code: the code itself if it parses, else the code without its types. */
  async #compile(code: string): Promise<string> {
    const first = this.#parse(code);
    if (first === undefined) return wrap(code);
    let stripped: string;
    try {
      stripped = await this.#counted(() => stripTypes(code));
    } catch (error) {
      if (error instanceof SandboxError) throw error;
      // Deep nesting exhausts the stack of the stripper, as a RangeError or as a trap of its WebAssembly.
      throw new SandboxError('stack-limit', 'the code is nested too deeply to be parsed');
    }
    const second = stripped === code ? first : this.#parse(stripped);
    if (second) throw second;
    return wrap(stripped);
  }

  /** Work on the code outside the engine. The main thread ends a worker that does not come back from it. */
  async #counted<T>(work: () => Promise<T>): Promise<T> {
    Atomics.add(this.#host.counters, TURN, 1);
    try {
      return await work();
    } finally {
      Atomics.add(this.#host.counters, TURN, 1);
    }
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
    define('call', (message) => this.#unlessOver(() => this.#calls.call(this.#text(message))));
    define('sleep', (id, ms) => this.#unlessOver(() => this.#calls.sleep(this.#number(id), this.#number(ms))));
    define('print', (json) => this.#onPrint(JSON.parse(this.#text(json)) as string));
    define('end', (how, text, rejected, errors) => {
      const isText = context.typeof(text as QuickJSHandle) === 'string';
      const lost = [...lostCalls(this.#text(rejected)), ...lostErrors(this.#text(errors), this.#insertions)];
      this.#onEnd(this.#text(how) as GuestEnd, isText ? this.#text(text) : undefined, lost);
    });
    const evaluate = (source: string) => this.#must(context.evalCode(`(${source})`, 'bootstrap.js'));
    const json = evaluate(`(${guestJson})(${config.depth})`);
    const settings = evaluate(JSON.stringify(config));
    const bridge = this.#must(context.callFunction(evaluate(`${bootstrap}`), context.undefined, host, settings, json));
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

  /** A limit that is exceeded ends the run; the engine must not receive the error. */
  #unlessOver(start: () => void): void {
    if (this.#end) return;
    try {
      start();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      this.#fail(error);
    }
  }

  #onPrint(text: string): void {
    if (this.#end || this.#outputTruncated) return;
    const bytes = Buffer.from(text);
    const left = this.#host.limits.outputBytes - this.#outputBytes;
    this.#outputTruncated = bytes.length > left;
    this.#outputBytes += bytes.length;
    const kept = this.#outputTruncated ? new TextDecoder().decode(bytes.subarray(0, left), { stream: true }) : text;
    this.#host.post({ type: 'print', text: kept, truncated: this.#outputTruncated });
  }

  #onEnd(how: GuestEnd, text: string | undefined, lost: readonly UnawaitedCall[]): void {
    const failure = this.#judge(how, text);
    if (failure) this.#fail(failure, lost);
    else this.#finish({ ok: true, json: text, ...this.#facts(lost) }, false);
  }

  /** Why what the code ended with is no result; undefined when it is one. */
  #judge(how: GuestEnd, text: string | undefined): SandboxError | undefined {
    const { resultBytes, depth, values } = this.#host.limits;
    if (how === 'error') return this.#failureOf(readDescription(text));
    // Code that catches the interruption has still used up its time.
    if (this.#cpuExceeded) return this.#cpuError();
    if (how === 'invalid') return new SandboxError('result-invalid', `${text}`);
    const bytes = how === 'too-large' ? text : Buffer.byteLength(text ?? '');
    if (how === 'too-large' || Number(bytes) > resultBytes) {
      const message = `the result has ${bytes} bytes; the limit is ${resultBytes}. Return only what is needed`;
      return new SandboxError('result-too-large', message);
    }
    const shape = jsonShape(text ?? '');
    if (shape.values > values) {
      const message = `the result has ${shape.values} values; the limit is ${values}. Return only what is needed`;
      return new SandboxError('result-too-large', message);
    }
    if (shape.depth <= depth) return undefined;
    return new SandboxError('result-invalid', `the result is nested deeper than ${depth} levels`);
  }

  /** The error for something thrown in the code and not caught there. */
  #failureOf(thrown: ErrorDescription): SandboxError {
    if (this.#cpuExceeded) return this.#cpuError();
    // The engine throws null when it has no memory left for an error.
    return thrown.isNull && this.#isExhausted
      ? this.#memoryError()
      : thrownError(thrown, this.#host.limits, this.#insertions);
  }

  /** Whether the code has used up its memory at some time. */
  get #isExhausted(): boolean {
    return this.#engine.memoryBytes > this.#host.limits.memoryBytes;
  }

  #runJobs(): void {
    while (!this.#end && this.#runtime.hasPendingJob()) {
      this.#inside(() => {
        const result = this.#runtime.executePendingJobs(JOBS_PER_TURN);
        if (result.error) throw this.#thrown(result.error);
      });
      if (this.#overCpu()) throw this.#cpuError();
    }
    if (this.#end || this.#calls.hasPending) return;
    // Without memory, the engine can also lose the job that would have continued.
    if (this.#isExhausted) throw this.#memoryError();
    this.#fail(
      new SandboxError('stalled', 'the code waits for a promise that nothing can settle; only calls and sleep can'),
    );
  }

  /** Counts the time inside the engine and shows the main thread that it is there. */
  #inside<T>(body: () => T): T {
    this.#enteredAt = performance.now();
    Atomics.add(this.#host.counters, TURN, 1);
    try {
      return body();
    } finally {
      Atomics.add(this.#host.counters, TURN, 1);
      this.#cpuMs += performance.now() - this.#enteredAt;
      this.#enteredAt = 0;
    }
  }

  /** The engine's interrupt handler. True also after the end, so that code that goes on is stopped. */
  #overCpu(): boolean {
    const used = this.#cpuMs + (this.#enteredAt === 0 ? 0 : performance.now() - this.#enteredAt);
    this.#cpuExceeded ||= used > this.#host.limits.cpuMs;
    return this.#cpuExceeded || this.#end !== undefined;
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

  #fail(error: SandboxError, lost: readonly UnawaitedCall[] = []): void {
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
    const open = this.#calls.pendingPaths.map((path): UnawaitedCall => ({ path, state: 'pending' }));
    const current = this.#enteredAt === 0 ? 0 : performance.now() - this.#enteredAt;
    return { calls: this.#calls.count, cpuMs: this.#cpuMs + current, unawaited: [...lost, ...open].slice(0, 100) };
  }

  /** The first end counts. */
  #finish(end: RunEnd, broken: boolean): void {
    this.#end ??= { end, broken };
  }
}
