import type { ServerConfig } from '@a2c/config';
import {
  a2cCommand,
  displayName,
  exposedName,
  fullNames,
  mergeToolMeta,
  QualifiedNames,
  type ToolMeta,
} from '@a2c/protocol';
import { HubError } from '../errors.js';
import { didYouMean } from './did-you-mean.js';
import { hashOfList } from './list-hash.js';
import type { ListedTool } from './parse-tool.js';

/** A tool that can be called. */
export interface AvailableTool {
  readonly server: string;
  /** The server's own name of the tool. */
  readonly name: string;
  /** The alias, or the name: under this the tool is listed. */
  readonly displayName: string;
  /** The bundle id of the server. */
  readonly bundleId: string;
  /** Bundle id and display name: under this the tool is listed for Agents from protocol 0.3 on. */
  readonly exposedName: string;
  /** Its own name is a full name of another server: calls and the limits of keys by that name never mean this tool. */
  readonly isImitation?: true;
  /** Its names and full names that belong to another server: permissions do not apply to it by these. */
  readonly foreignNames?: readonly string[];
  /** The owner's settings: `tool_meta` merged over `default_tool_meta`. */
  readonly meta: ToolMeta | undefined;
  /** The tool as its server describes it. */
  readonly tool: ListedTool;
}

/** The names under which an Agent knows the tools: up to protocol 0.2, and from 0.3 on. */
export type NameForm = 'display' | 'exposed';

/** The tools of one server. */
export interface ToolSource {
  /** Names of tools that wait for approval. */
  readonly withheld?: readonly string[];
  readonly config: ServerConfig;
  readonly bundleId: string;
  readonly tools: readonly ListedTool[];
}

/** The tools of one server in a table. */
interface ServerTools {
  readonly fingerprint: string;
  readonly entries: ReadonlyMap<string, AvailableTool>;
  /** Names of tools that are forbidden. */
  readonly refused: ReadonlySet<string>;
}

/** Two servers have a tool of the same display name: `keptBy` has it, the tool of `server` needs its full name. */
export interface ToolConflict {
  readonly server: string;
  readonly displayName: string;
  readonly keptBy: string;
}

/** The display name of a tool is a full name of another server, `owner`: the tool is listed as `listedAs`. */
export interface ReservedName {
  readonly server: string;
  readonly displayName: string;
  readonly owner: string;
  readonly listedAs: string;
}

/**
 * All callable tools, by server and by display name. It is immutable. A display name belongs to the first tool in
 * configuration order, whichever server started first. The others are listed and called as `server.tool`. A full name
 * of a server always means a tool of this server.
 */
export class ToolTable {
  static readonly EMPTY = new ToolTable([]);

  readonly conflicts: readonly ToolConflict[];
  /** The tools whose display name is a full name of another server. */
  readonly reserved: readonly ReservedName[];
  /** Equal for tables with the same content. */
  readonly fingerprint: string;
  readonly #qualified: QualifiedNames;
  readonly #byServer = new Map<string, ServerTools>();
  readonly #byDisplayName = new Map<string, AvailableTool>();
  readonly #byExposedName = new Map<string, AvailableTool>();
  /** The tools that are not listed by their display name. */
  readonly #byFullName = new Map<string, AvailableTool>();
  readonly #fullNames = new Map<AvailableTool, string>();
  /** Original names of tools with an alias. They can be called by these too, as long as they are unambiguous. */
  readonly #byOriginal = new Map<string, AvailableTool[]>();
  readonly #withheld = new Map<string, readonly string[]>();

  /** The fingerprint of the table of these tools, without building it. */
  static fingerprintOf(sources: readonly ToolSource[]): string {
    return sources.map(fingerprintOf).join('\n');
  }

