import { FINE_CODES, GENERIC_CODES, isRecord, META_KEYS, readCallFailure, readErrorAnswer } from '@a2c/protocol';
import type { HandlerResult } from '../dispatcher.js';
import { RawAnswer } from '../wire/raw-json.js';

const NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries({ ...GENERIC_CODES, ...FINE_CODES }).map(([code, { name }]) => [Number(code), name]),
);

/** Larger results are not read: they count as `ok`. */
const MAX_READ_BYTES = 256 * 2 ** 10;

/**
 * The verdict of a tool call that was answered with a result: `ok`, `denied` by a person, `cancelled`, the name of the
 * error of the Computer, or `failed` if the tool itself reports a failure.
 */
export function resultVerdict(args: HandlerResult['args']): string {
  if (args instanceof RawAnswer && (args.bytes.length > MAX_READ_BYTES || !args.bytes.includes('"isError"'))) {
    return 'ok';
  }
  const [result] = args instanceof RawAnswer ? args.decode() : args;
  if (!isRecord(result) || result.isError !== true) return 'ok';
  const refusal = readErrorAnswer(result);
  if (refusal) return refusal.kind;
  const meta = [result._meta, result.meta].find(isRecord) ?? {}; // Computers write either name.
  const content = Array.isArray(result.content) ? result.content.filter(isRecord) : [];
  if (readCallFailure({ content, isError: true, _meta: meta } as never)?.reason === 'consent_denied') return 'denied';
  if (meta[META_KEYS.cancelled] === true) return 'cancelled';
  return NAMES.get(meta[META_KEYS.errorCode]) ?? 'failed';
}
