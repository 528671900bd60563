import {
  isRecord,
  isWindowUri,
  type Window,
  type WindowContent,
  type WindowResource,
  windowMetadata,
  withoutQuery,
} from '@a2c/protocol';
import type { Connection } from '../connection/connection.js';
import { LISTS, listAll } from '../connection/list-all.js';
import type { Subscriptions } from '../connection/subscriptions.js';
import { Deadline } from '../deadline.js';
import { Lane } from '../lane.js';
import type { HubLimits } from '../limits.js';

export interface WindowEvents {
  /** The set of windows is another one. */
  readonly onChange: () => void;
  readonly onWarning: (message: string) => void;
}

/** The windows of one connection: which there are, and that we hear of their changes. */
export class WindowWatch {
  readonly #connection: Connection;
  readonly #limits: HubLimits;
  readonly #events: WindowEvents;
  readonly #lane = new Lane();
  readonly #subscriptions: Subscriptions;
  #known: readonly WindowResource[] = [];

  constructor(connection: Connection, subscriptions: Subscriptions, limits: HubLimits, events: WindowEvents) {
    this.#connection = connection;
    this.#subscriptions = subscriptions;
    this.#limits = limits;
    this.#events = events;
  }

  get isEmpty(): boolean {
    return this.#known.length === 0;
  }

  has(uri: string): boolean {
    return this.#known.some((resource) => resource.uri === uri);
  }

  /** Looks anew. By priority, ties as listed: the order a desktop starts from. */
  list(): Promise<readonly WindowResource[]> {
    return this.#lane.run(async () => {
      const deadline = new Deadline(this.#limits.listTimeout, 'listing the windows');
      try {
        const before = new Set(this.#known.map(({ uri }) => uri));
        this.#known = await this.#look(deadline.signal);
        const isSame = this.#known.length === before.size && this.#known.every(({ uri }) => before.has(uri));
        if (!isSame) this.#events.onChange();
        await this.#follow(deadline.signal);
        return this.#known;
      } finally {
        deadline.release();
      }
    });
  }

  async #look(signal: AbortSignal): Promise<readonly WindowResource[]> {
    const limits = { pages: this.#limits.listPages, items: LISTED_RESOURCES };
    const resources = await listAll(this.#connection, LISTS.resources, limits, signal, this.#events.onWarning);
    const windows = new Map(resources.filter(isWindow).map((resource) => [resource.uri, resource]));
    const priority = (resource: WindowResource) => windowMetadata(resource).priority;
    const sorted = [...windows.values()].sort((a, b) => priority(b) - priority(a));
    const most = this.#limits.windowsPerServer;
    if (sorted.length > most) this.#events.onWarning(`it has ${sorted.length} windows; the ${most} foremost are used`);
    return sorted.slice(0, most);
  }

  /** Hears of each window that is there, once, and of none that is not. What fails is tried again at the next look. */
  async #follow(signal: AbortSignal): Promise<void> {
    if (!this.#connection.capabilities.resources?.subscribe) return;
    const uris = this.#known.map(({ uri }) => uri);
    const failures = await this.#subscriptions.want('windows', uris, signal);
    for (const [uri, { message }] of failures) {
      this.#events.onWarning(`changes of ${uri} will not be heard for now: ${message}`);
    }
  }

  /** What the windows hold, a few at a time: a server may have many. */
  async readAll(resources: readonly WindowResource[]): Promise<readonly Window[]> {
    const windows: Window[] = [];
    for (let at = 0; at < resources.length; at += READ_AT_ONCE) {
      const some = resources.slice(at, at + READ_AT_ONCE);
      windows.push(...(await Promise.all(some.map((resource) => this.#read(resource)))));
    }
    return windows;
  }

  /** One that cannot be read stays on the desktop and says so. */
  async #read(resource: WindowResource): Promise<Window> {
    const server = this.#connection.server.name;
    const deadline = new Deadline(this.#limits.listTimeout, `reading ${resource.uri}`);
    try {
      const answer = await this.#connection.request('resources/read', { uri: resource.uri }, deadline);
      return { server, resource, contents: readContents(answer.contents) };
    } catch (error) {
      this.#events.onWarning(`its window ${resource.uri} could not be read: ${(error as Error).message}`);
      return { server, resource, contents: [{ text: '获取资源失败 / this window could not be read' }] };
    } finally {
      deadline.release();
    }
  }
}

const READ_AT_ONCE = 16;
/** Servers may list thousands of resources; windows are looked for among this many. */
const LISTED_RESOURCES = 10_000;

function isWindow(resource: unknown): resource is WindowResource {
  return isRecord(resource) && typeof resource.uri === 'string' && isWindowUriOfAnyAge(resource.uri);
}

/** A query of the older generation that makes no sense does not make the window none. */
function isWindowUriOfAnyAge(uri: string): boolean {
  return isWindowUri(uri) || isWindowUri(withoutQuery(uri));
}

function readContents(contents: unknown): WindowContent[] {
  if (!Array.isArray(contents)) return [];
  return contents.filter(isRecord).map(({ text, blob }) => ({
    ...(typeof text === 'string' && { text }),
    ...(typeof blob === 'string' && { blob }),
  }));
}
