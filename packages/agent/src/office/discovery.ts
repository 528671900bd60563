import type { Emitter } from '@a2c/protocol';
import { type Backoff, SMCPError, type SMCPTool } from '@a2c/protocol';
import { ConnectionLost } from '../link/connection.js';
import { pause } from '../link/pause.js';
import type { AgentEvents, RemoteComputer } from './remote-computer.js';

export interface DiscoveryParts {
  readonly events: Emitter<AgentEvents>;
  readonly fetchTools: (computer: string) => Promise<readonly SMCPTool[]>;
  readonly coalesceMs: number;
  /** Pauses before asking again what could not be answered at present. */
  readonly backoff: () => Backoff;
}

/** What a Computer announces: that something of it has changed. */
export type Announcement = 'configUpdated' | 'toolsChanged' | 'desktopRefreshed';

interface Announced {
  readonly kinds: Set<Announcement>;
  readonly timer: ReturnType<typeof setTimeout>;
}

interface Fetching {
  /** Something was announced while the list was on its way: it may be stale already. */
  again: boolean;
  readonly done: Promise<void>;
}

/** The Computers of the office and their tools, kept as the Server tells. One list per Computer is on its way at a time. */
export class Discovery {
  readonly #parts: DiscoveryParts;
  readonly #computers = new Map<string, RemoteComputer>();
  readonly #fetching = new Map<string, Fetching>();
  readonly #announced = new Map<string, Announced>();
  /** Who came (true) or went while the room is being listed. */
  #heard: Map<string, boolean> | undefined;
  /** Who waits for a Computer to come. */
  readonly #waiting = new Set<{ readonly name: string; readonly wake: () => void }>();
  #version = 0;
  /** Aborted when we have left: what is waited for does not matter any more. */
  #stop = new AbortController();

  constructor(parts: DiscoveryParts) {
    this.#parts = parts;
  }

  get computers(): ReadonlyMap<string, RemoteComputer> {
    return this.#computers;
  }

  /** Grows whenever a Computer or its tools change. */
  get version(): number {
    return this.#version;
  }

  entered(name: string): void {
    this.#heard?.set(name, true);
    void this.#enter(name);
  }

  left(name: string): void {
    this.#heard?.set(name, false);
    this.#leave(name);
  }

