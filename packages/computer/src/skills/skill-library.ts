import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CoalescedTask, type MCPServerManager } from '@a2c/hub';
import { type A2CSkillRef, parseSkillName, SMCPError } from '@a2c/protocol';
import { INSTALLED } from '../plugins/ledgers.js';
import { ConfinedFileError, readConfined } from './confined-file.js';
import { parseSkillDocument } from './front-matter.js';
import { pluginSkills, userSkills } from './local-skills.js';
import { type MCPSkillSource, skillsOfServer, type UnpackedArchives } from './mcp-skills.js';
import { mimeTypeOf } from './mime-types.js';
import { ENTRY, type Skill } from './skill-folder.js';
import { SkillWatcher } from './skill-watcher.js';

/** Where the skills of a Computer come from. */
export interface SkillOptions {
  /** The skill folder: the user's skills in `user/`, plugins in `marketplace/`, copies of MCP servers in `mcp/`. */
  readonly home: string;
  /** Plugins whose skills are offered, each `plugin@marketplace`. A function is asked again after changes. */
  readonly plugins?: readonly string[] | (() => Promise<readonly string[]>);
  /** Folders that MCP servers may name as the place of a skill. Default none. */
  readonly mountFolders?: readonly string[];
  /** Read the folders in intervals instead of watching them, for network drives. */
  readonly polling?: boolean;
}

/** A file of a skill, as it is served. */
export interface SkillFile {
  readonly name: string;
  readonly relPath: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** Options of `SkillLibrary`. */
export interface SkillLibraryOptions extends SkillOptions {
  readonly manager: MCPServerManager;
  /**
   * The folder for copies of the skills of MCP servers, used by one library at a time. Default `mcp` in `home`. A
   * function creates it when a server has skills.
   */
  readonly copyFolder?: string | (() => Promise<string>);
  readonly debounceMs: number;
  /** How long the start waits for the skills of MCP servers. */
  readonly startMs: number;
  readonly maxFileBytes: number;
  /** Called when the list of skills has changed. */
  readonly onChange: () => void;
  /** Receives problems of single skills, with the MCP server they come from. */
  readonly warn: (server: string, message: string) => void;
}

/** Checks a name and refuses every skill: a Computer without a skill folder. */
export const NO_SKILLS: Pick<SkillLibrary, 'read'> = {
  async read(name) {
    throw unknownSkill(name);
  },
};

function unknownSkill(name: string): SMCPError {
  if (!parseSkillName(name)) return new SMCPError('InvalidSkillName', 'Invalid skill name', { details: { name } });
  return new SMCPError('MCPServerNotFound', 'Skill not found', { details: { name } });
}

/** The source of warnings about the user's own skills and plugins. */
const OWN = 'skills';
/** The user's own skills and plugins, next to the names of MCP servers. */
const LOCAL = Symbol('local skills');

type Source = string | typeof LOCAL;

/** Of one MCP server. */
const MAX_WARNINGS = 500;

/** After its skills were read for a second, those of a server are not read again for nine. */
const PAUSE_FACTOR = 9;
const MAX_PAUSE_MS = 60_000;

/** The skills that a Computer offers: of its user, of enabled plugins, and of the connected MCP servers. */
export class SkillLibrary {
  readonly #options: SkillLibraryOptions;
  readonly #watcher: SkillWatcher;
  readonly #unsubscribe: readonly (() => void)[];
  readonly #ofServers = new Map<string, readonly Skill[]>();
  readonly #archives = new Map<string, UnpackedArchives>();
  readonly #tasks = new Map<string, CoalescedTask>();
  #copyFolder: Promise<string> | undefined;
  #local: readonly Skill[] = [];
  readonly #due = new Set<Source>();
  #timer: NodeJS.Timeout | undefined;
  /** The pending work on each source: one that is slow delays no other. */
  readonly #turns = new Map<Source, Promise<void>>();
  #announced = '';
  readonly #warned = new Map<string, Set<string>>();
  readonly #closing = new AbortController();

