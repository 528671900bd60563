import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { replaceFile, type ServerConfig } from '@a2c/config';
import { isRecord } from '@a2c/protocol';
import type { ProtocolEra } from '../clients/mcp-client.js';
import { jsonLines, readLines } from '../json-lines-file.js';
import { rememberHash } from './list-hash.js';
import { type ListedTool, parseTools } from './parse-tool.js';

/** What the cache stores about a server. */
export interface CacheEntry {
  /** The protocol generation; null if it is unknown or was negotiated too long ago. */
  readonly era: ProtocolEra | null;
  /** When the generation was negotiated, in milliseconds since 1970. */
  readonly eraAskedAt: number;
  readonly instructions: string | null;
  readonly tools: readonly ListedTool[];
  /** The capabilities that were declared to the server. A server may list less to a client that can do less. */
  readonly declared: string;
}

const FORMAT = 3;
const DAY_MS = 24 * 3_600_000;
/** Older lists are ignored. */
const MAX_LIST_AGE_MS = 30 * DAY_MS;
/** After this time the generation is negotiated again, because servers are updated. */
const MAX_ERA_AGE_MS = 7 * DAY_MS;

/**
 * The tool lists of earlier runs, so that tools can be listed before their servers have started. One file for each
 * configuration, named by a hash of it (as written, without the values of placeholders), mode 0600. Its first line is
 * the entry without the tools, each further line is a tool.
 */
export class ToolCache {
  readonly #folder: string;
  readonly #context: unknown;

  /** `context`: what a list depends on besides the configuration, such as the root of relative paths. */
  constructor(folder: string, context: unknown) {
    this.#folder = folder;
    this.#context = context;
  }

  async read(server: ServerConfig): Promise<CacheEntry | null> {
    const hash = createHash('sha256');
    const lines: unknown[] = [];
    try {
      for await (const values of readLines(this.#file(server), hash)) for (const line of values) lines.push(line);
    } catch {
      return null; // Missing or damaged: the list is read from the server.
    }
    const [entry, ...sent] = lines;
    if (!isRecord(entry) || entry.format !== FORMAT || entry.tools !== sent.length) return null;
    const { savedAt, era, eraAskedAt, instructions, declared } = entry;
    if (typeof savedAt !== 'number' || Date.now() - savedAt > MAX_LIST_AGE_MS) return null;
    const tools = parseTools(sent, () => {});
    rememberHash(tools, hash.digest('base64'));
    const asked = typeof eraAskedAt === 'number' ? eraAskedAt : 0;
    const isFresh = Date.now() - asked < MAX_ERA_AGE_MS;
    return {
      era: isFresh && (era === 'modern' || era === 'legacy') ? era : null,
      eraAskedAt: asked,
      instructions: typeof instructions === 'string' ? instructions : null,
      tools,
      declared: typeof declared === 'string' ? declared : '{}',
    };
  }

  async write(server: ServerConfig, { tools, ...entry }: CacheEntry): Promise<void> {
    const head = { format: FORMAT, savedAt: Date.now(), ...entry, tools: tools.length };
    await replaceFile(this.#file(server), jsonLines([head, ...tools]));
  }

  #file({ transport }: ServerConfig): string {
    const key = createHash('sha256')
      .update(JSON.stringify([transport, this.#context]))
      .digest('hex');
    return join(this.#folder, `${key}.json`);
  }
}
