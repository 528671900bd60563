import { randomFillSync } from 'node:crypto';

/** Numbers of WASI preview 1. */
const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NOT_CAPABLE = 76;
const REALTIME_CLOCK = 0;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** The size of one entry in a list of buffers: address and length. */
const BUFFER_ENTRY_BYTES = 8;

/** The host functions that the system calls need. */
export interface WasiHost {
  /** The current memory. Growing replaces its buffer, so it is requested for every call. */
  memory(): ArrayBuffer;
  /** Receives the standard error of the engine: the text of a panic, before the trap. */
  onStderr(text: string): void;
}

/**
 * The WASI system calls that the module imports. `node:wasi` is not used, because it is experimental and prints a
 * warning. Clock and random numbers come from the host; the environment is empty and there are no files.
 */
export function wasiImports(host: WasiHost): Record<string, (...args: never[]) => number> {
  const view = () => new DataView(host.memory());
  return {
    clock_time_get(clock: number, _precision: bigint, pointer: number) {
      const time =
        clock === REALTIME_CLOCK ? BigInt(Date.now()) * NANOSECONDS_PER_MILLISECOND : process.hrtime.bigint();
      view().setBigUint64(pointer, time, true);
      return SUCCESS;
    },
    random_get(pointer: number, length: number) {
      randomFillSync(new Uint8Array(host.memory(), pointer, length));
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    environ_sizes_get(countPointer: number, bytesPointer: number) {
      view().setUint32(countPointer, 0, true);
      view().setUint32(bytesPointer, 0, true);
      return SUCCESS;
    },
    fd_write(_descriptor: number, buffers: number, count: number, writtenPointer: number) {
      const memory = view();
      let written = 0;
      for (let entry = buffers; entry < buffers + count * BUFFER_ENTRY_BYTES; entry += BUFFER_ENTRY_BYTES) {
        const pointer = memory.getUint32(entry, true);
        const length = memory.getUint32(entry + BUFFER_ENTRY_BYTES / 2, true);
        host.onStderr(Buffer.from(host.memory(), pointer, length).toString('utf8'));
        written += length;
      }
      memory.setUint32(writtenPointer, written, true);
      return SUCCESS;
    },
    fd_close: () => BAD_DESCRIPTOR,
    fd_fdstat_get: () => BAD_DESCRIPTOR,
    fd_filestat_get: () => BAD_DESCRIPTOR,
    fd_prestat_get: () => BAD_DESCRIPTOR,
    fd_prestat_dir_name: () => BAD_DESCRIPTOR,
    fd_read: () => BAD_DESCRIPTOR,
    path_filestat_get: () => NOT_CAPABLE,
    path_open: () => NOT_CAPABLE,
    proc_exit(code: number): never {
      throw new Error(`the VRL engine exited with code ${code}`);
    },
  };
}
