import { ConnectionLost } from '@a2c/link';
import { type Backoff, delay, type Emitter, type SessionInfo, SMCPError, type SMCPTool } from '@a2c/protocol';
import { Turns } from '../turns.js';
import type { AgentEvents, RemoteComputer } from './remote-computer.js';

export interface DiscoveryOptions {
  readonly events: Emitter<AgentEvents>;
  readonly fetchTools: (computer: string) => Promise<readonly SMCPTool[]>;
  readonly coalesceMs: number;
  /** Delays between requests that fail with 503. */
  readonly backoff: () => Backoff;
}

/** What a Computer reports as changed. */
export type Change = 'configUpdated' | 'toolsChanged' | 'desktopRefreshed' | 'skillsChanged';

/** A Computer of the room list. */
export type ListedComputer = Pick<SessionInfo, 'name' | 'epoch'>;

interface PendingChanges {
  readonly changes: Set<Change>;
  readonly timer: ReturnType<typeof setTimeout>;
}

interface PendingFetch {
  /** A change was reported while the list was pending: it may be stale. */
  again: boolean;
  readonly done: Promise<void>;
}

/** The Computers of the office and their tools, kept up to date. One tool list per Computer is pending at a time. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #computers = new Map<string, RemoteComputer>();
  readonly #fetches = new Map<string, PendingFetch>();
  readonly #changes = new Map<string, PendingChanges>();
  /** The room list that is pending or arrived last. */
  #listing: Promise<unknown> = Promise.resolve();
  #isListing = false;
  /** Computers that joined (true) or left while the room list is pending. */
  #membership: Map<string, boolean> | undefined;
  /** Requests that wait for a Computer. */
  readonly #waiting = new Set<{ readonly name: string; readonly wake: () => void }>();
  /** The epochs of the Computers, as the Server reported them last. */
  readonly #epochs = new Map<string, string>();
  #version = 0;
  /** Aborted when the office was left. */
  #stop = new AbortController();

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  get computers(): ReadonlyMap<string, RemoteComputer> {
    return this.#computers;
  }

  /** Increases with every change of a Computer or its tools. */
  get version(): number {
    return this.#version;
  }

  entered(name: string, epoch?: string): void {
    if (epoch !== undefined) this.#epochs.set(name, epoch);
    this.#membership?.set(name, true);
    this.#enter(name);
  }

  left(name: string): void {
    this.#membership?.set(name, false);
    this.#leave(name);
  }

  /**
   * Replaces the set of Computers after a join. Notifications that arrive while the list is pending are newer than the
   * list.
   */
  resync(listComputers: () => Promise<readonly ListedComputer[]>): Promise<void> {
    const membership = new Map<string, boolean>();
    this.#membership = membership;
    const resynced = this.#list(listComputers, () => this.#membership === membership).then((present) => {
      if (!present) return;
      this.#membership = undefined;
      for (const [name, isPresent] of membership) {
        if (isPresent) present.add(name);
        else present.delete(name);
      }
      for (const name of [...this.#computers.keys()]) if (!present.has(name)) this.#leave(name);
      for (const name of present) this.#enter(name);
    });
    const listing = resynced
      .catch(() => {})
      .then(() => {
        if (this.#listing === listing) this.#isListing = false;
      });
    this.#listing = listing;
    this.#isListing = true;
    return resynced;
  }

  /** Resolves when the room list and the pending tool lists, or the one of this Computer, arrived or failed. */
  async known(computer?: string): Promise<void> {
    await this.#listing;
    const names = computer === undefined ? [...this.#fetches.keys()] : [computer];
    await Promise.all(names.map((name) => this.#fetches.get(name)?.done));
  }

  /** Whether the room list is pending. */
  get isListing(): boolean {
    return this.#isListing;
  }

  /** Resolves when the room list arrived or failed. */
  async listed(): Promise<void> {
    await this.#listing;
  }

  /** The epoch of the process that serves a Computer now, as far as the Server reports epochs. */
  epochOf(computer: string): string | undefined {
    return this.#epochs.get(computer);
  }

  /** Coalesces changes in a row, and the two names of one notification. */
  changed(name: string, change: Change): void {
    const pending = this.#changes.get(name);
    if (pending) {
      pending.changes.add(change);
      return;
    }
    const timer = setTimeout(() => this.#apply(name), this.#options.coalesceMs);
    this.#changes.set(name, { changes: new Set([change]), timer });
  }

  /** Resolves when the Computer is in the office, after the time, or when the office was left. */
  async whenPresent(name: string, ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#computers.has(name)) return;
    const present = new AbortController();
    const waiter = { name, wake: () => present.abort() };
    this.#waiting.add(waiter);
    const stop = signal ? AbortSignal.any([signal, present.signal]) : present.signal;
    await delay(ms, stop).catch(() => {});
    this.#waiting.delete(waiter);
    signal?.throwIfAborted();
  }

  clear(): void {
    this.#membership = undefined;
    this.#listing = Promise.resolve();
    this.#isListing = false;
    this.#stop.abort();
    this.#stop = new AbortController();
    for (const { wake } of this.#waiting) wake();
    for (const name of [...this.#computers.keys(), ...this.#changes.keys()]) this.#forget(name);
  }

  #apply(name: string): void {
    const changes = this.#changes.get(name)?.changes ?? new Set();
    this.#changes.delete(name);
    const { events } = this.#options;
    if (changes.has('skillsChanged')) events.emit('skillsChanged', { computer: name });
    if (changes.has('desktopRefreshed')) events.emit('desktopRefreshed', { computer: name });
    if (changes.has('configUpdated')) events.emit('configUpdated', { computer: name });
    // A Computer that reports a change is in the office, even if the notification of its entering was missed.
    if (changes.has('configUpdated') || changes.has('toolsChanged')) this.entered(name);
  }

  #enter(name: string): void {
    if (!this.#computers.has(name)) {
      const entered = this.#put({ name, state: 'loading', tools: [] });
      this.#options.events.emit('computerEntered', entered);
      for (const waiter of this.#waiting) if (waiter.name === name) waiter.wake();
    }
    this.#refresh(name);
  }

  #leave(name: string): void {
    const left = this.#computers.get(name);
    if (!left) return;
    this.#epochs.delete(name);
    this.#forget(name);
    this.#options.events.emit('computerLeft', left);
  }

  #refresh(name: string): void {
    const pending = this.#fetches.get(name);
    if (pending) pending.again = true;
    else this.#fetches.set(name, { again: false, done: Promise.resolve().then(() => this.#fetchUntilFresh(name)) });
  }

  async #fetchUntilFresh(name: string): Promise<void> {
    const pending = this.#fetches.get(name) as PendingFetch;
    do {
      pending.again = false;
      await this.#fetch(name);
    } while (pending.again && this.#computers.has(name));
    this.#fetches.delete(name);
  }

  /** Returns the names of the Computers; undefined when a newer list is pending or the office was left. */
  async #list(
    listComputers: () => Promise<readonly ListedComputer[]>,
    isWanted: () => boolean,
  ): Promise<Set<string> | undefined> {
    const { backoff, events } = this.#options;
    const { signal } = this.#stop;
    for (const delays = backoff(); ; await pause(delays.next(), signal)) {
      try {
        const computers = await listComputers();
        if (!isWanted()) return undefined;
        for (const { name, epoch } of computers) if (epoch !== undefined) this.#epochs.set(name, epoch);
        return new Set(computers.map(({ name }) => name));
      } catch (error) {
        if (!isWanted()) return undefined;
        if (!isTransient(error)) throw error;
        events.emit('warning', error);
      }
    }
  }

  /**
   * Fetches a tool list. Repeats after 503 until it arrived or the Computer left. After a timeout it is fetched again
   * later: the list counts as failed until then.
   */
  async #fetch(name: string): Promise<void> {
    const { backoff, fetchTools } = this.#options;
    const { signal } = this.#stop;
    for (const delays = backoff(); this.#computers.has(name); await pause(delays.next(), signal)) {
      try {
        return await this.#update(name, await fetchTools(name));
      } catch (thrown) {
        // The re-join starts with a new room list.
        if (thrown instanceof ConnectionLost) return;
        const error = SMCPError.from(thrown);
        this.#fail(name, error);
        if (error.code === 408) void this.#refreshLater(name, delays.next());
        if (!isTransient(thrown)) return;
      }
    }
  }

  async #refreshLater(name: string, ms: number): Promise<void> {
    await pause(ms, this.#stop.signal);
    if (this.#computers.get(name)?.state === 'failed') this.#refresh(name);
  }

  async #update(name: string, tools: readonly SMCPTool[]): Promise<void> {
    const known = this.#computers.get(name);
    const isSame = known?.state === 'ready' && (await haveSame(known.tools, tools));
    if (!this.#computers.has(name)) return; // it left
    if (!isSame) this.#options.events.emit('toolsChanged', this.#put({ name, state: 'ready', tools }));
  }

  #fail(name: string, error: SMCPError): void {
    const known = this.#computers.get(name);
    if (!known) return;
    // The answer is older than what was reported since. The list is fetched again.
    if (this.#fetches.get(name)?.again) return;
    if (hasLeft(name, error)) this.#leave(name);
    else {
      this.#put({ name, state: 'failed', tools: known.tools, error });
      this.#options.events.emit('warning', error);
    }
  }

  #put(computer: RemoteComputer): RemoteComputer {
    const frozen = Object.freeze(computer);
    this.#computers.set(computer.name, frozen);
    this.#version++;
    return frozen;
  }

  #forget(name: string): void {
    // Its last reported changes must not add it again.
    clearTimeout(this.#changes.get(name)?.timer);
    this.#changes.delete(name);
    this.#computers.delete(name);
    this.#version++;
  }
}

async function haveSame(a: readonly SMCPTool[], b: readonly SMCPTool[]): Promise<boolean> {
  if (a.length !== b.length) return false;
  const turns = new Turns();
  for (const [index, tool] of a.entries()) {
    if (JSON.stringify(tool) !== JSON.stringify(b[index])) return false;
    if (turns.isOver) await turns.next();
  }
  return true;
}

/** The Server or the Computer cannot answer at present. After a lost connection a new room list follows anyway. */
function isTransient(error: unknown): error is SMCPError {
  if (!(error instanceof SMCPError) || error instanceof ConnectionLost) return false;
  return error.kind === 'Unavailable' || isConnectionOfComputerLost(error);
}

/** The Computer may have taken its seat with a newer connection already. A Computer that is gone for good has left. */
function isConnectionOfComputerLost({ kind, details }: SMCPError): boolean {
  return kind === 'NotFound' && details.reason === 'gone';
}

/** The Server does not know the Computer: it left, and the notification was missed. */
function hasLeft(name: string, error: SMCPError): boolean {
  if (isConnectionOfComputerLost(error)) return false;
  return error.kind === 'NotFound' && (error.details.computer ?? name) === name;
}

/** Resolves also on abort; the loops check their own conditions. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, signal).catch(() => {});
}