  /** Call `start` next. */
  constructor(options: SkillLibraryOptions) {
    this.#options = options;
    const { manager, home, polling = false, copyFolder = join(home, 'mcp') } = options;
    if (typeof copyFolder === 'string') this.#copyFolder = Promise.resolve(copyFolder);
    this.#watcher = new SkillWatcher(join(home, 'user'), () => this.#schedule(LOCAL), {
      polling,
      file: join(home, INSTALLED),
    });
    this.#unsubscribe = [
      manager.on('state', ({ server }) => this.#schedule(server)),
      manager.on('resources', ({ server }) => this.#schedule(server)),
      manager.on('updated', ({ server, uri }) => uri.startsWith('skill://') && this.#schedule(server)),
    ];
  }

  /** Reads the local skills and those of the connected servers. Those of a slow server follow later. */
  async start(): Promise<void> {
    const { home, manager, startMs } = this.#options;
    await mkdir(join(home, 'user'), { recursive: true, mode: 0o700 });
    clearTimeout(this.#timer); // What happened until now is read now.
    this.#timer = undefined;
    this.#due.clear();
    const servers = Promise.all(manager.status().map(({ name }) => this.#refreshInTurn(name)));
    await this.#refreshInTurn(LOCAL);
    const isOver = new AbortController();
    const late = delay(startMs, undefined, { signal: isOver.signal }).catch(() => {});
    await Promise.race([servers, late]);
    isOver.abort();
    this.#announced = this.#fingerprint();
    void servers.then(() => this.#announce());
  }

  /** Stops watching. Resolves when nothing is written any more. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the skills are closed'));
    clearTimeout(this.#timer);
    this.#watcher.close();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await Promise.allSettled(this.#turns.values()); // Their callers have the errors.
  }

  /** All skills, by name. */
  list(): readonly A2CSkillRef[] {
    return this.#all().map(({ ref }) => ref);
  }

  /**
   * Reads a file of a skill; SKILL.md without its frontmatter.
   *
   * @throws SMCPError `InvalidSkillName`, `MCPServerNotFound` for an unknown skill, `SkillResourceNotAccessible`.
   */
  async read(name: string, relPath: string = ENTRY): Promise<SkillFile> {
    const skill = this.#all().find(({ ref }) => ref.name === name);
    if (!skill) throw unknownSkill(name);
    try {
      if (this.#local.includes(skill) && (await realpath(skill.ref.path)) !== skill.ref.path)
        throw new ConfinedFileError('traversal', 'the folder of the skill has become a link');
      const [source = LOCAL] = [...this.#ofServers].find(([, skills]) => skills.includes(skill)) ?? [];
      const raw = await this.#readFile(skill, source, relPath);
      const bytes = relPath === ENTRY ? Buffer.from(parseSkillDocument(raw.toString()).body) : raw;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { name, relPath, mimeType: mimeTypeOf(relPath), bytes, sha256 };
    } catch (error) {
      const { reason, size } = error instanceof ConfinedFileError ? error : { reason: 'not_found', size: undefined };
      const details = { reason, rel_path: relPath, ...(size !== undefined && { total_size: size }) };
      throw new SMCPError('SkillResourceNotAccessible', 'Skill resource not accessible', { details });
    }
  }

  /** The copy of an MCP server's skill may be replaced while it is read. */
  async #readFile({ ref: { path } }: Skill, source: Source, relPath: string): Promise<Buffer> {
    const { maxFileBytes } = this.#options;
    const turn = this.#turns.get(source);
    try {
      return await readConfined(path, relPath, maxFileBytes);
    } catch (error) {
      if (!turn) throw error;
      await turn;
      return readConfined(path, relPath, maxFileBytes);
    }
  }

  /** The first of two skills with the same name is used. */
  #all(): readonly Skill[] {
    const skills = new Map<string, Skill>();
    for (const skill of [...this.#local, ...[...this.#ofServers.values()].flat()])
      if (!skills.has(skill.ref.name)) skills.set(skill.ref.name, skill);
    return [...skills.values()].toSorted((a, b) => (a.ref.name < b.ref.name ? -1 : 1));
  }

  #fingerprint(): string {
    return JSON.stringify(this.#all());
  }

  /** Refreshes a source after a pause: changes come in groups. */
  #schedule(source: Source): void {
    this.#due.add(source);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const due = [...this.#due];
      this.#due.clear();
      for (const each of due) {
        if (each !== LOCAL && this.#hasResources(each)) this.#taskOf(each).request();
        else void this.#refreshInTurn(each).then(() => this.#announce());
      }
    }, this.#options.debounceMs);
  }

  /** Reads the skills of a server, with pauses that grow while it changes them without end. */
  #taskOf(server: string): CoalescedTask {
    const known = this.#tasks.get(server);
    if (known) return known;
    const task = new CoalescedTask(async () => {
      const ms = await this.#refreshInTurn(server);
      this.#announce();
      const pause = Math.min(PAUSE_FACTOR * ms, MAX_PAUSE_MS);
      await delay(pause, undefined, { ref: false, signal: this.#closing.signal }).catch(() => {});
    });
    this.#tasks.set(server, task);
    return task;
  }

  #hasResources(server: string): boolean {
    const status = this.#options.manager.statusOf(server);
    return status?.state === 'connected' && status.capabilities?.resources !== undefined;
  }

  #announce(): void {
    const present = this.#fingerprint();
    if (this.#closing.signal.aborted || present === this.#announced) return;
    this.#announced = present;
    this.#options.onChange();
  }

  /** Reads the skills of a source, after the work on it that is pending. Returns how long it took, in milliseconds. */
  async #refreshInTurn(source: Source): Promise<number> {
    let ms = 0;
    const before = this.#turns.get(source)?.catch(() => {}); // Its caller has the error.
    const turn = Promise.resolve(before).then(async () => {
      if (this.#closing.signal.aborted) return;
      const began = performance.now();
      await (source === LOCAL ? this.#refreshLocal() : this.#refreshServer(source));
      ms = performance.now() - began;
    });
    this.#turns.set(source, turn);
    try {
      await turn;
    } finally {
      if (this.#turns.get(source) === turn) this.#turns.delete(source);
    }
    return ms;
  }

  async #refreshLocal(): Promise<void> {
    const { home, plugins = [] } = this.#options;
    const warn = (message: string) => this.#warn(OWN, message);
    await this.#watcher.refresh(); // First: what changes after the reading is reported.
    const enabled = typeof plugins === 'function' ? await this.#enabled(plugins) : plugins;
    this.#local = [...(await userSkills(home, warn)), ...(await pluginSkills(home, enabled, warn))];
  }

  async #enabled(plugins: () => Promise<readonly string[]>): Promise<readonly string[]> {
    try {
      return await plugins();
    } catch (error) {
      this.#warn(OWN, `plugins are left out: ${(error as Error).message}`);
      return [];
    }
  }

  /** Once, and about few skills: they are read again on every change, and a server may offer others each time. */
  #warn(server: string, message: string): void {
    const warned = this.#warned.get(server) ?? new Set();
    this.#warned.set(server, warned);
    if (warned.has(message) || warned.size >= MAX_WARNINGS) return;
    warned.add(message);
    this.#options.warn(server, message);
  }

  /** The skills of a server that is not connected are hidden; its copies stay until it offers others. */
  async #refreshServer(server: string): Promise<void> {
    const { manager, mountFolders = [] } = this.#options;
    const { signal } = this.#closing;
    const warn = (name: string, message: string) => this.#warn(name, message);
    if (!this.#hasResources(server)) {
      this.#ofServers.delete(server);
      return;
    }
    const copyFolder = async (create: boolean) => {
      const { copyFolder: made } = this.#options;
      if (create && typeof made === 'function') this.#copyFolder ??= made();
      return this.#copyFolder;
    };
    const source: MCPSkillSource = { manager, copyFolder, mountFolders, warn, signal };
    const archives = this.#archives.get(server) ?? new Map();
    this.#archives.set(server, archives);
    try {
      this.#ofServers.set(server, await skillsOfServer(server, this.#ofServers.get(server) ?? [], archives, source));
    } catch (error) {
      if (!signal.aborted) warn(server, `its skills could not be listed: ${(error as Error).message}`);
    }
  }
}