  /**
   * After a join: who sits there now, whatever was missed. What is heard while the list is on its way is newer than the
   * list. Resolves when every tool list came or failed.
   */
  async resync(listNames: () => Promise<readonly string[]>): Promise<void> {
    const heard = new Map<string, boolean>();
    this.#heard = heard;
    const present = await this.#listed(listNames, () => this.#heard === heard);
    if (!present) return;
    this.#heard = undefined;
    for (const [name, isThere] of heard) {
      if (isThere) present.add(name);
      else present.delete(name);
    }
    for (const name of [...this.#computers.keys()]) if (!present.has(name)) this.#leave(name);
    await Promise.all([...present].map((name) => this.#enter(name)));
  }

  /** Several announcements in a row are one, and so are the two names of one announcement. */
  announce(name: string, kind: Announcement): void {
    const waiting = this.#announced.get(name);
    if (waiting) {
      waiting.kinds.add(kind);
      return;
    }
    const timer = setTimeout(() => this.#act(name), this.#parts.coalesceMs);
    this.#announced.set(name, { kinds: new Set([kind]), timer });
  }

  /** Resolves when the Computer is there, after the time, or when we have left. Rejects with the signal's reason. */
  async presence(name: string, ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#computers.has(name)) return;
    const come = new AbortController();
    const waiter = { name, wake: () => come.abort() };
    this.#waiting.add(waiter);
    const either = signal ? AbortSignal.any([signal, come.signal]) : come.signal;
    await pause(ms, either).catch(() => signal?.throwIfAborted());
    this.#waiting.delete(waiter);
  }

  clear(): void {
    this.#heard = undefined;
    this.#stop.abort();
    this.#stop = new AbortController();
    for (const { wake } of this.#waiting) wake();
    for (const name of [...this.#computers.keys(), ...this.#announced.keys()]) this.#forget(name);
  }

  #act(name: string): void {
    const kinds = this.#announced.get(name)?.kinds ?? new Set();
    this.#announced.delete(name);
    const { events } = this.#parts;
    if (kinds.has('desktopRefreshed')) events.emit('desktopRefreshed', { computer: name });
    if (kinds.has('configUpdated')) events.emit('configUpdated', { computer: name });
    // One that announces something is there, also when its entering was missed.
    if (kinds.has('configUpdated') || kinds.has('toolsChanged')) this.entered(name);
  }

  #enter(name: string): Promise<void> {
    if (!this.#computers.has(name)) {
      const entered = this.#put({ name, state: 'loading', tools: [] });
      this.#parts.events.emit('computerEntered', entered);
      for (const waiter of this.#waiting) if (waiter.name === name) waiter.wake();
    }
    return this.#refresh(name);
  }

  #leave(name: string): void {
    const left = this.#computers.get(name);
    if (!left) return;
    this.#forget(name);
    this.#parts.events.emit('computerLeft', left);
  }

  #refresh(name: string): Promise<void> {
    const present = this.#fetching.get(name);
    if (present) {
      present.again = true;
      return present.done;
    }
    const fetching: Fetching = { again: false, done: Promise.resolve().then(() => this.#fetchUntilFresh(name)) };
    this.#fetching.set(name, fetching);
    return fetching.done;
  }

  async #fetchUntilFresh(name: string): Promise<void> {
    const fetching = this.#fetching.get(name) as Fetching;
    do {
      fetching.again = false;
      await this.#fetch(name);
    } while (fetching.again && this.#computers.has(name));
    this.#fetching.delete(name);
  }

  /** Who is there; undefined when a newer list is on its way, or we have left. */
  async #listed(
    listNames: () => Promise<readonly string[]>,
    isWanted: () => boolean,
  ): Promise<Set<string> | undefined> {
    const { backoff, events } = this.#parts;
    const { signal } = this.#stop;
    for (const pauses = backoff(); ; await pauseUnless(signal, pauses.next())) {
      try {
        const names = await listNames();
        return isWanted() ? new Set(names) : undefined;
      } catch (error) {
        if (!isWanted()) return undefined;
        if (!mayPass(error)) throw error;
        events.emit('warning', error);
      }
    }
  }

  /** Until they are there, or will not come. */
  async #fetch(name: string): Promise<void> {
    const { backoff, fetchTools } = this.#parts;
    const { signal } = this.#stop;
    for (const pauses = backoff(); this.#computers.has(name); await pauseUnless(signal, pauses.next())) {
      try {
        return this.#learn(name, await fetchTools(name));
      } catch (thrown) {
        // The next connection begins with a new list of everybody.
        if (thrown instanceof ConnectionLost) return;
        this.#fail(name, SMCPError.from(thrown));
        if (!mayPass(thrown)) return;
      }
    }
  }

  #learn(name: string, tools: readonly SMCPTool[]): void {
    const known = this.#computers.get(name);
    if (!known) return; // left meanwhile
    const isSame = known.state === 'ready' && JSON.stringify(known.tools) === JSON.stringify(tools);
    if (!isSame) this.#parts.events.emit('toolsChanged', this.#put({ name, state: 'ready', tools }));
  }

  #fail(name: string, error: SMCPError): void {
    const known = this.#computers.get(name);
    if (!known) return;
    if (isGone(name, error)) this.#leave(name);
    else {
      this.#put({ name, state: 'failed', tools: known.tools, error });
      this.#parts.events.emit('warning', error);
    }
  }

  #put(computer: RemoteComputer): RemoteComputer {
    const frozen = Object.freeze(computer);
    this.#computers.set(computer.name, frozen);
    this.#version++;
    return frozen;
  }

  #forget(name: string): void {
    // What it announced last must not bring it back.
    clearTimeout(this.#announced.get(name)?.timer);
    this.#announced.delete(name);
    this.#computers.delete(name);
    this.#version++;
  }
}

/** The Server, or the Computer, cannot answer at present; a lost connection is followed by a new list anyhow. */
function mayPass(error: unknown): error is SMCPError {
  return error instanceof SMCPError && error.kind === 'Unavailable' && !(error instanceof ConnectionLost);
}

/** The Server knows no such Computer: it has left, whether or not we heard of it. */
function isGone(name: string, { kind, details }: SMCPError): boolean {
  return kind === 'NotFound' && (details.computer ?? name) === name;
}

/** Rejection would say that we have left, which the loop sees by itself. */
async function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  await pause(ms, signal).catch(() => {});
}
