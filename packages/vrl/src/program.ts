import { freeProgram, withEngine } from './engine.js';
import { VrlCompileError, type VrlDiagnostics, VrlInputError, VrlRuntimeError } from './errors.js';
import { type Answer, type Instance, STATUS } from './instance.js';
import { zoneName } from './timezone.js';
import { eventToJson, type VrlValue, valuesFromJson } from './values.js';

/** A script runs on the thread that calls it, so one that never ends would stop the process. */
export const DEFAULT_TIMEOUT_MS = 5_000;

export interface RunOptions {
  /** An IANA name such as `Europe/Berlin`. Nothing, empty or `local`: the zone of this host. */
  readonly timezone?: string | null;
  /** Looked at between two expressions of the script, so that one long function call may overrun it. */
  readonly timeoutMs?: number;
}

export interface RunResult {
  /** The event after all that the script did to it. The event passed in is never changed. */
  readonly processedEvent: VrlValue;
  /** The value of the script's last expression. */
  readonly result: VrlValue;
  /** The time spent in the engine. */
  readonly elapsedMs: number;
}

/** Where a compiled program lives: it is lost when the engine replaces that instance. */
interface Slot {
  readonly instanceId: symbol;
  readonly handle: number;
}

/** Frees the programs that nobody can reach any more. */
const abandoned = new FinalizationRegistry<Slot>((slot) => freeProgram(slot.instanceId, slot.handle));

/** A compiled script, to be run any number of times. It compiles again by itself when the engine was replaced. */
export class VrlProgram {
  readonly source: string;
  #slot: Slot | undefined;

  constructor(source: string) {
    if (typeof source !== 'string') throw new VrlInputError(`a VRL script must be text, but it is ${typeof source}`);
    this.source = source;
    withEngine((instance) => this.#handleIn(instance));
  }

  run(event: unknown, options: RunOptions = {}): RunResult {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    if (!(timeoutMs > 0)) throw new VrlInputError(`timeoutMs must be a number above 0, but it is ${timeoutMs}`);
    const zone = zoneName(options.timezone);
    const json = eventToJson(event);
    let started = 0;
    const answer = withEngine((instance) => {
      const handle = this.#handleIn(instance);
      started = performance.now();
      return instance.run(handle, zone, json, timeoutMs);
    });
    const elapsedMs = performance.now() - started;
    if (answer.status !== STATUS.done) throw runFailure(answer, zone, timeoutMs);
    const [processedEvent = null, result = null] = valuesFromJson(answer.text);
    return { processedEvent, result, elapsedMs };
  }

  /** Frees the program's memory now and not at some later garbage collection. Another run compiles it again. */
  dispose(): void {
    if (this.#slot === undefined) return;
    abandoned.unregister(this);
    freeProgram(this.#slot.instanceId, this.#slot.handle);
    this.#slot = undefined;
  }

  #handleIn(instance: Instance): number {
    if (this.#slot?.instanceId === instance.id) return this.#slot.handle;
    abandoned.unregister(this);
    const { status, text } = instance.compile(this.source);
    if (status !== STATUS.done) throw new VrlCompileError(JSON.parse(text) as VrlDiagnostics);
    this.#slot = { instanceId: instance.id, handle: Number(text) };
    abandoned.register(this, this.#slot, this);
    return this.#slot.handle;
  }
}

function runFailure({ status, text }: Answer, zone: string, timeoutMs: number): Error {
  switch (status) {
    case STATUS.aborted:
      return new VrlRuntimeError('abort', `the VRL script aborted: ${text}`);
    case STATUS.failed:
      return new VrlRuntimeError('error', `the VRL script failed: ${text}`);
    case STATUS.timedOut:
      return new VrlRuntimeError(
        'timeout',
        `the VRL script ran for more than ${timeoutMs} ms and was stopped; give it less to do, or more timeoutMs`,
      );
    case STATUS.unknownTimeZone:
      return new VrlInputError(`unknown time zone ${JSON.stringify(zone)}; use an IANA name such as "Europe/Berlin"`);
    default:
      return new VrlInputError(`VRL cannot read the event: ${text}`);
  }
}
