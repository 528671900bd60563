import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { CallEnd, CallerNote, CallRecord, CallStart } from './programs/calls.js';

/** An execution, as the MCP server recorded it. */
export interface Execution {
  readonly t: number;
  readonly id: string;
  readonly agent: string;
  readonly office: string;
  readonly computer: string;
  readonly pid: number;
}

/** Reads the complete lines that were appended to a file since the last time. */
class Tail<T> {
  readonly #path: string;
  #offset = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  read(): T[] {
    if (!existsSync(this.#path)) return [];
    const file = openSync(this.#path, 'r');
    try {
      const buffer = Buffer.alloc(fstatSync(file).size - this.#offset);
      this.#offset += readSync(file, buffer, 0, buffer.length, this.#offset);
      const lines = (this.#rest + buffer).split('\n');
      this.#rest = lines.pop() ?? '';
      return lines.map((line) => JSON.parse(line) as T);
    } finally {
      closeSync(file);
    }
  }
}

/** What the callers and the MCP servers recorded. */
export class Records {
  readonly #callers: readonly (readonly [string, Tail<CallRecord>])[];
  readonly #servers: readonly Tail<Execution>[];
  readonly starts: (CallStart & { readonly caller: string })[] = [];
  readonly ends: (CallEnd & { readonly caller: string })[] = [];
  readonly notes: (CallerNote & { readonly caller: string })[] = [];
  readonly executions: Execution[] = [];

  constructor(callers: Readonly<Record<string, string>>, servers: readonly string[]) {
    this.#callers = Object.entries(callers).map(([caller, path]) => [caller, new Tail<CallRecord>(path)]);
    this.#servers = servers.map((path) => new Tail<Execution>(path));
  }

  update(): void {
    for (const [caller, tail] of this.#callers) {
      for (const record of tail.read()) {
        if (record.event === 'call') this.starts.push({ ...record, caller });
        else if (record.event === 'end') this.ends.push({ ...record, caller });
        else this.notes.push({ ...record, caller });
      }
    }
    for (const tail of this.#servers) this.executions.push(...tail.read());
  }
}
