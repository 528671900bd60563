import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ProcessLock, replaceFile, type ServerConfig, SHORT_WORK_MS, userConfigFolder } from '@a2c/config';
import { isRecord } from '@a2c/protocol';
import { jsonLines, readHead, readLines } from '../json-lines-file.js';
import { mapInTurns } from '../turn-budget.js';
import { hashOf, type PinnedTool } from './pinned-tool.js';
import { describeChange, type ToolChange } from './tool-change.js';

/** What is stored about one server. */
export interface PinRecord {
  readonly server: string;
  /** The tools that a person approved, or that were there at the first use, by name. */
  readonly approved: Readonly<Record<string, PinnedTool>>;
  /** Tools that are new or differ since then, as their server sent them last, by name. */
  readonly pending: Readonly<Record<string, PinnedTool>>;
  /** The capabilities of the clients that the server has listed its tools to. It may list more to some. */
  readonly listedTo: readonly string[];
  /** Lists that were compared with this record and are shown as they were sent, by the capabilities of clients. */
  readonly shown?: Readonly<Record<string, string>>;
}

/** What an approval names of a change. */
export type SeenChange = Pick<ToolChange, 'server' | 'tool' | 'id'>;

/** In format 1, a record was one JSON value. */
const FORMAT = 2;

/**
 * The approved tools of servers, shared by all processes of a user. One file per server, mode 0600.
 *
 * @example
 * ```ts
 * const store = new PinStore();
 * const changes = await store.changes('mail');
 * for (const change of changes) console.log(change.diff);
 * await store.approve(changes);
 * ```
 */
export class PinStore {
  /** The folder of the records. */
  readonly folder: string;

  /** @param folder Where to keep the records; `pins` in the user's configuration folder by default. */
  constructor(folder: string = join(userConfigFolder(), 'pins')) {
    this.folder = folder;
  }

