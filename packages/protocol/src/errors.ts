import {
  CHINESE_TITLES,
  chineseTitle,
  codeOfName,
  type ErrorName,
  isKnownNumber,
  nameOfNumber,
} from './error-codes.js';
import type { RequestEvent } from './events.js';
import { type Generation, rulesOf } from './generations.js';
import { isRecord } from './json.js';
import { redactAddresses, redactDetails, redactSecrets } from './redaction.js';
import { META_KEYS } from './tool-meta.js';

/** Additional facts of an `SMCPError`. */
export interface SMCPErrorOptions {
  /** Facts for the peer. They are redacted and sent with the error. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The original error, for local logs. It is never sent. */
  readonly cause?: unknown;
}

/**
 * An error of the protocol. Match it by `kind` or `code`, never by its message. Message and details are redacted when
 * the error is created; `cause` stays local.
 *
 * @example
 * ```ts
 * throw new SMCPError('ToolNotFound', `no tool named "${name}"`, { details: { tool_name: name } });
 * ```
 */
export class SMCPError extends Error {
  override readonly name = 'SMCPError';
  /** The name of the code, such as `ToolNotFound`. */
  readonly kind: ErrorName;
  /** The generic code that every peer understands, such as 404. */
  readonly code: number;
  /** The specific code that newer peers understand, such as 4001, where there is one. */
  readonly a2cCode: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(kind: ErrorName, message: string, options: SMCPErrorOptions = {}) {
    super(redactSecrets(message), options.cause === undefined ? undefined : { cause: options.cause });
    const { code, a2cCode } = codeOfName(kind);
    this.kind = kind;
    this.code = code;
    this.a2cCode = a2cCode;
    this.details = redactDetails(options.details ?? {});
  }

  /** Converts any thrown value to an `SMCPError`. Other errors become `InternalError` without their message. */
  static from(thrown: unknown): SMCPError {
    if (thrown instanceof SMCPError) return thrown;
    return new SMCPError('InternalError', 'the request could not be processed', { cause: thrown });
  }
}

/** Code, message and details of an error on the wire. */
export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * An error on the wire. Before 0.2 it has two forms in one object: nested as the protocol document defines it, and
 * flat. From 0.2 on it is flat only, with the specific code at the top. It never repeats the `req_id`: published Agents
 * would take it for an empty list.
 */
export interface ErrorAnswer extends ErrorBody {
  readonly error?: ErrorBody;
  readonly [extra: string]: unknown;
}

/** The error of a tool call. It is also a failed MCP result, for readers that know only those. */
export interface ToolCallErrorAnswer extends FailedResult {
  readonly code?: number;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly error?: ErrorBody;
}

/** A failed MCP result. */
export interface FailedResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly isError: true;
  readonly structuredContent: { readonly error: string; readonly error_type: string };
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Encodes an error as an acknowledgement for a peer of a generation. Internal addresses are redacted. */
export function errorAnswer(error: SMCPError, generation: Generation = 'spec'): ErrorAnswer {
  const body = errorBody(error);
  if (rulesOf(generation).errors === 'nested') return { ...body, error: body };
  const { a2c_code: _a2cCode, ...own } = body.details;
  const isUnknownComputer = error.kind === 'NotFound' && typeof own.computer === 'string';
  const details = isUnknownComputer ? { ...own, computer_name: own.computer } : own; // The name in the published text.
  return { ...body, code: error.a2cCode ?? error.code, details, ...topLevelFields(details, generation) };
}

function errorBody(error: SMCPError): ErrorBody {
  return {
    code: error.code,
    message: `${chineseTitle(codeOfName(error.kind).code)} / ${redactAddresses(error.message)}`,
    details: {
      ...redactDetails(error.details, redactAddresses),
      ...(error.a2cCode !== undefined && { a2c_code: error.a2cCode }),
    },
  };
}

