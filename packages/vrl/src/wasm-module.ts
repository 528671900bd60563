import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VrlError } from './errors.js';

/** The same relative path from `src` and from `dist`. Most processes do not need it. */
const wasmFile = () => new URL('../wasm/vrl.wasm', import.meta.url);

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/**
 * The used part of the global `WebAssembly`. Its types are part of the DOM library, which this package does not load.
 */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

let compiled: object | undefined;

/**
 * Creates an instance of the engine. The first call reads and compiles the file synchronously, because configuration is
 * checked in synchronous code. This takes some tens of milliseconds, in processes that use scripts only.
 */
export function newInstance(imports: object): object {
  compiled ??= new WebAssembly.Module(readModule());
  return new WebAssembly.Instance(compiled, imports).exports;
}

function readModule(): Uint8Array {
  try {
    return readFileSync(wasmFile());
  } catch (cause) {
    throw new VrlError(`cannot read ${fileURLToPath(wasmFile())}, a part of @a2c/vrl; install the package again`, {
      cause,
    });
  }
}