  /** The entries of servers whose tools are those of the `former` table are taken from it. */
  constructor(sources: readonly ToolSource[], former: ToolTable | null = null) {
    this.#qualified = new QualifiedNames(sources.map(({ config, bundleId }) => ({ name: config.name, bundleId })));
    for (const source of sources) {
      const { config, withheld = [] } = source;
      const fingerprint = fingerprintOf(source);
      const known = former === null ? undefined : former.#byServer.get(config.name);
      const isKnown = known?.fingerprint === fingerprint && this.#hasSameNames(known);
      const part = isKnown ? known : { fingerprint, ...this.#read(source) };
      this.#byServer.set(config.name, part);
      this.#withheld.set(config.name, withheld);
      for (const entry of part.entries.values()) this.#byExposedName.set(entry.exposedName, entry);
    }
    const parts = [...this.#byServer.values()];
    const entries = parts.flatMap((part) => [...part.entries.values()]);
    this.conflicts = this.#assignNames(entries);
    this.reserved = this.#assignFullNames(entries);
    this.fingerprint = parts.map(({ fingerprint }) => fingerprint).join('\n');
  }

  /** Whether the names of a former table are right in this one: they depend on all servers. */
  #hasSameNames({ entries }: ServerTools): boolean {
    return [...entries.values()].every(
      ({ server, name, displayName, bundleId, exposedName: exposed, isImitation = false, foreignNames = [] }) =>
        exposed === exposedName(bundleId, displayName) &&
        !this.#byExposedName.has(exposed) &&
        !this.#qualified.isOfAnother(server, exposed) &&
        this.#qualified.isOfAnother(server, name) === isImitation &&
        String(this.#foreignNames(server, bundleId, [name, displayName])) === String(foreignNames),
    );
  }

  #read({ config, tools, bundleId }: ToolSource): Omit<ServerTools, 'fingerprint'> {
    const entries = new Map<string, AvailableTool>();
    const forbidden = new Set<string>(config.forbidden_tools);
    const refused = new Set(forbidden);
    for (const tool of tools) {
      const meta = mergeToolMeta(config.default_tool_meta, own(config.tool_meta, tool.name));
      const shown = displayName(tool, meta);
      const exposed = exposedName(bundleId, shown);
      if (forbidden.size > 0) {
        const names = [tool.name, shown, exposedName(bundleId, tool.name), exposed];
        if (names.some((name) => forbidden.has(name))) {
          for (const name of names) refused.add(name);
          continue;
        }
      }
      const foreignNames = this.#foreignNames(config.name, bundleId, [tool.name, shown]);
      const entry: AvailableTool = {
        server: config.name,
        name: tool.name,
        displayName: shown,
        bundleId,
        exposedName: this.#freeExposedName(config.name, bundleId, [shown, tool.name]),
        meta,
        tool,
        ...(this.#qualified.isOfAnother(config.name, tool.name) && { isImitation: true }),
        ...(foreignNames.length > 0 && { foreignNames }),
      };
      entries.set(tool.name, entry);
      this.#byExposedName.set(entry.exposedName, entry);
    }
    return { entries, refused };
  }

  /** The names of a tool that belong to another server. */
  #foreignNames(server: string, bundleId: string, names: readonly string[]): readonly string[] {
    const all = [...names, ...fullNames([server, bundleId], names)];
    return all.filter((name) => this.#qualified.isOfAnother(server, name));
  }

  /** Two tools of a server have the same name when the alias of one is the name of the other. */
  #freeExposedName(server: string, bundleId: string, names: readonly [string, ...string[]]): string {
    const candidate = (name: string) => {
      const exposed = exposedName(bundleId, name);
      const isFree = !this.#byExposedName.has(exposed) && !this.#qualified.isOfAnother(server, exposed);
      return isFree ? exposed : undefined;
    };
    for (const name of names) {
      const free = candidate(name);
      if (free !== undefined) return free;
    }
    for (let number = 2; ; number++) {
      const free = candidate(`${names[0]}_${number}`) ?? candidate(`${number}_${names[0]}`);
      if (free !== undefined) return free;
    }
  }

  /** Assigns each display name to one tool. */
  #assignNames(tools: readonly AvailableTool[]): ToolConflict[] {
    const conflicts: ToolConflict[] = [];
    for (const tool of tools) {
      const { server, displayName } = tool;
      const holder = this.#byDisplayName.get(displayName);
      if (!this.#isReserved(tool)) {
        if (!holder) this.#byDisplayName.set(displayName, tool);
        else if (holder !== tool) conflicts.push({ server, displayName, keptBy: holder.server });
      }
      if (tool.displayName !== tool.name && !tool.isImitation) {
        this.#byOriginal.set(tool.name, [...(this.#byOriginal.get(tool.name) ?? []), tool]);
      }
    }
    return conflicts;
  }

