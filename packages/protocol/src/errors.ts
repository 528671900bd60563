import {
  CHINESE_TITLES,
  chineseTitle,
  codeOfName,
  type ErrorName,
  isKnownNumber,
  nameOfNumber,
} from './error-codes.js';
import type { RequestEvent } from './events.js';
import { isRecord } from './json.js';
import { redactAddresses, redactDetails, redactSecrets } from './redaction.js';

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

/** An error on the wire in both forms: nested as the protocol document defines it, and flat as newer peers read it. */
export interface ErrorAnswer extends ErrorBody {
  readonly error: ErrorBody;
  readonly req_id?: string;
}

/** The error of a tool call. It is also a failed MCP result, for readers that know only those. */
export interface ToolCallErrorAnswer extends ErrorAnswer {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly isError: true;
  readonly structuredContent: { readonly error: string; readonly error_type: string };
  readonly meta: { readonly error_code: number };
}

/**
 * Encodes an error as an acknowledgement. Internal addresses are redacted.
 *
 * @param reqId The `req_id` of the request, to be repeated in the answer.
 */
export function errorAnswer(error: SMCPError, reqId?: string): ErrorAnswer {
  const body: ErrorBody = {
    code: error.code,
    message: `${chineseTitle(codeOfName(error.kind).code)} / ${redactAddresses(error.message)}`,
    details: {
      ...redactDetails(error.details, redactAddresses),
      ...(error.a2cCode !== undefined && { a2c_code: error.a2cCode }),
    },
  };
  return { ...body, error: body, ...(reqId !== undefined && { req_id: reqId }) };
}

/** Encodes an error as the acknowledgement of a tool call. */
export function toolCallErrorAnswer(error: SMCPError, reqId?: string): ToolCallErrorAnswer {
  const answer = errorAnswer(error, reqId);
  return {
    ...answer,
    content: [{ type: 'text', text: answer.message }],
    isError: true,
    structuredContent: { error: answer.message, error_type: error.kind },
    meta: { error_code: error.a2cCode ?? error.code },
  };
}

/** The acknowledgement of join and leave has two arguments. The error text starts with the code. */
export type OfficeAck = [ok: true, error: null] | [ok: false, error: string];

/** Encodes the acknowledgement of join and leave; without an error it is a success. */
export function officeAck(error?: SMCPError): OfficeAck {
  if (error === undefined) return [true, null];
  const code = error.a2cCode === undefined ? `${error.code}` : `${error.code}/${error.a2cCode}`;
  return [false, `${code} ${redactAddresses(error.message)}`];
}

/** Encodes an error as the arguments of an acknowledgement, in the form that belongs to the event. */
export function errorAck(event: RequestEvent | undefined, error: SMCPError, reqId?: string): OfficeAck | [ErrorAnswer] {
  if (event === 'server:join_office' || event === 'server:leave_office') return officeAck(error);
  return [event === 'client:tool_call' ? toolCallErrorAnswer(error, reqId) : errorAnswer(error, reqId)];
}

/** Reads the error from the answer of any known peer; `undefined` when the answer is not an error. */
export function readErrorAnswer(answer: unknown): SMCPError | undefined {
  if (!isRecord(answer)) return undefined;
  if ('Err' in answer && Object.keys(answer).length === 1) return errorFromErr(answer.Err);
  const nested = isRecord(answer.error) ? errorFromBody(answer.error, answer) : undefined;
  // A tool result may have any field next to its content, so other forms of errors are read only without content.
  if (nested || Array.isArray(answer.content)) return nested;
  return answer.error === undefined || answer.error === null
    ? errorFromBody(answer, answer)
    : errorFromErr(answer.error);
}

/** Reads an error without a defined form: a text, an object or any other value. */
function errorFromErr(err: unknown): SMCPError {
  if (typeof err === 'string') return errorFromText(err);
  const fromBody = isRecord(err) ? errorFromBody(err, err) : undefined;
  return fromBody ?? new SMCPError('InternalError', 'the peer reported an error', { details: { err } });
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
  const extra = Object.entries(envelope).filter(([key]) => !BODY_KEYS.has(key));
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