/** Facts that newer peers read beside `code`: the MCP server, and the capability it lacks. */
function topLevelFields(details: Readonly<Record<string, unknown>>, generation: Generation): Record<string, string> {
  const { mcp_server: server, capability } = details;
  return {
    ...(typeof server === 'string' && { mcp_server: server, ...(generation === '0.2' && { mcp_server_name: server }) }),
    ...(typeof capability === 'string' && { capability }),
  };
}

/** Encodes an error as the acknowledgement of a tool call. */
export function toolCallErrorAnswer(error: SMCPError, generation: Generation = 'spec'): ToolCallErrorAnswer {
  const { code, message, details, error: nested } = errorAnswer(error, generation);
  return { code, message, details, ...(nested && { error: nested }), ...failedResult(error) };
}

/** An error as a failed MCP result. It holds the error in its `meta`, from where `readErrorAnswer` reads it. */
function failedResult(error: SMCPError): FailedResult {
  const body = errorBody(error);
  return {
    content: [{ type: 'text', text: body.message }],
    isError: true,
    structuredContent: { error: body.message, error_type: error.kind },
    meta: { [META_KEYS.errorCode]: error.a2cCode ?? error.code, [META_KEYS.error]: body },
  };
}

/**
 * The acknowledgement of join and leave: `[ok, reason]`, where the reason starts with the code. Peers of the document
 * and of a2c also receive the error object, and the latter the version of the Server. From 0.5 on: nothing, or a flat
 * error.
 */
export type OfficeAck =
  | [ok: true, error: null]
  | [ok: true, error: null, server: { readonly a2c_version: string }]
  | [ok: false, reason: string]
  | [ok: false, reason: string, error: ErrorAnswer]
  | []
  | [error: ErrorAnswer];

/**
 * Encodes the acknowledgement of join and leave; without an error it is a success.
 *
 * @param version The version of the Server, for peers that read a third argument of the pair.
 */
export function officeAck(error?: SMCPError, generation: Generation = '0.1', version?: string): OfficeAck {
  if (rulesOf(generation).officeAck === 'flat') return error ? [errorAnswer(error, generation)] : [];
  if (error === undefined) return version === undefined ? [true, null] : [true, null, { a2c_version: version }];
  const code = error.a2cCode === undefined ? `${error.code}` : `${error.code}/${error.a2cCode}`;
  const reason = `${code} ${redactAddresses(error.message)}`;
  const readsError = generation === 'spec' || version !== undefined;
  return readsError ? [false, reason, errorAnswer(error, generation)] : [false, reason];
}

/**
 * Encodes an error as the arguments of an acknowledgement, in the form that belongs to the event and to the peer.
 *
 * @param version See `officeAck`.
 */
export function errorAck(
  event: RequestEvent | undefined,
  error: SMCPError,
  generation: Generation = '0.1',
  version?: string,
): OfficeAck | [ErrorAnswer | ToolCallErrorAnswer] {
  if (event === 'server:join_office' || event === 'server:leave_office') return officeAck(error, generation, version);
  return [event === 'client:tool_call' ? toolCallErrorAnswer(error, generation) : errorAnswer(error, generation)];
}

/** The codes that published Servers from 0.2 on relay. They drop the answer of a Computer with any other code. */
const RELAYED_CODES: ReadonlySet<number> = new Set([404, 4006, 4007, 4008, 4014, 4015, 4016, 4017, 4018, 4019]);

/**
 * Encodes the error of a Computer for the Server it is connected to. From 0.2 on a failed call is a result without
 * `code`, and other errors have a code that every Server relays; the real one is in `details.a2c_code`.
 */
export function computerErrorAck(
  event: RequestEvent | undefined,
  error: SMCPError,
  generation: Generation,
): OfficeAck | [ErrorAnswer | ToolCallErrorAnswer] {
  if (rulesOf(generation).errors === 'nested') return errorAck(event, error, generation);
  if (event === 'client:tool_call') return [failedResult(error)];
  const answer = errorAnswer(error, generation);
  if (RELAYED_CODES.has(answer.code)) return [answer];
  return [{ ...answer, code: 404, details: { ...answer.details, a2c_code: answer.code } }];
}

