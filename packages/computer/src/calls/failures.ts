import type { HubError, HubErrorKind } from '@a2c/hub';
import {
  type CallToolResult,
  type ErrorName,
  errorAnswer,
  type FailureReason,
  META_KEYS,
  SMCPError,
} from '@a2c/protocol';

/** What went wrong with a call, in every form that readers of results look for. */
interface Failure {
  readonly text: string;
  /** The name of the class that the first Computer raised; readers compare it. */
  readonly type: string;
  readonly kind: ErrorName;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A failed result: text for models, fields for programs. */
function failedResult({ text, type, kind, details, meta }: Failure): CallToolResult {
  const { a2cCode, code } = new SMCPError(kind, text, details ? { details } : {});
  return {
    content: [{ type: 'text', text }],
    structuredContent: { error: text, error_type: type },
    isError: true,
    _meta: { [META_KEYS.errorCode]: a2cCode ?? code, ...meta },
  };
}

/** The same for what the Computer itself refuses: the request is wrong, rather than the tool, so it is an error of the protocol too. */
function refusedResult(failure: Failure, reqId: string): CallToolResult {
  const { text, kind, details } = failure;
  const error = new SMCPError(kind, text, details ? { details } : {});
  return { ...errorAnswer(error, reqId), ...failedResult(failure) };
}

export function notBooted(reqId: string): CallToolResult {
  const reason = { [META_KEYS.reason]: 'not_booted' satisfies FailureReason };
  const failure = { text: '当前MCP Manager为空', type: 'RuntimeError', kind: 'Unavailable' } as const;
  return refusedResult({ ...failure, meta: reason, details: reason }, reqId);
}

export function tooManyCalls(reqId: string, limit: number): CallToolResult {
  const text = `this Computer has ${limit} calls under way already; wait and try again`;
  return refusedResult({ text, type: 'RuntimeError', kind: 'TooManyRequests', details: { retry_after: 1 } }, reqId);
}

export function anotherCall(reqId: string): CallToolResult {
  const text = `the req_id "${reqId}" belongs to another call, with another tool or other arguments; use a new one`;
  return refusedResult({ text, type: 'ValueError', kind: 'BadRequest' }, reqId);
}

export function forgottenResult(reqId: string): CallToolResult {
  const text = `the call "${reqId}" has run and is not run again; its result had to make room for newer ones`;
  return refusedResult({ text, type: 'RuntimeError', kind: 'NotFound' }, reqId);
}

export function formerLifeResult(reqId: string): CallToolResult {
  const text = `the call "${reqId}" was sent before this Computer was started; it may have run, and is not run again`;
  return refusedResult({ text, type: 'RuntimeError', kind: 'NotFound' }, reqId);
}

export function internalFault(reqId: string): CallToolResult {
  return refusedResult(
    { text: 'the request could not be processed', type: 'RuntimeError', kind: 'InternalError' },
    reqId,
  );
}

/** How asking for consent can end without it. */
export type ConsentFailure = 'no-callback' | 'timeout' | 'refused' | { readonly thrown: string };

/** `redact` takes out what the words of a failing question must not tell. */
export function withoutConsent(why: ConsentFailure, redact: (text: string) => string): CallToolResult {
  return failedResult({
    text: redact(consentText(why)),
    type: 'ConfirmationError',
    kind: 'ToolRequiresConfirmation',
    meta: { [META_KEYS.reason]: typeof why === 'string' ? CONSENT_REASONS[why] : 'consent_failed' },
  });
}

const CONSENT_REASONS = {
  'no-callback': 'consent_unavailable',
  timeout: 'consent_timeout',
  refused: 'consent_denied',
} as const satisfies Readonly<Record<Extract<ConsentFailure, string>, FailureReason>>;

function consentText(why: ConsentFailure): string {
  switch (why) {
    case 'no-callback':
      return '当前工具需要调用前进行二次确认，但客户端目前没有实现二次确认回调方法。请联系用户反馈此问题';
    case 'timeout':
      return '当前工具需要用户二次确认是否可以调用，当前确认超时。';
    case 'refused':
      return '工具调用二次确认被拒绝，请稍后再试';
    default:
      return `在工具调用二次确认时发生异常，异常信息：${why.thrown}`;
  }
}

export const AGENT_REQUESTED = 'agent_requested';

export function cancelledResult(reason: string): CallToolResult {
  return {
    content: [{ type: 'text', text: 'Tool call cancelled' }],
    structuredContent: { error: 'Tool call cancelled', error_type: 'CancelledError' },
    isError: true,
    _meta: { [META_KEYS.cancelled]: true, [META_KEYS.cancelReason]: reason },
  };
}

export function timedOutResult(tool: string, reqId: string): CallToolResult {
  const text = `调用异常: Tool '${tool}' execution timed out`;
  const late = { [META_KEYS.timeout]: true };
  return refusedResult({ text, type: 'TimeoutError', kind: 'ToolTimeout', meta: late, details: late }, reqId);
}

const REFUSED_BEFORE_RUNNING: ReadonlySet<HubErrorKind> = new Set([
  'unknown-server',
  'unknown-tool',
  'ambiguous-tool',
  'forbidden-tool',
  'disabled-server',
  'invalid-arguments',
  'not-connected',
  'overloaded',
]);

/** False when the tool cannot have been reached. */
export function mayHaveRun({ kind }: HubError): boolean {
  return !REFUSED_BEFORE_RUNNING.has(kind);
}

/** What the hub refuses before or during a call. `redact` takes out what the message must not tell. */
export function hubFailure(
  error: HubError,
  tool: string,
  reqId: string,
  redact: (text: string) => string,
): CallToolResult {
  switch (error.kind) {
    case 'forbidden-tool': {
      const text = `Tool '${tool}' is disabled by configuration`;
      return refusedResult({ text, type: 'PermissionError', kind: 'ToolDisabled', details: { tool } }, reqId);
    }
    case 'disabled-server':
      return refusedResult(
        { text: redact(error.message), type: 'PermissionError', kind: 'ToolDisabled', details: { tool } },
        reqId,
      );
    case 'unknown-tool':
    case 'unknown-server': {
      const text = `Tool '${tool}' not found in any active server`;
      return refusedResult({ text, type: 'ValueError', kind: 'ToolNotFound', details: { tool } }, reqId);
    }
    case 'ambiguous-tool':
      return refusedResult({ text: redact(error.message), type: 'ValueError', kind: 'BadRequest' }, reqId);
    case 'invalid-arguments': {
      const details = { tool, problems: error.problems.map(({ path, message }) => ({ path, message })) };
      return refusedResult({ text: redact(error.message), type: 'ValueError', kind: 'BadRequest', details }, reqId);
    }
    case 'overloaded':
      return refusedResult(
        { text: redact(error.message), type: 'RuntimeError', kind: 'TooManyRequests', details: { retry_after: 1 } },
        reqId,
      );
    case 'timeout':
      return timedOutResult(tool, reqId);
    default: {
      const text = `调用异常: Tool execution failed: ${redact(error.message)}`;
      return failedResult({ text, type: 'RuntimeError', kind: 'ToolExecutionFailed' });
    }
  }
}
