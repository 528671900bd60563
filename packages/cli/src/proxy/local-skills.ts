import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SkillLibrary, SkillOptions } from '@a2c/computer';
import type { MCPServerManager } from '@a2c/hub';
import type { ToolboxSkillFile, ToolboxSkillList, ToolboxSkills } from '@a2c/proxy';

/** A server that takes longer adds its skills later. */
const WAIT_MS = 3_000;

/** The skills of this machine: of the user, of enabled plugins, and of the MCP servers behind the proxy. */
export class LocalSkills implements ToolboxSkills {
  readonly #options: SkillOptions;
  readonly #listeners = new Set<() => void>();
  readonly #started: Promise<SkillLibrary>;
  readonly #known: Promise<void>;
  readonly #stopped = new AbortController();
  /** Ends the wait before the skills are read. */
  #readNow: () => void = () => {};
  #areOffered = false;
  #copyFolder: string | undefined;
  #library: SkillLibrary | undefined;

  /**
   * @param ready The skills are read after this, so that they do not delay the start of the servers.
   */
  constructor(options: SkillOptions, hub: MCPServerManager, ready: Promise<unknown>, warn: (text: string) => void) {
    this.#options = options;
    const asked = new Promise<void>((resolve) => {
      this.#readNow = resolve;
    });
    const enough = setTimeout(WAIT_MS, undefined, { ref: false });
    this.#started = Promise.race([ready, enough, asked]).then(() => this.#start(options, hub, warn));
    this.#known = this.#started.then(
      () => {},
      (error: Error) => warn(`the skills could not be read: ${error.message}`),
    );
  }

  async prepare(): Promise<void> {
    if (!(await hasSkills(this.#options))) return; // Those of servers are added when they are connected.
    this.#readNow();
    await this.#known;
  }

  get areOffered(): boolean {
    return this.#areOffered;
  }

  async list(): Promise<ToolboxSkillList> {
    return { skills: (await this.#started).list(), problems: [] };
  }

  async read(reference: string): Promise<ToolboxSkillFile> {
    const [name = '', ...path] = reference.split('/');
    const library = await this.#started;
    const { relPath, mimeType, bytes } = await library.read(name, path.length > 0 ? path.join('/') : undefined);
    return { path: relPath, mimeType, bytes };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    await this.#library?.close(); // Ends the first reading.
    await this.#started.then(
      (library) => library.close(),
      () => {}, // Reported as a warning.
    );
    if (this.#copyFolder !== undefined) await rm(this.#copyFolder, { recursive: true, force: true });
  }

  /** Several proxies may serve the same servers, so each has copies of its own. */
  async #start(options: SkillOptions, hub: MCPServerManager, warn: (text: string) => void): Promise<SkillLibrary> {
    const { COMPUTER_LIMITS, SkillLibrary } = await import('@a2c/computer');
    const library = new SkillLibrary({
      ...options,
      copyFolder: async () => {
        this.#copyFolder = await mkdtemp(join(tmpdir(), 'a2c-skills-'));
        return this.#copyFolder;
      },
      manager: hub,
      debounceMs: COMPUTER_LIMITS.skillDebounceMs,
      startMs: COMPUTER_LIMITS.skillStartMs,
      maxFileBytes: COMPUTER_LIMITS.skillFileBytes,
      onChange: () => this.#update(library),
      warn: (source, message) => warn(`${source}: ${message}`),
    });
    this.#library = library;
    if (!this.#stopped.signal.aborted) await library.start();
    this.#update(library);
    return library;
  }

  #update(library: SkillLibrary): void {
    const areOffered = library.list().length > 0;
    if (areOffered === this.#areOffered) return;
    this.#areOffered = areOffered;
    for (const listener of this.#listeners) listener();
  }
}

/** Whether there are skills of the user or of plugins. Loads less than reading them does. */
async function hasSkills({ home, plugins = [] }: SkillOptions): Promise<boolean> {
  const own = await readdir(join(home, 'user')).catch(() => []);
  if (own.length > 0) return true;
  const enabled = typeof plugins === 'function' ? await plugins().catch((error: Error) => [error.message]) : plugins;
  return enabled.length > 0;
}
