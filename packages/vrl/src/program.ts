import { freeProgram, withEngine } from './engine.js';
import { VrlCompileError, type VrlDiagnostics, VrlInputError, VrlRuntimeError } from './errors.js';
import { type Answer, type Instance, STATUS } from './instance.js';
import { zoneName } from './timezone.js';
import { eventToJson, type VrlValue, valuesFromJson } from './values.js';

/** The default time limit of a run. A script blocks its thread, so it must not run without a limit. */
export const DEFAULT_TIMEOUT_MS = 5_000;

/** Options of one run. */
export interface RunOptions {
  /** An IANA name such as `Europe/Berlin`. Absent, empty or `local`: the time zone of the host. */
  readonly timezone?: string | null;
  /** The time limit. It is checked between expressions, so one long function call may exceed it. */
  readonly timeoutMs?: number;
}

/** The result of one run. */
export interface RunResult {
  /** The event as the script left it. The event that was passed in is not changed. */
  readonly processedEvent: VrlValue;
  /** The value of the last expression of the script. */
  readonly result: VrlValue;
  /** The time spent in the engine. */
  readonly elapsedMs: number;
}

/** The location of a compiled program. It is lost when the instance is dropped. */
interface Slot {
  readonly instanceId: symbol;
  readonly handle: number;
}

/** Frees programs that were garbage collected. */
const collected = new FinalizationRegistry<Slot>((slot) => freeProgram(slot.instanceId, slot.handle));

/**
 * A compiled script that can run any number of times. It is compiled again automatically after the engine was replaced.
 */
export class VrlProgram {
  readonly source: string;
  #slot: Slot | undefined;

  /** @throws VrlCompileError when the script is invalid. */
  constructor(source: string) {
    if (typeof source !== 'string') throw new VrlInputError(`a VRL script must be text, but it is ${typeof source}`);
    this.source = source;
    withEngine((instance) => this.#handleIn(instance));
  }

  /**
   * Runs the script on an event.
   *
   * @throws VrlRuntimeError when the script fails, aborts or exceeds its time limit.
   * @throws VrlInputError when the event is not an object or an option is invalid.
   * @throws VrlPanicError when the engine fails.
   */
  run(event: unknown, options: RunOptions = {}): RunResult {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    if (!(timeoutMs > 0)) throw new VrlInputError(`timeoutMs must be a number above 0, but it is ${timeoutMs}`);
    const zone = zoneName(options.timezone);
    const json = eventToJson(event);
    let started = 0;
    const answer = withEngine((instance) => {
      const handle = this.#handleIn(instance);
      started = performance.now();
      return instance.run({ handle, zone, event: json, timeoutMs });
    });
    const elapsedMs = performance.now() - started;
    if (answer.status !== STATUS.done) throw runFailure(answer, zone, timeoutMs);
    const [processedEvent = null, result = null] = valuesFromJson(answer.text);
    return { processedEvent, result, elapsedMs };
  }

  /**
   * Frees the memory of the program at once instead of at the next garbage collection. Another run compiles it again.
   */
  dispose(): void {
    if (this.#slot === undefined) return;
    collected.unregister(this);
    freeProgram(this.#slot.instanceId, this.#slot.handle);
    this.#slot = undefined;
  }

  #handleIn(instance: Instance): number {
    if (this.#slot?.instanceId === instance.id) return this.#slot.handle;
    collected.unregister(this);
    const { status, text } = instance.compile(this.source);
    if (status !== STATUS.done) throw new VrlCompileError(JSON.parse(text) as VrlDiagnostics);
    this.#slot = { instanceId: instance.id, handle: Number(text) };
    collected.register(this, this.#slot, this);
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
        `the VRL script ran for more than ${timeoutMs} ms and was stopped; simplify it, or raise timeoutMs`,
      );
    case STATUS.unknownTimeZone:
      return new VrlInputError(`unknown time zone ${JSON.stringify(zone)}; use an IANA name such as "Europe/Berlin"`);
    default:
      return new VrlInputError(`VRL cannot read the event: ${text}`);
  }
}