/** Reads the error from the answer of any known peer; `undefined` when the answer is not an error. */
export function readErrorAnswer(answer: unknown): SMCPError | undefined {
  if (!isRecord(answer)) return undefined;
  if ('Err' in answer && Object.keys(answer).length === 1) return errorFromErr(answer.Err);
  const inMeta = isRecord(answer.meta) ? answer.meta[META_KEYS.error] : undefined;
  const given = isRecord(answer.error) ? answer.error : inMeta;
  const nested = isRecord(given) ? errorFromBody(given, answer) : undefined;
  // A tool result may have any field next to its content, so other forms of errors are read only without content.
  if (nested || Array.isArray(answer.content)) return nested;
  return answer.error === undefined || answer.error === null
    ? errorFromBody(answer, answer)
    : errorFromErr(answer.error);
}

/** Reads an error without a defined form: a text, an object or any other value. */
function errorFromErr(err: unknown): SMCPError {
  if (typeof err === 'string') return ofUnknownExecution(errorFromText(err));
  const fromBody = isRecord(err) ? errorFromBody(err, err) : undefined;
  return fromBody ?? new SMCPError('InternalError', 'the peer reported an error', { details: { err } });
}

/** The text may quote a tool that has run, so that its words and codes are no proof of a refusal. */
function ofUnknownExecution({ kind, message, details }: SMCPError): SMCPError {
  return new SMCPError(kind, message, { details: { ...details, [META_KEYS.execution]: 'unknown' } });
}

const BODY_KEYS = new Set([
  'code',
  'message',
  'details',
  'error',
  'req_id',
  'content',
  'isError',
  'structuredContent',
  'meta',
]);

function errorFromBody(body: Record<string, unknown>, envelope: Record<string, unknown>): SMCPError | undefined {
  const code = Number.isInteger(body.code) ? (body.code as number) : undefined;
  if (code === undefined || code < 400 || typeof body.message !== 'string') return undefined;
  // Newer peers put code-specific fields next to `code`; they become details.
  const extra = Object.entries(envelope)
    .filter(([key]) => !BODY_KEYS.has(key))
    .map(([key, value]) => [key === 'mcp_server_name' ? 'mcp_server' : key, value]); // That is its name in 0.2.
  const { a2c_code: a2cCode, ...details } = {
    ...Object.fromEntries(extra),
    ...(isRecord(body.details) ? body.details : {}),
  };
  return errorFromNumber(Number.isInteger(a2cCode) ? (a2cCode as number) : code, body.message, details);
}

/** An unknown number is kept in the details as `peer_code`. */
function errorFromNumber(number: number, message: string, details: Record<string, unknown> = {}): SMCPError {
  const known = isKnownNumber(number) ? details : { ...details, peer_code: number };
  return new SMCPError(nameOfNumber(number), withoutTitle(message), { details: known });
}

/** Reads the error of a peer that sends only a sentence: a code at its start, or otherwise known words in it. */
export function errorFromText(text: string): SMCPError {
  const sentence = text.slice(0, MAX_SENTENCE);
  const [, code, fine, rest] = /^\s*([45]\d\d|4\d{3})(?:\/(4\d{3}))?[ :]\s*([\s\S]+)$/.exec(sentence) ?? [];
  if (rest !== undefined) return errorFromNumber(Number(fine ?? code), rest);
  const name = WORDS.find(([pattern]) => pattern.test(sentence))?.[1] ?? 'InternalError';
  return new SMCPError(name, sentence || 'the peer reported an error without a message');
}

const MAX_SENTENCE = 4_000;

const WORDS: readonly (readonly [RegExp, ErrorName])[] = [
  [/already|mismatch|permission|denied|forbidden|not allowed/i, 'Forbidden'],
  [/time(?:d )?\s?out/i, 'Timeout'],
  [/not found|no such|does not exist/i, 'NotFound'],
  [/invalid|malformed|missing/i, 'BadRequest'],
];

function withoutTitle(message: string): string {
  const title = CHINESE_TITLES.find((candidate) => message.startsWith(`${candidate} / `));
  return title === undefined ? message : message.slice(title.length + 3);
}
