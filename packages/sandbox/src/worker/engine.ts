import variant from '@jitl/quickjs-ng-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import type { SandboxLimits } from '../limits.js';

const PAGE_BYTES = 64 * 1024;
const MEBIBYTE = 1024 * 1024;

/** The engine's own data, and copies of texts on their way in and out, come on top of the memory of the code. */
const INITIAL_BYTES = 16 * MEBIBYTE;
const OVERHEAD_BYTES = 48 * MEBIBYTE;

/** A worker whose engine grew beyond this ends with its run, so that the memory returns to the system at once. */
const RETIRE_ABOVE_BYTES = 24 * MEBIBYTE;

/** The part of JavaScript's global that is used here: its types come with a browser's, which do not belong in Node. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

/** A fresh instance of QuickJS with its own memory, for one run. */
export interface Engine {
  newRuntime(): QuickJSRuntime;
  /** The most memory that the instance has used so far: it never shrinks. */
  readonly memoryBytes: number;
  /** True when the instance took more memory than a worker should keep. */
  readonly bloated: boolean;
}

/** Instantiates the compiled module. The memory has a hard maximum beneath the engine's own accounting. */
export async function newEngine(compiled: object, limits: SandboxLimits): Promise<Engine> {
  const pages = (bytes: number) => Math.ceil(bytes / PAGE_BYTES);
  const memory = new WebAssembly.Memory({
    initial: pages(INITIAL_BYTES),
    maximum: Math.min(pages(INITIAL_BYTES + limits.memoryBytes + OVERHEAD_BYTES), 32_768),
  });
  const silent = () => {};
  // The declarations of the variant describe its CommonJS form; Node loads the module form.
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(variant as unknown as QuickJSSyncVariant, {
      wasmModule: compiled as never,
      wasmMemory: memory as never,
      // The engine never writes to our stdout or stderr.
      emscriptenModule: { print: silent, printErr: silent } as never,
    }),
  );
  return {
    newRuntime: () => module.newRuntime(),
    get memoryBytes() {
      return memory.buffer.byteLength;
    },
    get bloated() {
      return memory.buffer.byteLength > RETIRE_ABOVE_BYTES;
    },
  };
}
