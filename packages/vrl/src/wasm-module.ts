import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VrlError } from './errors.js';

/** The same place seen from `src` and from `dist`. */
const WASM_FILE = new URL('../wasm/vrl.wasm', import.meta.url);

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** The part of JavaScript's global that is used here: its types come with a browser's, which do not belong in Node. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

let compiled: object | undefined;

/**
 * The first call reads and compiles the file. It does so synchronously: configuration is checked in synchronous code, a
 * process with no script never gets here, and one with a script waits once for some tens of milliseconds.
 */
export function newInstance(imports: object): object {
  compiled ??= new WebAssembly.Module(readModule());
  return new WebAssembly.Instance(compiled, imports).exports;
}

function readModule(): Uint8Array {
  try {
    return readFileSync(WASM_FILE);
  } catch (cause) {
    throw new VrlError(`cannot read ${fileURLToPath(WASM_FILE)}, a part of @a2c/vrl; install the package again`, {
      cause,
    });
  }
}
