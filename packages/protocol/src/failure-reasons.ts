import { SMCPError } from './errors.js';
import { isRecord } from './json.js';
import type { CallToolResult } from './messages/answers.js';
import { META_KEYS } from './tool-meta.js';

/** Why a tool call failed, where the error code alone does not say it. */
export type FailureReason =
  | 'consent_denied'
  | 'consent_timeout'
  /** The Computer denies calls that need consent, without a question. */
  | 'consent_disabled'
  /** The Computer has no way to ask for consent. */
  | 'consent_unavailable'
  /** Asking for consent failed. */
  | 'consent_failed'
  /** The Computer has not started its MCP servers yet. */
  | 'not_booted'
  | 'timeout'
  | 'execution_failed';

/** The reason of a failed tool call, with the English part of its message where there is one. */
export interface CallFailure {
  readonly reason: FailureReason;
  readonly message?: string;
}

/**
 * The texts of published Computers, which send neither a code nor a reason. The group `message` is the English part of
 * the text.
 */
const PUBLISHED_TEXTS: readonly (readonly [RegExp, FailureReason])[] = [
  [/^当前工具需要调用前进行二次确认/, 'consent_unavailable'],
  [/^当前工具需要用户二次确认/, 'consent_timeout'],
  [/^工具调用二次确认被拒绝/, 'consent_denied'],
  [/^在工具调用二次确认时发生异常/, 'consent_failed'],
  [/^当前MCP Manager为空/, 'not_booted'],
  [/^调用异常: Tool '[^']*' execution timed out/, 'timeout'],
  [/^调用异常: (?:Tool execution failed: )?(?<message>.*)/s, 'execution_failed'],
];

const REASONS: ReadonlySet<unknown> = new Set(['consent_disabled', ...PUBLISHED_TEXTS.map(([, reason]) => reason)]);

/** Reads why a tool call failed from its result, or from the error it was rejected with. */
export function readCallFailure(failed: CallToolResult | SMCPError): CallFailure | undefined {
  const isError = failed instanceof Error;
  const text = isError ? failed.message : failed.content.find(({ type }) => type === 'text')?.text;
  const given = isError ? failed.details[META_KEYS.reason] : failed._meta?.[META_KEYS.reason];
  const code = isError ? failed.a2cCode : failed._meta?.[META_KEYS.errorCode];
  if (REASONS.has(given)) return { reason: given as FailureReason };
  if (code === 4004) return { reason: 'timeout' };
  // What a tool of our Computers says is no text of a Computer, whatever it looks like.
  if (!isError && failed._meta?.[META_KEYS.execution] === ('ran' satisfies Execution)) return undefined;
  return typeof text === 'string' ? readText(text) : undefined;
}

/** The failed result with another text for people and models; its codes and other contents stay. */
export function withFailureText(failed: CallToolResult, text: string): CallToolResult {
  const others = failed.content.filter(({ type }) => type !== 'text');
  const { structuredContent } = failed;
  return {
    ...failed,
    content: [{ type: 'text', text }, ...others],
    ...(isRecord(structuredContent) && { structuredContent: { ...structuredContent, error: text } }),
  };
}

function readText(text: string): CallFailure | undefined {
  for (const [pattern, reason] of PUBLISHED_TEXTS) {
    const found = pattern.exec(text);
    if (found) return { reason, ...(found.groups?.message !== undefined && { message: found.groups.message }) };
  }
  return undefined;
}

/**
 * Whether a tool has run: `unknown` if it was sent to the MCP server, or may have been, and no result came back, or if
 * only the text of a result says that it has not.
 */
export type Execution = 'ran' | 'not-run' | 'unknown';

const EXECUTIONS: ReadonlySet<unknown> = new Set<Execution>(['ran', 'not-run', 'unknown']);

/**
 * The error of a call that was sent and failed without an answer. Whatever its kind is, it is no refusal of the call.
 */
export function unanswered(error: SMCPError): SMCPError {
  return new SMCPError(error.kind, `${error.message}; the call was sent and may have run`, {
    details: { ...error.details, [META_KEYS.execution]: 'unknown' satisfies Execution },
    cause: error,
  });
}

/** Refusals of a Server or a Computer. A call that was refused has not run. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 429]);

const REASONS_OF_NOT_RUN: ReadonlySet<FailureReason> = new Set([
  'consent_denied',
  'consent_timeout',
  'consent_disabled',
  'consent_unavailable',
  'consent_failed',
  'not_booted',
]);

/** Why a Computer is not found that had received the call: its connection was lost, or it left. */
const LOST_IN_A_CALL: ReadonlySet<unknown> = new Set(['gone', 'left', 'taken_over']);

/**
 * Whether a call has run, from its result or from the error it was rejected with. A call that has not run can be made
 * again. After `unknown`, ask the tool or a person first, unless the tool may run twice.
 *
 * @example
 * ```ts
 * import { executionOf, SMCPError } from '@a2c/protocol';
 *
 * console.log(executionOf(new SMCPError('Unauthorized', 'unknown credentials'))); // not-run
 * ```
 */
export function executionOf(outcome: CallToolResult | Error): Execution {
  const isError = outcome instanceof Error;
  if (isError && !(outcome instanceof SMCPError)) return 'unknown';
  const given = isError ? outcome.details[META_KEYS.execution] : outcome._meta?.[META_KEYS.execution];
  if (EXECUTIONS.has(given)) return given as Execution;
  const reason = isError || outcome.isError ? readCallFailure(outcome)?.reason : undefined;
  const isRefused = reason !== undefined && REASONS_OF_NOT_RUN.has(reason);
  // A tool of a Computer of another maker could return the text of a refusal after it has run.
  if (!isError)
    return isRefused || reason === 'timeout' || outcome._meta?.[META_KEYS.cancelled] === true ? 'unknown' : 'ran';
  if (isRefused) return 'not-run';
  if (outcome.code === 404) return LOST_IN_A_CALL.has(outcome.details.reason) ? 'unknown' : 'not-run';
  return REFUSALS.has(outcome.code) ? 'not-run' : 'unknown';
}