  /** Whether the display name of a tool is a full name of another server. */
  #isReserved({ server, displayName }: AvailableTool): boolean {
    return this.#qualified.isOfAnother(server, displayName);
  }

  /** Assigns a full name of its server to each tool that has no display name of its own. */
  #assignFullNames(tools: readonly AvailableTool[]): ReservedName[] {
    const reserved: ReservedName[] = [];
    for (const tool of tools) {
      const { server, displayName } = tool;
      if (this.#byDisplayName.get(displayName) === tool) continue;
      const listedAs = this.#freeFullName(tool);
      this.#byFullName.set(listedAs, tool);
      this.#fullNames.set(tool, listedAs);
      const owner = this.#qualified.ownerOf(displayName) ?? server;
      if (owner !== server) reserved.push({ server, displayName, owner, listedAs });
    }
    return reserved;
  }

  #freeFullName({ server, displayName }: AvailableTool): string {
    const isFree = (name: string) =>
      !this.#byDisplayName.has(name) && !this.#byFullName.has(name) && !this.#qualified.isOfAnother(server, name);
    const usual = [`${server}.${displayName}`, `${server}/${displayName}`].find(isFree);
    let number = 2;
    while (usual === undefined && !isFree(`${server}.${number}.${displayName}`)) number++;
    return usual ?? `${server}.${number}.${displayName}`;
  }

  /** The flat list, in configuration order. A tool whose name another server has is listed as `server.tool`. */
  all(): readonly AvailableTool[] {
    return [...this.#byServer.values()].flatMap(({ entries }) =>
      [...entries.values()].map((entry) => this.#listed(entry)),
    );
  }

  /** The tool under the name that it is listed by. */
  #listed(entry: AvailableTool): AvailableTool {
    const alias = this.#fullNames.get(entry);
    return alias === undefined ? entry : { ...entry, displayName: alias, meta: { ...entry.meta, alias } };
  }

  of(server: string): readonly AvailableTool[] {
    return [...(this.#byServer.get(server)?.entries.values() ?? [])];
  }

  stats(): ReadonlyMap<string, number> {
    return new Map([...this.#byServer].map(([server, { entries }]) => [server, entries.size]));
  }

  /**
   * Finds a tool by its display name, its exposed name, an original name that only one tool has, or as `server.tool`.
   * `form` decides between a display name and an equal exposed name.
   */
  find(name: string, form: NameForm = 'display'): AvailableTool {
    const [first, second] =
      form === 'display' ? [this.#byDisplayName, this.#byExposedName] : [this.#byExposedName, this.#byDisplayName];
    const found = first.get(name) ?? second.get(name) ?? this.#byFullName.get(name);
    if (found) return this.#isReserved(found) ? this.#listed(found) : found;
    const hidden = this.#byOriginal.get(name) ?? [];
    if (hidden.length === 1) return hidden[0] as AvailableTool;
    if (hidden.length > 1) throw ambiguous(name, hidden);
    const server = this.#serverIn(name);
    if (server !== undefined) return this.findIn(server, name.slice(server.length + 1));
    for (const [server, { refused }] of this.#byServer) if (refused.has(name)) throw forbidden(name, server);
    for (const [server, names] of this.#withheld) if (names.includes(name)) throw withheld(name, server);
    const message = `Tool '${name}' not found in any active server${didYouMean(name, [...this.#byDisplayName.keys()])}`;
    throw new HubError('unknown-tool', message, { tool: name });
  }

  /** The server that a full name, `server.tool` or `server/tool`, begins with. The longest name wins. */
  #serverIn(name: string): string | undefined {
    const servers = [...this.#byServer.keys()].filter(
      (server) => name.startsWith(server) && /^[./]./.test(name.slice(server.length, server.length + 2)),
    );
    return servers.toSorted((a, b) => b.length - a.length)[0];
  }

  /** Finds a tool of one server by its own name or its display name. */
  findIn(server: string, name: string): AvailableTool {
    const { entries, refused } = this.#byServer.get(server) ?? {};
    const found = entries?.get(name) ?? [...(entries?.values() ?? [])].find((entry) => entry.displayName === name);
    if (found) return this.#isReserved(found) ? this.#listed(found) : found;
    if (refused?.has(name)) throw forbidden(name, server);
    if (this.#withheld.get(server)?.includes(name)) throw withheld(name, server);
    const message = `server "${server}" has no tool "${name}"${didYouMean(name, [...(entries?.keys() ?? [])])}`;
    throw new HubError('unknown-tool', message, { server, tool: name });
  }
}

/** The text of other implementations: published Agents compare it. */
function forbidden(tool: string, server: string): HubError {
  return new HubError('forbidden-tool', `Tool '${tool}' is disabled by configuration`, { server, tool });
}

function withheld(tool: string, server: string): HubError {
  const remedy = `to approve it: ${a2cCommand('tools approve', server, tool)}`;
  const message = `the tool "${tool}" is new since the tools of "${server}" were approved; ${remedy}`;
  return new HubError('forbidden-tool', message, { server, tool });
}

function ambiguous(tool: string, entries: readonly AvailableTool[]): HubError {
  const choices = entries.map(({ server, displayName }) => `"${displayName}" (${server})`).join(' or ');
  return new HubError('ambiguous-tool', `the tool name "${tool}" is not unique: use ${choices}`, { tool });
}

/** Own properties only: a tool may be called `constructor`. */
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function fingerprintOf({ config, tools, bundleId }: ToolSource): string {
  const { name, tool_meta, default_tool_meta, forbidden_tools } = config;
  return JSON.stringify([name, bundleId, hashOfList(tools), tool_meta, default_tool_meta, forbidden_tools]);
}
