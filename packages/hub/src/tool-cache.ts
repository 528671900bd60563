import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerConfig } from '@a2c/config';
import { isRecord } from '@a2c/protocol';
import type { Era } from './connection/connection.js';
import { type ListedTool, parseTools } from './tools/parse-tool.js';

/** What is remembered of a server between runs. */
export interface RememberedServer {
  /** What it speaks; null when that was asked too long ago. */
  readonly era: Era | null;
  readonly eraAskedAt: number;
  readonly instructions: string | null;
  readonly tools: readonly ListedTool[];
}

const FORMAT = 1;
const DAY_MS = 24 * 3_600_000;
/** A list nobody has confirmed for so long is of no use. */
const MAX_LIST_AGE_MS = 30 * DAY_MS;
/** A server is asked anew which generation it speaks when the answer is older than this: servers are updated. */
const MAX_ERA_AGE_MS = 7 * DAY_MS;

/**
 * Tool lists of earlier runs, so that a catalogue is there before servers have started. One file per configuration, under
 * a hash of what is configured (as written, so that no secret is in it), readable by its owner only.
 */
export class ToolCache {
  readonly #folder: string;
  readonly #context: unknown;

  /** `context`: what besides the configuration a list depends on, such as where relative paths start. */
  constructor(folder: string, context: unknown) {
    this.#folder = folder;
    this.#context = context;
  }

  async read(server: ServerConfig): Promise<RememberedServer | null> {
    let entry: unknown;
    try {
      entry = JSON.parse(await readFile(this.#file(server), 'utf8'));
    } catch {
      return null; // Absent or damaged is the same to us: the server will tell.
    }
    if (!isRecord(entry) || entry.format !== FORMAT || !Array.isArray(entry.tools)) return null;
    const { savedAt, era, eraAskedAt, instructions } = entry;
    if (typeof savedAt !== 'number' || Date.now() - savedAt > MAX_LIST_AGE_MS) return null;
    const asked = typeof eraAskedAt === 'number' ? eraAskedAt : 0;
    const isFresh = Date.now() - asked < MAX_ERA_AGE_MS;
    return {
      era: isFresh && (era === 'modern' || era === 'legacy') ? era : null,
      eraAskedAt: asked,
      instructions: typeof instructions === 'string' ? instructions : null,
      tools: parseTools(entry.tools, () => {}),
    };
  }

  async write(server: ServerConfig, remembered: RememberedServer): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#file(server);
    const draft = `${file}.${randomUUID()}`;
    try {
      await writeFile(draft, JSON.stringify({ format: FORMAT, savedAt: Date.now(), ...remembered }), { mode: 0o600 });
      await chmod(draft, 0o600);
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  #file({ transport }: ServerConfig): string {
    const key = createHash('sha256')
      .update(JSON.stringify([transport, this.#context]))
      .digest('hex');
    return join(this.#folder, `${key}.json`);
  }
}
