import {
  type AgentScope,
  exposedName,
  fullNames,
  isPermitted,
  isRecord,
  MAX_TOOLS,
  META_KEYS,
  type QualifiedNames,
  readToolMeta,
  SMCPError,
  type ToolMeta,
  unwrapAnswer,
  WIRE_LIMITS,
} from '@a2c/protocol';
import type { Member } from '../rooms/registry.js';
import { RawAnswer } from '../wire/raw-json.js';
import { type AnswerArgs, decoded } from './pending-calls.js';

/**
 * The tool names of each Computer, taken from the `client:get_tools` answers that are relayed. A call of an unlisted
 * tool is refused without asking the Computer. Without a list, or after the Computer announced a change, the Computer
 * decides.
 */
export class ToolListCache {
  readonly #tools = new Map<string, ReadonlyMap<string, ListedTool | 'ambiguous'>>();
  /** The Computers whose list contains all of their tools. */
  readonly #complete = new Set<string>();
  readonly #catalogues = new Map<string, Promise<Catalogue>>();

  /**
   * Stores the names of a relayed answer. An answer that is not a tool list removes the entry.
   *
   * @param isComplete false if the answer may lack tools that the Agent may not use
   */
  store(sid: string, answer: AnswerArgs, isComplete: boolean): void {
    if (!isComplete && this.#complete.has(sid)) return;
    const list = readList(answer);
    if (!list) {
      this.#tools.delete(sid);
      this.#complete.delete(sid);
      return;
    }
    // Some Computers list a tool by its own name and accept calls by its alias only, so both names are stored.
    const tools = new Map<string, ListedTool | 'ambiguous'>();
    for (const listed of list) {
      const tool = { names: scopeNames(listed), server: serverOf(listed) };
      for (const name of namesOf(listed)) tools.set(name, tools.has(name) ? 'ambiguous' : tool);
    }
    this.#tools.set(sid, tools);
    if (isComplete) this.#complete.add(sid);
  }

  invalidate(sid: string): void {
    this.#tools.delete(sid);
    this.#complete.delete(sid);
    this.#catalogues.delete(sid);
  }

  /**
   * All tools of a Computer, loaded once until they change. A load that failed is not kept, and fails only for the one
   * that began it: it may have failed because that Agent left.
   */
  catalogue(sid: string, load: () => Promise<Catalogue>): Promise<Catalogue> {
    return this.#catalogues.get(sid)?.catch(() => this.#load(sid, load)) ?? this.#load(sid, load);
  }

  #load(sid: string, load: () => Promise<Catalogue>): Promise<Catalogue> {
    const loaded = load();
    this.#catalogues.set(sid, loaded);
    loaded.catch(() => {
      if (this.#catalogues.get(sid) === loaded) this.#catalogues.delete(sid);
    });
    return loaded;
  }

  /** @throws SMCPError if the list of this Computer is known and does not contain the tool */
  assertListed({ sid, name: computer }: Member, tool: string): void {
    if (!this.#complete.has(sid) || this.#tools.get(sid)?.has(tool) || mayBeFullName(tool)) return;
    const message = `Computer "${computer}" offers no tool "${tool.slice(0, 100)}"; it may be disabled or unknown`;
    throw new SMCPError('ToolNotFound', message, { details: { computer } });
  }

  /**
   * Checks the scope of the Agent by the tool and, if they are listed, its alias and MCP server. The Computer repeats
   * the check, because only it knows all names: a full name that is not listed is left to it, and so is a name of
   * several tools.
   *
   * @throws SMCPError 403
   */
  assertInScope({ sid }: Member, { tools, servers }: AgentScope, tool: string): void {
    if (tools === undefined && servers === undefined) return;
    const listed = this.#tools.get(sid)?.get(tool);
    if (listed === 'ambiguous' || (listed === undefined && mayBeFullName(tool))) return;
    if (!isPermitted(tools, ...(listed?.names ?? [tool]))) throw outOfScope(`the tool "${tool.slice(0, 100)}"`);
    if (listed?.server !== undefined && !isPermitted(servers, listed.server)) {
      throw outOfScope(`tools of the MCP server "${listed.server}"`);
    }
  }
}

/**
 * Whether a name may begin with an MCP server: `bundle__tool`, `server.tool` or `server/tool`. A Computer accepts these
 * names too, but lists only one of them.
 */
function mayBeFullName(tool: string): boolean {
  return /__|[./]/.test(tool);
}

/** The names of a tool, and its MCP server. */
interface ListedTool {
  readonly names: readonly string[];
  readonly server: string | undefined;
}

export function outOfScope(what: string): SMCPError {
  return new SMCPError('Forbidden', `this identity may not use ${what}`);
}

/** A tool in a list of a Computer. */
export interface Listed {
  readonly name: string;
  readonly bundle_id?: unknown;
  readonly meta?: unknown;
}

/** What a Computer of another maker offers. */
export interface Catalogue {
  /** The tools that each name may mean. */
  readonly tools: ReadonlyMap<string, readonly Listed[]>;
  /** The names of its MCP servers, by bundle id. */
  readonly servers: ReadonlyMap<string, string>;
  /** Which of these servers a full name belongs to. */
  readonly owners: QualifiedNames;
}

/** The tools that each name may mean. */
export function indexed(tools: readonly Listed[]): ReadonlyMap<string, readonly Listed[]> {
  const index = new Map<string, Listed[]>();
  for (const tool of tools) {
    for (const name of namesOf(tool)) {
      const meant = index.get(name);
      if (meant) meant.push(tool);
      else index.set(name, [tool]);
    }
  }
  return index;
}

/** The names by which a tool can be called: its own and its alias, each also with the bundle id. */
export function namesOf(tool: Listed): readonly string[] {
  const server = serverOf(tool);
  const short = shortNames(tool);
  const long = server === undefined ? [] : short.map((name) => exposedName(server, name));
  return [...new Set([tool.name, ...short, ...long])];
}

/** All names by which limits of keys apply to a tool. */
export function scopeNames(tool: Listed, server = toolServer(tool), bundleId = serverOf(tool)): readonly string[] {
  const short = shortNames(tool);
  // A tool whose short name another server has is listed as `server.tool`.
  const prefixes = fullNames([server, bundleId], ['']);
  const within = short.flatMap((name) =>
    prefixes.filter((prefix) => name.startsWith(prefix)).map((prefix) => name.slice(prefix.length)),
  );
  return [...namesOf(tool), ...fullNames([server, bundleId], [...short, ...within])];
}

/** The name of the MCP server of a tool, which Computers of a2c add to their lists. */
export function toolServer({ meta }: Listed): string | undefined {
  const name = isRecord(meta) ? meta[META_KEYS.toolServer] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The own name and the alias of a tool, as far as they are listed. */
export function shortNames(tool: Listed): readonly string[] {
  return [shortName(tool), aliasOf(tool)].filter((name): name is string => typeof name === 'string');
}

/** The name without the bundle id. It may be the alias. */
export function shortName(tool: Listed): string {
  const prefix = exposedName(serverOf(tool) ?? '', '');
  return serverOf(tool) !== undefined && tool.name.startsWith(prefix) ? tool.name.slice(prefix.length) : tool.name;
}

export function aliasOf({ meta }: Listed): string | null | undefined {
  const settings = isRecord(meta) ? meta[META_KEYS.toolMeta] : undefined;
  if (isRecord(settings)) return (settings as ToolMeta).alias;
  return typeof settings === 'string' ? readToolMeta({ meta: { [META_KEYS.toolMeta]: settings } })?.alias : null;
}

/** The bundle id of the MCP server of a tool. */
export function serverOf({ bundle_id }: Listed): string | undefined {
  return typeof bundle_id === 'string' ? bundle_id : undefined;
}

/** A longer list is not read, because that would block the event loop. The Computer then decides on its calls. */
const MAX_LIST_BYTES = 2 ** 20;
/** Settings of a tool, which may be text in the list. Those of a2c have some hundred characters. */
const MAX_SETTINGS_LENGTH = 16 * 1_024;

/** What was read: the same answer is stored, and loaded to check limits. */
const READ = new WeakMap<AnswerArgs, readonly Listed[] | 'unreadable'>();

/** Reads the fields that are needed, and not those that take long in a list of very many tools. */
export function readList(answer: AnswerArgs): readonly Listed[] | undefined {
  if (!isReadable(answer)) return undefined;
  const read = READ.get(answer) ?? listedIn(unwrapAnswer(decoded(answer))) ?? 'unreadable';
  READ.set(answer, read);
  return read === 'unreadable' ? undefined : read;
}

/** Whether a list is short enough to be read. */
export function isReadable(answer: AnswerArgs): boolean {
  return !(answer instanceof RawAnswer) || answer.bytes.length <= MAX_LIST_BYTES;
}

/** The tools of a list. A list with too many, or with very long names or settings, is not read. */
export function listedIn(list: unknown): readonly Listed[] | undefined {
  if (!isRecord(list) || !Array.isArray(list.tools) || list.tools.length > MAX_TOOLS) return undefined;
  const tools = list.tools.filter((tool): tool is Listed => isRecord(tool) && typeof tool.name === 'string');
  return tools.some(isOversized) ? undefined : tools;
}

function isOversized(tool: Listed): boolean {
  const isLong = (text: unknown, most: number) => typeof text === 'string' && text.length > most;
  const settings = isRecord(tool.meta) ? tool.meta[META_KEYS.toolMeta] : undefined;
  if (isLong(settings, MAX_SETTINGS_LENGTH)) return true;
  const names = [tool.name, tool.bundle_id, toolServer(tool), aliasOf(tool)];
  return names.some((name) => isLong(name, WIRE_LIMITS.toolNameLength));
}
