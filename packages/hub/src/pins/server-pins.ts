import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { ServerConfig } from '@a2c/config';
import { a2cCommand } from '@a2c/protocol';
import { withValidFields } from '../clients/valid-fields.js';
import { hashInTurns } from '../tools/list-hash.js';
import type { ListedTool } from '../tools/parse-tool.js';
import { shownName } from '../tools/shown-name.js';
import { mapInTurns } from '../turn-budget.js';
import { VERSION } from '../version.js';
import { type PinRecord, type PinStore, pinKey } from './pin-store.js';
import { type PinnedTool, pinnedPart } from './pinned-tool.js';
import { findingsIn, readableText, readableTextOfServer } from './suspicious-text.js';
import { isSame } from './tool-change.js';

/** What happens to tools that changed: `block` goes on with the approved ones, `warn` only reports. */
export type PinMode = 'warn' | 'block';

/** Where approved tools are kept, and what happens to tools that changed. */
export interface PinOptions {
  readonly store: PinStore;
  readonly mode: PinMode;
}

interface ServerPinsOptions extends PinOptions {
  readonly root: string;
  readonly onWarning: (message: string) => void;
}

interface PinContext {
  readonly pins: PinOptions | null;
  readonly root: string;
  readonly on: { readonly warning: (message: string) => void };
}

/** The comparison for one server, whose own choice replaces the mode; null if there is none. */
export function serverPins(config: ServerConfig, { pins, root, on }: PinContext): ServerPins | null {
  if (!pins || config.pins === 'off') return null;
  return new ServerPins(config, { ...pins, mode: config.pins ?? pins.mode, root, onWarning: on.warning });
}

/** The tools of a server after the comparison with the approved ones. */
export interface ComparedTools {
  /** The tools to list and to call. */
  readonly tools: readonly ListedTool[];
  /** The names of tools that are new and not listed. */
  readonly withheld: readonly string[];
  /** The instructions of the server to models. */
  readonly instructions: string | null;
}

/**
 * The capabilities for which servers list more tools. Others, such as `experimental`, a client can make up: each would
 * be another first use.
 */
const REVEALING = ['elicitation', 'roots', 'sampling'];

/** Where a record keeps the instructions of a server, which models read as they read descriptions. */
const INSTRUCTIONS = '(instructions)';

/**
 * Compares the tools and the instructions of one server with the approved ones. Those of the first use are approved.
 */
export class ServerPins {
  readonly #options: ServerPinsOptions;
  readonly #server: string;
  readonly #key: string;
  /** Of versions that kept a record for each folder of a run: a server must not be new in another folder. */
  readonly #oldKey: string;
  /** Tools that are new or differ, of the last comparison. */
  #pending: PinRecord['pending'] = {};
  #version = 0;

  constructor(config: ServerConfig, options: ServerPinsOptions) {
    this.#options = options;
    this.#server = config.name;
    this.#key = pinKey(config, placeOf(config, options.root));
    this.#oldKey = pinKey(config, options.root);
  }

