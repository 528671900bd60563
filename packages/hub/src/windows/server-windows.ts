import {
  isRecord,
  isWindowUri,
  type Window,
  type WindowContent,
  type WindowResource,
  windowMetadata,
  windowProblems,
  withoutQuery,
} from '@a2c/protocol';
import { listAll } from '../clients/list-all.js';
import type { MCPClientProtocol } from '../clients/mcp-client.js';
import { Deadline } from '../deadline.js';
import type { HubLimits } from '../limits.js';
import { SerialQueue } from '../serial-queue.js';
import type { ConnectionSubscriptions } from '../servers/resource-subscriptions.js';
import { mapInTurns } from '../turn-budget.js';

export interface ServerWindowsOptions {
  readonly limits: HubLimits;
  readonly subscriptions: ConnectionSubscriptions;
  /** The set of windows changed. */
  readonly onChange: () => void;
  readonly onWarning: (message: string) => void;
}

/** The windows of one connection. It subscribes to their changes. */
export class ServerWindows {
  readonly #client: MCPClientProtocol;
  readonly #options: ServerWindowsOptions;
  readonly #queue = new SerialQueue();
  readonly #warned = new Set<string>();
  #known: readonly WindowResource[] = [];

  constructor(client: MCPClientProtocol, options: ServerWindowsOptions) {
    this.#client = client;
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#known.length === 0;
  }

  has(uri: string): boolean {
    return this.#known.some((resource) => resource.uri === uri);
  }

  /** Lists the windows by priority; windows of equal priority stay in the order of the server. */
  list(): Promise<readonly WindowResource[]> {
    const { limits, onChange } = this.#options;
    return this.#queue.run(() =>
      Deadline.run(limits.listTimeoutMs, { what: 'listing the windows' }, async ({ signal }) => {
        const before = new Set(this.#known.map(({ uri }) => uri));
        this.#known = await this.#read(signal);
        const isSame = this.#known.length === before.size && this.#known.every(({ uri }) => before.has(uri));
        try {
          // First: a caller that reads a window after `onChange` must not miss its next change.
          await this.#subscribe(signal);
        } finally {
          if (!isSame) onChange();
        }
        return this.#known;
      }),
    );
  }

  async #read(signal: AbortSignal): Promise<readonly WindowResource[]> {
    const { limits, onWarning } = this.#options;
    const listOptions = { maxPages: limits.listPages, maxItems: MAX_RESOURCES, signal, onWarning };
    const resources = await listAll(this.#client, 'resources', listOptions);
    const read = (await mapInTurns(resources, windowOf)).flatMap((window) => window ?? []);
    const windows = [...new Map(read.map((window) => [window.resource.uri, window])).values()];
    for (const { resource } of windows) for (const problem of windowProblems(resource)) this.#warnOnce(problem);
    const sorted = windows.sort((a, b) => b.priority - a.priority).map(({ resource }) => resource);
    const max = limits.windowsPerServer;
    if (sorted.length > max) onWarning(`it has ${sorted.length} windows; the ${max} of highest priority are used`);
    return sorted.slice(0, max);
  }

  /** Once, and about few windows: they are listed often, and a server may change them each time. */
  #warnOnce(message: string): void {
    if (this.#warned.has(message) || this.#warned.size >= MAX_WARNINGS) return;
    this.#warned.add(message);
    this.#options.onWarning(message);
  }

  async #subscribe(signal: AbortSignal): Promise<void> {
    if (!this.#client.capabilities.resources?.subscribe) return;
    const uris = this.#known.map(({ uri }) => uri);
    const failures = await this.#options.subscriptions.set('windows', uris, signal);
    for (const [uri, { message }] of failures) this.#options.onWarning(`cannot subscribe to ${uri}: ${message}`);
  }

  /** Reads the contents of windows, a few at a time, up to a size of all. Those beyond it have a note instead. */
  async readAll(resources: readonly WindowResource[]): Promise<readonly Window[]> {
    const windows: Window[] = [];
    let characters = 0;
    for (let at = 0; at < resources.length; at += CONCURRENT_READS) {
      const some = resources.slice(at, at + CONCURRENT_READS);
      const isFull = characters > MAX_CHARACTERS;
      const read = isFull ? some.map((resource) => this.#tooLarge(resource)) : await this.#readSome(some);
      for (const window of read) {
        const size = sizeOf(window);
        characters += size;
        windows.push(size > 0 && characters > MAX_CHARACTERS ? this.#tooLarge(window.resource) : window);
      }
    }
    return windows;
  }

  #readSome(resources: readonly WindowResource[]): Promise<readonly Window[]> {
    return Promise.all(resources.map((resource) => this.#readOne(resource)));
  }

  #tooLarge(resource: WindowResource): Window {
    const text = '窗口内容过大 / the windows of this server are too large; this one is not shown';
    return { server: this.#client.server.name, resource, contents: [{ text }] };
  }

  /** A window that cannot be read stays on the desktop, with an error text as its content. */
  async #readOne(resource: WindowResource): Promise<Window> {
    const server = this.#client.server.name;
    const { limits, onWarning } = this.#options;
    try {
      const answer = await Deadline.run(limits.listTimeoutMs, { what: `reading ${resource.uri}` }, ({ signal }) =>
        this.#client.request('resources/read', { uri: resource.uri }, { signal }),
      );
      return { server, resource, contents: readContents(answer.contents) };
    } catch (error) {
      onWarning(`its window ${resource.uri} could not be read: ${(error as Error).message}`);
      return { server, resource, contents: [{ text: '获取资源失败 / this window could not be read' }] };
    }
  }
}

function sizeOf({ contents }: Window): number {
  return contents.reduce((sum, { text = '', blob = '' }) => sum + text.length + blob.length, 0);
}

const CONCURRENT_READS = 4;
/** A desktop is sent in one message; a server may have 200 windows, each as large as a message. */
const MAX_CHARACTERS = 8 * 2 ** 20;
/** Servers may list thousands of resources; only the first ones are searched for windows. */
const MAX_RESOURCES = 10_000;
/** Warnings about windows, per connection. */
const MAX_WARNINGS = 20;

/** A window and its priority. An invalid query of the older window URI form does not exclude a window. */
function windowOf(listed: unknown): { readonly resource: WindowResource; readonly priority: number } | undefined {
  if (!isRecord(listed) || typeof listed.uri !== 'string') return undefined;
  if (!isWindowUri(listed.uri) && !isWindowUri(withoutQuery(listed.uri))) return undefined;
  const resource = listed as unknown as WindowResource;
  return { resource, priority: windowMetadata(resource).priority };
}

function readContents(contents: unknown): WindowContent[] {
  if (!Array.isArray(contents)) return [];
  return contents.filter(isRecord).map(({ text, blob }) => ({
    ...(typeof text === 'string' && { text }),
    ...(typeof blob === 'string' && { blob }),
  }));
}
