import { createHash } from 'node:crypto';
import {
  bundleIdOfName,
  configFor,
  type Generation,
  type GetMCPConfigRet,
  isRecord,
  JSON_TEXT_LIMITS,
  jsonTextProblem,
  META_KEYS,
  parseAnswer,
  readToolServer,
  SMCPError,
  type SMCPTool,
  WIRE_LIMITS,
} from '@a2c/protocol';
import type { Member } from '../rooms/registry.js';
import { RawAnswer } from '../wire/raw-json.js';
import { CONVERSION_TURNS } from './conversion-turns.js';
import { type AnswerArgs, decoded } from './pending-calls.js';

// Answers of a Computer of another maker in the form of the Agent's generation. They are checked before anything is
// computed from them: no answer may block the event loop.

/** A longer answer is not decoded unless it is a list to convert, because that would block the event loop. */
const MAX_CHECKED_BYTES = 2 ** 20;
/** The longest list that is converted. */
const MAX_CONVERTED_BYTES = 4 * 2 ** 20;
/** A shorter answer is decoded in the turn in which it is read. */
const SMALL_BYTES = 64 * 1_024;
/** Values of a list that is converted; decoding more would block the event loop. */
const MAX_CONVERTED_VALUES = 100_000;
/** Keys of one object in a list or configuration that is converted. */
const MAX_CONVERTED_KEYS = 5_000;
/** Entries of a configuration that is converted. */
const MAX_CONFIG = { servers: 500, inputs: 1_000 } as const;
/** Names of MCP servers, from which ids are computed. */
const MAX_NAME_LENGTH = WIRE_LIMITS.toolNameLength;
/** The tools of a list are converted for this long in a turn of the event loop. */
const TURN_MS = 10;

export function isLong(args: AnswerArgs): args is RawAnswer {
  return args instanceof RawAnswer && args.bytes.length > MAX_CHECKED_BYTES;
}

/** Waits for a turn of the event loop in which a large answer may be decoded. */
export async function turnFor(args: AnswerArgs, { office }: Member): Promise<void> {
  if (args instanceof RawAnswer && args.bytes.length > SMALL_BYTES) await CONVERSION_TURNS.next(office);
}

/**
 * Decodes in a turn of its own, and only as much as fits into it.
 *
 * @throws SMCPError if the answer is too large
 */
export async function decode(args: AnswerArgs, target: Member): Promise<unknown> {
  await turnFor(args, target);
  if (isLong(args)) {
    const { length } = args.bytes;
    if (length > MAX_CONVERTED_BYTES)
      throw unconvertible(target, `has ${length} bytes, and ${MAX_CONVERTED_BYTES} are allowed`);
    const limits = { ...JSON_TEXT_LIMITS, values: MAX_CONVERTED_VALUES, keys: MAX_CONVERTED_KEYS };
    const problem = jsonTextProblem(args.bytes.toString('latin1'), limits);
    if (problem) throw unconvertible(target, problem);
  }
  return unwrapped(decoded(args));
}

/** From 0.3 on every tool names its MCP server. Without one, the Computer stands for it. */
export async function withBundleIds(answer: Record<string, unknown>, target: Member): Promise<Record<string, unknown>> {
  const idOf = (tool: SMCPTool) => bundleIdOfName(readToolServer(tool) ?? target.name) || 'computer';
  const listed = Array.isArray(answer.tools) ? (answer.tools as readonly unknown[]) : [];
  const read = (part: readonly unknown[]) => parseAnswer('client:get_tools', [{ ...answer, tools: part }]).tools;
  if (listed.length === 0) parseAnswer('client:get_tools', [answer]);
  const tools: SMCPTool[] = [];
  await inTurns(listed, target, (each) => {
    if (isRecord(each) && isRecord(each.meta)) checkName(each.meta[META_KEYS.toolServer], target);
    for (const tool of read([each])) tools.push({ bundle_id: idOf(tool), ...tool });
  });
  return { ...answer, tools };
}

/** Handles the items of a list in several turns of the event loop. */
export async function inTurns<T>(items: readonly T[], { office }: Member, handle: (item: T) => void): Promise<void> {
  let turnEnds = performance.now() + TURN_MS;
  for (const item of items) {
    if (performance.now() > turnEnds) {
      await CONVERSION_TURNS.next(office);
      turnEnds = performance.now() + TURN_MS;
    }
    handle(item);
  }
}

/** The configuration in the form of a generation. */
export function configOf(answer: unknown, generation: Generation | undefined, target: Member): GetMCPConfigRet {
  for (const [field, most] of Object.entries(MAX_CONFIG)) {
    const count = isRecord(answer) ? Object.keys(answer[field] ?? {}).length : 0;
    if (count > most) throw unconvertible(target, `has ${count} ${field}, and ${most} are allowed`);
  }
  if (isRecord(answer)) {
    for (const [key, entry] of Object.entries(answer.servers ?? {})) {
      const named = isRecord(entry) ? [key, entry.name, entry.bundle_id] : [key, Array.isArray(entry) ? entry[0] : ''];
      for (const name of named) checkName(name, target);
    }
  }
  return configFor(generation, parseAnswer('client:get_config', [answer]), sha256);
}

/** The names of the MCP servers in a configuration, by bundle id. */
export async function serverNames(args: AnswerArgs, target: Member): Promise<ReadonlyMap<string, string>> {
  const { servers } = configOf(await decode(args, target), '0.4', target);
  return new Map(Object.entries(servers).map(([id, entry]) => [id, (entry as { readonly name: string }).name]));
}

/** @throws SMCPError if the name of an MCP server is too long */
function checkName(name: unknown, target: Member): void {
  if (typeof name !== 'string' || name.length <= MAX_NAME_LENGTH) return;
  const problem = `names an MCP server with ${name.length} characters, and ${MAX_NAME_LENGTH} are allowed`;
  throw unconvertible(target, problem);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function unconvertible({ name }: Member, problem: string): SMCPError {
  const message = `the answer of Computer "${name}" cannot be converted for this Agent: it ${problem}`;
  return new SMCPError('InternalError', message, { details: { computer: name } });
}

/** The first Rust Computers wrap their answers. */
function unwrapped([answer]: readonly unknown[]): unknown {
  return Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
}