  /** All changes that wait for approval, of one server or of all, by the names of servers. */
  async changes(server?: string): Promise<readonly ToolChange[]> {
    const records = (await this.#all())
      .map(({ record }) => record)
      .filter((record) => record.server === (server ?? record.server));
    return (await Promise.all(records.toSorted((a, b) => (a.server < b.server ? -1 : 1)).map(changesIn))).flat();
  }

  /**
   * Approves changes that a person has seen. A tool that its server has changed again since then is not approved.
   * Returns what was approved.
   */
  async approve<T extends SeenChange>(seen: readonly T[]): Promise<readonly T[]> {
    const servers = new Set(seen.map(({ server }) => server));
    const approved: T[] = [];
    for (const { key, record } of await this.#all()) {
      if (servers.has(record.server)) approved.push(...(await this.locked(key, () => this.#approveIn(key, seen))));
    }
    return approved;
  }

  async #approveIn<T extends SeenChange>(key: string, seen: readonly T[]): Promise<readonly T[]> {
    const record = await this.read(key);
    const pending = Object.entries(record?.pending ?? {});
    const current = new Map(pending.map(([name, tool]) => [name, hashOf(tool)]));
    const matching = seen.filter(({ server, tool, id }) => server === record?.server && current.get(tool) === id);
    if (!record || matching.length === 0) return [];
    const names = new Set(matching.map(({ tool }) => tool));
    const { shown: _, ...rest } = record; // They may differ from what is approved now.
    await this.write(key, {
      ...rest,
      approved: { ...record.approved, ...Object.fromEntries(pending.filter(([name]) => names.has(name))) },
      pending: Object.fromEntries(pending.filter(([name]) => !names.has(name))),
    });
    return matching;
  }

  /** The names of the servers with records. */
  async servers(): Promise<readonly string[]> {
    return [...new Set((await this.#all()).map(({ record }) => record.server))].toSorted();
  }

  /** The record of a server; undefined before its first use. */
  async read(key: string): Promise<PinRecord | undefined> {
    const file = this.#file(key);
    try {
      const record = await parse(readLines(file));
      if (record) return record;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new Error(`the approved tools in ${file} are damaged; delete the file to approve anew`);
  }

  /** The `shown` of the record of one server, which costs much less than the record. */
  async shown(key: string): Promise<Readonly<Record<string, string>>> {
    const head = await readHead(this.#file(key));
    return isRecord(head) && head.format === FORMAT ? shownIn(head) : {};
  }

  /** Changes when the record changes. */
  async version(key: string): Promise<number> {
    const { mtimeMs } = await stat(this.#file(key));
    return mtimeMs;
  }

  /** Runs `work`, which reads and writes the record of one server, while no other process does. */
  locked<T>(key: string, work: () => Promise<T>): Promise<T> {
    return new ProcessLock(join(this.folder, 'locks'), key).run(work, { waitMs: SHORT_WORK_MS });
  }

  /** Writes the record of one server, atomically. */
  async write(key: string, { server, listedTo, shown, approved, pending }: PinRecord): Promise<void> {
    const head = { format: FORMAT, server, listedTo, shown };
    const tools = [
      ...Object.entries(approved).map((entry) => ['approved', ...entry]),
      ...Object.entries(pending).map((entry) => ['pending', ...entry]),
    ];
    await replaceFile(this.#file(key), jsonLines([head, ...tools]));
  }

  async #all(): Promise<readonly { readonly key: string; readonly record: PinRecord }[]> {
    const files = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const keys = files.filter((file) => /^[\w-]+\.json$/.test(file)).map((file) => file.slice(0, -'.json'.length));
    const records = await Promise.all(keys.map(async (key) => ({ key, record: await this.read(key) })));
    return records.flatMap(({ key, record }) => (record ? [{ key, record }] : []));
  }

  #file(key: string): string {
    return join(this.folder, `${key}.json`);
  }
}

function changesIn({ server, approved, pending }: PinRecord): Promise<readonly ToolChange[]> {
  return mapInTurns(Object.entries(pending), ([name, after]) => {
    const before = Object.hasOwn(approved, name) ? approved[name] : undefined;
    return describeChange(server, name, before, after);
  });
}

/** Returns undefined if the record is damaged. */
async function parse(groups: AsyncIterable<readonly unknown[]>): Promise<PinRecord | undefined> {
  let head: unknown;
  const tools: { readonly [part: string]: [string, unknown][] } = { approved: [], pending: [] };
  for await (const lines of groups) {
    for (const line of lines) {
      head ??= line;
      if (line === head) continue;
      if (!Array.isArray(line) || line.length !== 3) return undefined;
      tools[line[0]]?.push([line[1], line[2]]);
    }
  }
  if (!isRecord(head) || typeof head.server !== 'string') return undefined;
  if (head.format !== FORMAT && head.format !== 1) return undefined;
  const { server, listedTo } = head;
  const approved = head.approved ?? Object.fromEntries(tools.approved ?? []);
  const pending = head.pending ?? Object.fromEntries(tools.pending ?? []);
  if (!isRecord(approved) || !isRecord(pending)) return undefined;
  const record = { server, approved, pending, listedTo: Array.isArray(listedTo) ? listedTo : [], shown: shownIn(head) };
  return record as unknown as PinRecord;
}

function shownIn({ shown }: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return isRecord(shown) ? (shown as Record<string, string>) : {};
}

/**
 * Names the record of a server of a place: its configuration file, or a folder in earlier versions. The version of a
 * package is not part of it: an update shall be noticed.
 */
export function pinKey({ name, transport }: ServerConfig, place: string): string {
  const what = JSON.stringify(identityOf(transport), (_, value) =>
    typeof value === 'string' ? value.replace(/(?<=.)@(?:latest|next|[\^~]?v?\d[\w.+-]*)$/, '') : value,
  );
  return createHash('sha256')
    .update(JSON.stringify([name, place, what]))
    .digest('base64url');
}

function identityOf(transport: ServerConfig['transport']): unknown {
  const { type, argv, url, unix_path } = transport as unknown as Record<string, unknown>;
  return [type, argv, url, unix_path];
}
