import {
  CHINESE_TITLES,
  chineseTitle,
  codeOfName,
  type ErrorName,
  isKnownNumber,
  nameOfNumber,
} from './error-codes.js';
import type { RequestEvent } from './events.js';
import { redactAddresses, redactDetails, redactSecrets } from './redaction.js';

export interface SMCPErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * The one error of the protocol. `code` is one of the generic numbers every peer understands, `a2cCode` the finer one
 * where there is one. Message and details are redacted on construction, so that they can hold no secret; `cause` is for
 * the logs at home.
 */
export class SMCPError extends Error {
  override readonly name = 'SMCPError';
  readonly kind: ErrorName;
  readonly code: number;
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

  /** Whatever was thrown, as something that can be answered. Faults of our own become 500 and keep their text at home. */
  static from(thrown: unknown): SMCPError {
    if (thrown instanceof SMCPError) return thrown;
    return new SMCPError('InternalError', 'the request could not be processed', { cause: thrown });
  }
}

export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** An error as every known peer can read it: nested for the document, flat for its successors. */
export interface ErrorAnswer extends ErrorBody {
  readonly error: ErrorBody;
  readonly req_id?: string;
}

/** The same as the answer to a tool call: readers that only know MCP results see a failed one. */
export interface ToolCallErrorAnswer extends ErrorAnswer {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly isError: true;
  readonly structuredContent: { readonly error: string; readonly error_type: string };
  readonly meta: { readonly error_code: number };
}

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

/** Join and leave answer with two arguments; the text starts with the code because there is no other place for it. */
export type OfficeAck = [ok: true, error: null] | [ok: false, error: string];

export function officeAck(error?: SMCPError): OfficeAck {
  if (error === undefined) return [true, null];
  const code = error.a2cCode === undefined ? `${error.code}` : `${error.code}/${error.a2cCode}`;
  return [false, `${code} ${redactAddresses(error.message)}`];
}

/** The error as the arguments of an acknowledgement, in the form the asker of this event expects. */
export function errorAck(event: RequestEvent | undefined, error: SMCPError, reqId?: string): OfficeAck | [ErrorAnswer] {
  if (event === 'server:join_office' || event === 'server:leave_office') return officeAck(error);
  return [event === 'client:tool_call' ? toolCallErrorAnswer(error, reqId) : errorAnswer(error, reqId)];
}

/** Reads the error out of any peer's answer; `undefined` when the answer is not an error. */
export function readErrorAnswer(answer: unknown): SMCPError | undefined {
  if (!isRecord(answer)) return undefined;
  if ('Err' in answer && Object.keys(answer).length === 1) return errorFromErr(answer.Err);
  const nested = isRecord(answer.error) ? errorFromBody(answer.error, answer) : undefined;
  // A tool result may hold any field beside its content, so looser forms count only where there is none.
  if (nested || Array.isArray(answer.content)) return nested;
  return answer.error === undefined || answer.error === null
    ? errorFromBody(answer, answer)
    : errorFromErr(answer.error);
}

/** An error of no agreed form: a text, an object, anything. It is an error all the same. */
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
  // Successors put code-specific facts beside `code`; they are details here.
  const beside = Object.entries(envelope).filter(([key]) => !BODY_KEYS.has(key));
  const { a2c_code: a2cCode, ...details } = {
    ...Object.fromEntries(beside),
    ...(isRecord(body.details) ? body.details : {}),
  };
  return errorFromNumber(Number.isInteger(a2cCode) ? (a2cCode as number) : code, body.message, details);
}

/** A number nobody defined is not lost: it stays readable in the details. */
function errorFromNumber(number: number, message: string, details: Record<string, unknown> = {}): SMCPError {
  const known = isKnownNumber(number) ? details : { ...details, peer_code: number };
  return new SMCPError(nameOfNumber(number), withoutTitle(message), { details: known });
}

/** Some peers answer with a sentence only; the code is in it, or must be told from its words. */
export function errorFromText(text: string): SMCPError {
  const sentence = text.slice(0, MAX_SENTENCE);
  const [, code, fine, rest] = /^\s*([45]\d\d|4\d{3})(?:\/(4\d{3}))?[ :]\s*([\s\S]+)$/.exec(sentence) ?? [];
  if (rest !== undefined) return errorFromNumber(Number(fine ?? code), rest);
  const name = WORDS.find(([pattern]) => pattern.test(sentence))?.[1] ?? 'InternalError';
  return new SMCPError(name, sentence || 'the peer reported an error without saying which');
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

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