  /** The number of tools that are new or changed. */
  get changes(): number {
    return Object.keys(this.#pending).length;
  }

  /**
   * `capabilities`: those of the client that the tools were listed to, as JSON. A list that had no change before is
   * recognised by its hash: comparing 2,000 tools takes longer than everything else at a start.
   */
  async compare(
    sent: readonly ListedTool[],
    instructions: string | null,
    capabilities: string,
  ): Promise<ComparedTools> {
    const declared = revealing(capabilities);
    const hash = hashOfAll(await hashInTurns(sent), instructions);
    if (own(await this.#options.store.shown(this.#key), declared) === hash) {
      this.#pending = {};
      return { tools: sent, withheld: [], instructions };
    }
    return this.#options.store.locked(this.#key, () => this.#compareEach(sent, instructions, declared, hash));
  }

  async #compareEach(
    sent: readonly ListedTool[],
    instructions: string | null,
    declared: string,
    hash: string,
  ): Promise<ComparedTools> {
    const { store } = this.#options;
    const known = (await store.read(this.#key)) ?? (await this.#takeOld());
    const tools = sent.filter(({ name }) => name !== INSTRUCTIONS);
    const entries = [...tools, ...(instructions === null ? [] : [asTool(instructions)])];
    const parts = Object.fromEntries(entries.map((tool) => [tool.name, pinnedPart(tool)]));
    const listedTo = new Set(known?.listedTo.map(revealing));
    const isListed = listedTo.has(declared);
    // With other capabilities it is a first use of the tools that only they reveal. All others are compared.
    const isFirstUse = !isListed && (!known || listedTo.size > 0);
    const first = Object.entries(parts).filter(([name]) => !Object.hasOwn(known?.pending ?? {}, name));
    const approved = { ...(isFirstUse && Object.fromEntries(first)), ...known?.approved };
    const changed = await mapInTurns(Object.entries(parts), ([name, part]) => !isSame(own(approved, name), part));
    const pending = Object.fromEntries(Object.entries(parts).filter((_, index) => changed[index]));
    const compared = await this.#shown(tools, instructions, approved, pending);
    const isAsSent =
      compared.tools.length === sent.length &&
      compared.tools.every((tool, place) => tool === sent[place]) &&
      compared.instructions === instructions;
    const isKnown = known !== undefined && isListed && (await hasSame(known.pending, pending));
    if (!isKnown || isAsSent) {
      const shown = { ...(isKnown && known.shown), ...(isAsSent && { [declared]: hash }) };
      await store.write(this.#key, {
        server: this.#server,
        approved,
        pending,
        listedTo: [...listedTo.add(declared)],
        shown,
      });
    }
    // Once for each start and change.
    if (!(await hasSame(this.#pending, pending))) this.#warn(known, pending);
    this.#pending = pending;
    this.#version = await store.version(this.#key);
    return compared;
  }

  /** Copies the record of an earlier version. Servers of other files may still need it, without its pending changes. */
  async #takeOld(): Promise<PinRecord | undefined> {
    const { store } = this.#options;
    const old = this.#oldKey === this.#key ? undefined : await store.read(this.#oldKey);
    if (!old) return undefined;
    await store.write(this.#key, old);
    await store.locked(this.#oldKey, async () => {
      const present = await store.read(this.#oldKey);
      if (present) await store.write(this.#oldKey, { ...present, pending: {} });
    });
    return old;
  }

  /** Whether another process approved changes since the last comparison. */
  async isOutdated(): Promise<boolean> {
    return this.changes > 0 && (await this.#options.store.version(this.#key).catch(() => 0)) !== this.#version;
  }

  async #shown(
    tools: readonly ListedTool[],
    instructions: string | null,
    approved: PinRecord['approved'],
    pending: PinRecord['pending'],
  ): Promise<ComparedTools> {
    const isBlocked = this.#options.mode === 'block';
    const withheld: string[] = [];
    const show = (tool: ListedTool): readonly ListedTool[] => {
      const isChanged = Object.hasOwn(pending, tool.name);
      if (!isChanged) return [marked(tool, [])];
      const before = own(approved, tool.name);
      const what = before ? 'changed since it was approved' : 'new since the tools were approved';
      const note = `${what}; to review: ${a2cCommand('tools review', this.#server)}`;
      if (!isBlocked) return [marked(tool, [note])];
      if (before) {
        const shown = withValidFields('tools', { ...tool, ...EMPTY, ...before }); // Of a version that did not check it.
        return [marked(shown, [`${note}; the approved text is shown`])];
      }
      withheld.push(tool.name);
      return [];
    };
    const [about] = instructions === null ? [] : show(asTool(instructions));
    return { tools: (await mapInTurns(tools, show)).flat(), withheld, instructions: about?.description ?? null };
  }

  #warn(known: PinRecord | undefined, pending: Readonly<Record<string, PinnedTool>>): void {
    const names = Object.keys(pending);
    if (!known || names.length === 0) return;
    const list =
      names.slice(0, 5).map(shownName).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
    this.#options.onWarning(
      `tools are new or changed since they were approved: ${list}. To review: ${a2cCommand('tools review', this.#server)}`,
    );
  }
}

/** The revealing ones among capabilities, both as JSON. */
function revealing(capabilities: string): string {
  const declared: object = JSON.parse(capabilities);
  return JSON.stringify(Object.fromEntries(REVEALING.filter((name) => name in declared).map((name) => [name, {}])));
}

/** Another version of a2c may find more in the same texts. */
function hashOfAll(tools: string, instructions: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([VERSION, tools, instructions]))
    .digest('base64');
}

/** The instructions in the form of a tool, so that they are compared, shown and approved like one. */
function asTool(instructions: string): ListedTool {
  return { name: INSTRUCTIONS, description: instructions } as ListedTool;
}

/** Fields that the approved tool may lack, and texts that are not stored with it. */
const EMPTY = {
  title: undefined,
  description: undefined,
  outputSchema: undefined,
  annotations: undefined,
  icons: undefined,
  _meta: undefined,
};

/** The configuration file of a server, or the folder of the run if there is no such file. */
function placeOf({ origin }: ServerConfig, root: string): string {
  try {
    return realpathSync(origin.file);
  } catch {
    return root;
  }
}

/** The tool with notes in front of its description, and without hidden characters if there are any. */
function marked(tool: ListedTool, notes: readonly string[]): ListedTool {
  const findings = findingsIn(pinnedPart(tool));
  const all = [...notes, ...(findings.length > 0 ? [`its text contains ${findings.join(' and ')}`] : [])];
  if (all.length === 0) return tool;
  const cleaned = findings.length === 0 ? tool : (clean(tool) as ListedTool);
  const text = `${readableText(`[a2c: ${all.join('; ')}]`)} ${cleaned.description ?? ''}`.trim();
  return defined({ ...cleaned, name: tool.name, description: text });
}

/** Removes hidden characters and marks from all texts except property names, which the server needs as they are. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return readableTextOfServer(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]));
}

function defined(tool: ListedTool): ListedTool {
  return Object.fromEntries(Object.entries(tool).filter(([, value]) => value !== undefined)) as unknown as ListedTool;
}

async function hasSame(a: PinRecord['pending'], b: PinRecord['pending']): Promise<boolean> {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  let areSame = true;
  await mapInTurns(names, (name) => {
    areSame &&= isSame(own(a, name), own(b, name));
  });
  return areSame;
}

/** Own properties only: a tool may be called `constructor`. */
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
