import { VrlPanicError } from './errors.js';
import { wasiImports } from './wasi.js';
import { newInstance, type WasmMemory } from './wasm-module.js';

/** The status of a call. The numbers are defined in `crate/src/engine.rs`. */
export const STATUS = {
  done: 0,
  diagnostics: 1,
  failed: 2,
  aborted: 3,
  timedOut: 4,
  unknownTimeZone: 5,
  badEvent: 6,
} as const;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One run of a compiled program. */
export interface Run {
  readonly handle: number;
  readonly zone: string;
  /** The event as JSON text. */
  readonly event: string;
  readonly timeoutMs: number;
}

/** The exports of `crate/src/lib.rs`. */
interface Exports {
  readonly memory: WasmMemory;
  _initialize(): void;
  reserve_input(length: number): number;
  output_pointer(): number;
  output_length(): number;
  release_buffers(): void;
  compile(): number;
  run(handle: number, zoneLength: number, timeoutMs: number): number;
  free_program(handle: number): void;
  describe_functions(): number;
}

/**
 * An instance of the engine with its own memory. After a trap its state is undefined: `broken` is true, do not call it.
 */
export class Instance {
  readonly id = Symbol('VRL instance');
  readonly #exports: Exports;
  #stderr = '';
  #broken = false;

  constructor() {
    this.#exports = newInstance({
      wasi_snapshot_preview1: wasiImports({
        memory: () => this.#exports.memory.buffer,
        onStderr: (text) => {
          this.#stderr += text;
        },
      }),
    }) as Exports;
    this.#exports._initialize();
  }

  get broken(): boolean {
    return this.#broken;
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  compile(source: string): Answer {
    return this.#guard(() => {
      this.#write([source]);
      return this.#answer(this.#exports.compile());
    });
  }

  run({ handle, zone, event, timeoutMs }: Run): Answer {
    return this.#guard(() => {
      this.#write([zone, event]);
      return this.#answer(this.#exports.run(handle, Buffer.byteLength(zone), timeoutMs));
    });
  }

  freeProgram(handle: number): void {
    this.#guard(() => this.#exports.free_program(handle));
  }

  describeFunctions(): Answer {
    return this.#guard(() => this.#answer(this.#exports.describe_functions()));
  }

  #write(texts: readonly string[]): void {
    const lengths = texts.map((text) => Buffer.byteLength(text));
    let pointer = this.#exports.reserve_input(lengths.reduce((sum, length) => sum + length, 0));
    for (const [index, text] of texts.entries()) {
      const length = lengths[index] as number;
      Buffer.from(this.#exports.memory.buffer, pointer, length).write(text);
      pointer += length;
    }
  }

  #answer(status: number): Answer {
    const pointer = this.#exports.output_pointer();
    const bytes = Buffer.from(this.#exports.memory.buffer, pointer, this.#exports.output_length());
    const text = bytes.toString('utf8');
    this.#exports.release_buffers();
    return { status, text };
  }

  /** The engine reports failures as a status. An exception therefore means that the engine itself failed. */
  #guard<T>(call: () => T): T {
    try {
      return call();
    } catch (cause) {
      this.#broken = true;
      throw new VrlPanicError(panicMessage(this.#stderr.trim(), cause), { cause });
    }
  }
}

/** A stack overflow is a RangeError for the stack of V8 and an address out of bounds for the stack of the engine. */
function panicMessage(stderr: string, cause: unknown): string {
  const outOfStack = cause instanceof RangeError || /out of bounds/.test(String(cause));
  const what = outOfStack ? 'out of stack; is the script or the event nested too deeply?' : stderr || String(cause);
  return `the VRL engine failed and was replaced: ${what.replace(PANIC_HEADER, 'panic: ')}`;
}

/**
 * The first line of a Rust panic names the thread and the source position. Both are meaningless in the built module.
 */
const PANIC_HEADER = /^thread .* panicked at .*:\n/;
