import {
  isWindowUri,
  type Window,
  type WindowContent,
  type WindowResource,
  windowMetadata,
  withoutQuery,
} from '@a2c/protocol';
import type { Connection } from '../connection/connection.js';
import { LISTS, listAll } from '../connection/list-all.js';
import { Deadline } from '../deadline.js';
import { Lane } from '../lane.js';
import type { HubLimits } from '../limits.js';
import { isRecord } from '../tools/parse-tool.js';

/** The windows of one connection: which there are, and that we hear of their changes. */
export class WindowWatch {
  readonly #connection: Connection;
  readonly #limits: HubLimits;
  readonly #warn: (message: string) => void;
  readonly #lane = new Lane();
  #known = new Map<string, WindowResource>();

  constructor(connection: Connection, limits: HubLimits, warn: (message: string) => void) {
    this.#connection = connection;
    this.#limits = limits;
    this.#warn = warn;
  }

  has(uri: string): boolean {
    return this.#known.has(uri);
  }

  /** Looks anew and subscribes to what is new, unsubscribes from what vanished. True when the set is another one. */
  refresh(): Promise<boolean> {
    return this.#lane.run(async () => {
      const deadline = new Deadline(this.#limits.listTimeout, 'listing the windows');
      try {
        return await this.#refresh(deadline.signal);
      } finally {
        deadline.release();
      }
    });
  }

  async #refresh(signal: AbortSignal): Promise<boolean> {
    const limits = { pages: this.#limits.listPages, items: LISTED_RESOURCES };
    const resources = await listAll(this.#connection, LISTS.resources, limits, signal, this.#warn);
    const found = resources.filter(isWindow).slice(0, this.#limits.windowsPerServer);
    const now = new Map(found.map((resource) => [resource.uri, resource]));
    const before = this.#known;
    this.#known = now;
    const added = [...now.keys()].filter((uri) => !before.has(uri));
    const removed = [...before.keys()].filter((uri) => !now.has(uri));
    const isChanged = added.length + removed.length > 0;
    if (isChanged) await this.#connection.watch({ all: [...now.keys()], added, removed }, signal);
    return isChanged;
  }

  /** In the order a desktop starts from: by priority, ties as listed. */
  async list(): Promise<readonly WindowResource[]> {
    await this.refresh();
    const priority = (resource: WindowResource) => windowMetadata(resource).priority;
    return [...this.#known.values()].sort((a, b) => priority(b) - priority(a));
  }

  /** What a window holds. One that cannot be read stays on the desktop and says so. */
  async read(resource: WindowResource): Promise<Window> {
    const server = this.#connection.server.name;
    const deadline = new Deadline(this.#limits.listTimeout, `reading ${resource.uri}`);
    try {
      const answer = await this.#connection.request('resources/read', { uri: resource.uri }, deadline);
      return { server, resource, contents: readContents(answer.contents) };
    } catch (error) {
      this.#warn(`its window ${resource.uri} could not be read: ${(error as Error).message}`);
      return { server, resource, contents: [{ text: '获取资源失败 / this window could not be read' }] };
    } finally {
      deadline.release();
    }
  }
}

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
  return Array.isArray(contents)
    ? contents.filter(isRecord).map(({ text, blob }) => ({
        ...(typeof text === 'string' && { text }),
        ...(typeof blob === 'string' && { blob }),
      }))
    : [];
}
