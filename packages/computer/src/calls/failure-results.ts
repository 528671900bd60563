import type { HubError, HubErrorKind } from '@a2c/hub';
import {
  a2cCommand,
  type CallToolResult,
  type ErrorName,
  type Execution,
  errorAnswer,
  type FailureReason,
  META_KEYS,
  SMCPError,
} from '@a2c/protocol';

/** A failed call in every form that published peers read. */
interface Failure {
  readonly text: string;
  /** The exception class of the Python Computer; published Agents compare it. */
  readonly type: string;
  readonly kind: ErrorName;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly execution: Execution;
}

/** A failed result: text for models, structured content and codes for programs. */
function failedResult({ text, type, kind, details, meta, execution }: Failure): CallToolResult {
  const { a2cCode, code } = new SMCPError(kind, text, details ? { details } : {});
  return {
    content: [{ type: 'text', text }],
    structuredContent: { error: text, error_type: type },
    isError: true,
    _meta: { [META_KEYS.errorCode]: a2cCode ?? code, [META_KEYS.execution]: execution, ...meta },
  };
}

/** A failed result that is also an error of the protocol: the request was refused before the tool could answer. */
function refusedResult(failure: Failure, reqId: string): CallToolResult {
  const { text, kind, execution } = failure;
  const details = { ...failure.details, [META_KEYS.execution]: execution };
  const error = new SMCPError(kind, text, { details });
  return { ...errorAnswer(error), req_id: reqId, ...failedResult(failure) };
}

export function notBooted(reqId: string): CallToolResult {
  const reason = { [META_KEYS.reason]: 'not_booted' satisfies FailureReason };
  const failure = {
    text: '当前MCP Manager为空',
    type: 'RuntimeError',
    kind: 'Unavailable',
    execution: 'not-run',
  } as const;
  return refusedResult({ ...failure, meta: reason, details: reason }, reqId);
}

export function tooManyCalls(reqId: string, limit: number): CallToolResult {
  const text = `this Computer already has ${limit} pending calls; wait and try again`;
  return refusedResult(
    { text, type: 'RuntimeError', kind: 'TooManyRequests', details: { retry_after: 1 }, execution: 'not-run' },
    reqId,
  );
}

/** There is no room for the arguments of a call, which says nothing about an earlier call that it repeats. */
export function noRoomForArguments(reqId: string, problem: string, execution: Execution): CallToolResult {
  const text = `${problem}; wait and try again, or send less`;
  return refusedResult(
    { text, type: 'RuntimeError', kind: 'TooManyRequests', details: { retry_after: 1 }, execution },
    reqId,
  );
}

export function reusedReqId(reqId: string): CallToolResult {
  const text = `the req_id "${reqId}" belongs to another call, with another tool or other arguments; use a new one`;
  return refusedResult({ text, type: 'ValueError', kind: 'BadRequest', execution: 'not-run' }, reqId);
}

export function forgottenResult(reqId: string): CallToolResult {
  const text = `the call "${reqId}" has run and is not run again; its result had to make room for newer ones`;
  return refusedResult({ text, type: 'RuntimeError', kind: 'NotFound', execution: 'ran' }, reqId);
}

export function displacedCall(reqId: string): CallToolResult {
  const text = `the call "${reqId}" is repeated, and newer calls have displaced earlier ones; it may have run, and is not run again`;
  return refusedResult({ text, type: 'RuntimeError', kind: 'NotFound', execution: 'unknown' }, reqId);
}

export function sentBeforeStart(reqId: string): CallToolResult {
  const text = `the call "${reqId}" was sent before this Computer was started; it may have run, and is not run again`;
  return refusedResult({ text, type: 'RuntimeError', kind: 'NotFound', execution: 'unknown' }, reqId);
}

export function startedElsewhere(reqId: string): CallToolResult {
  const text = `another process with the same ledger has started the call "${reqId}"; it may have run, and is not run again`;
  return refusedResult({ text, type: 'RuntimeError', kind: 'NotFound', execution: 'unknown' }, reqId);
}

export function internalError(reqId: string): CallToolResult {
  const text = 'the request could not be processed';
  return refusedResult({ text, type: 'RuntimeError', kind: 'InternalError', execution: 'unknown' }, reqId);
}

const REFUSED_BEFORE_CONSENT: ReadonlySet<HubErrorKind> = new Set([
  'unknown-server',
  'unknown-tool',
  'ambiguous-tool',
  'forbidden-tool',
  'disabled-server',
  'invalid-arguments',
  'not-connected',
  'overloaded',
]);

/** These failures happen after the call was sent to the MCP server, or perhaps after it. */
const AFTER_SENDING: ReadonlySet<HubErrorKind> = new Set(['connection-lost', 'interrupted', 'timeout', 'cancelled']);

/** An MCP server that answers with an error has seen the call, and may have run a part of it. */
function executionAfter(kind: HubErrorKind): Execution {
  return AFTER_SENDING.has(kind) || kind === 'upstream' ? 'unknown' : 'not-run';
}

/**
 * Whether a repeated `req_id` gets this failure again. A call that was refused before consent may be repeated with its
 * id. A denied one may not: the user is not asked twice. Nor may one that was a repetition itself: the call as it was
 * first sent may still arrive from a node that was frozen, and must not run after it was reported as not run. Callers
 * repeat calls to a busy server.
 */
export function isRemembered({ kind }: HubError, isRepetition: boolean): boolean {
  return !REFUSED_BEFORE_CONSENT.has(kind) || (isRepetition && kind !== 'overloaded');
}

export interface FailedCall {
  readonly reqId: string;
  /** The name or alias the tool was called by. */
  readonly tool: string;
  /** The bundle id of the MCP server, if the failure concerns one. */
  readonly mcpServer?: string | undefined;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
}

/**
 * The one translation of hub errors to results on the wire. The Chinese texts are those of the Python Computer, word
 * for word: published Agents compare them.
 */
export function failureResult(error: HubError, { reqId, tool, redact, mcpServer = '' }: FailedCall): CallToolResult {
  const { kind } = error;
  const execution = executionAfter(kind);
  switch (kind) {
    case 'forbidden-tool':
      return forbiddenTool(reqId, tool, execution);
    case 'disabled-server': {
      const text = redact(error.message);
      return refusedResult(
        { text, type: 'PermissionError', kind: 'ToolDisabled', details: { tool }, execution },
        reqId,
      );
    }
    case 'unknown-tool':
    case 'unknown-server': {
      const text = `Tool '${tool}' not found in any active server`;
      return refusedResult({ text, type: 'ValueError', kind: 'ToolNotFound', details: { tool }, execution }, reqId);
    }
    case 'ambiguous-tool':
      return refusedResult({ text: redact(error.message), type: 'ValueError', kind: 'BadRequest', execution }, reqId);
    case 'invalid-arguments': {
      const details = { tool, problems: error.problems.map(({ path, message }) => ({ path, message })) };
      return refusedResult(
        { text: redact(error.message), type: 'ValueError', kind: 'BadRequest', details, execution },
        reqId,
      );
    }
    case 'overloaded': {
      const details = { retry_after: 1 };
      const text = redact(error.message);
      return refusedResult({ text, type: 'RuntimeError', kind: 'TooManyRequests', details, execution }, reqId);
    }
    case 'consent-unavailable':
      return consentResult(
        'consent_unavailable',
        '当前工具需要调用前进行二次确认，但客户端目前没有实现二次确认回调方法。请联系用户反馈此问题',
      );
    case 'consent-timeout':
      return consentResult('consent_timeout', '当前工具需要用户二次确认是否可以调用，当前确认超时。');
    case 'consent-disabled':
      return consentResult('consent_disabled', DENIED);
    case 'consent-denied':
      return consentResult('consent_denied', DENIED);
    case 'consent-failed':
      return consentResult('consent_failed', redact(`在工具调用二次确认时发生异常，异常信息：${error.message}`));
    case 'unauthorized':
    case 'needs-login':
      return authorizationResult(error, mcpServer, execution);
    case 'cancelled':
      return cancelledResult(String(error.cause));
    case 'timeout': {
      const text = `调用异常: Tool '${tool}' execution timed out`;
      const meta = { [META_KEYS.timeout]: true };
      return refusedResult({ text, type: 'TimeoutError', kind: 'ToolTimeout', meta, details: meta, execution }, reqId);
    }
    default: {
      const text = `调用异常: Tool execution failed: ${redact(error.message)}`;
      return failedResult({ text, type: 'RuntimeError', kind: 'ToolExecutionFailed', execution });
    }
  }
}

/** @param execution whether the call has run, perhaps for a caller that may use the tool */
export function forbiddenTool(reqId: string, tool: string, execution: Execution): CallToolResult {
  const text = `Tool '${tool}' is disabled by configuration`;
  return refusedResult({ text, type: 'PermissionError', kind: 'ToolDisabled', details: { tool }, execution }, reqId);
}

/**
 * The MCP server wants a login, or rejects the present one. The hint has no text of the server and no address: both may
 * contain secrets.
 */
function authorizationResult(
  { kind: failure, code, server = '' }: HubError,
  mcpServer: string,
  execution: Execution,
): CallToolResult {
  const isRejected = code === 403;
  const remedy =
    failure === 'needs-login' ? `run "${a2cCommand('login', server)}"` : 'check the headers or the token of the server';
  const problem = isRejected ? 'rejects the authorisation' : 'needs authorisation';
  const text = `the MCP server "${server}" ${problem}: the owner of this Computer has to ${remedy}`;
  const meta = {
    [META_KEYS.mcpServer]: mcpServer,
    [META_KEYS.authHint]: {
      action: isRejected ? 'token_refresh_required' : 'user_authorization_required',
      message: text,
    },
  };
  const kind = isRejected ? 'ToolAuthorizationFailed' : 'ToolAuthorizationRequired';
  return failedResult({ text, type: 'AuthorizationError', kind, meta, execution });
}

/** Published Computers have one text for every denial. */
const DENIED = '工具调用二次确认被拒绝，请稍后再试';

function consentResult(reason: FailureReason, text: string): CallToolResult {
  const meta = { [META_KEYS.reason]: reason };
  return failedResult({
    text,
    type: 'ConfirmationError',
    kind: 'ToolRequiresConfirmation',
    meta,
    execution: 'not-run',
  });
}

function cancelledResult(reason: string): CallToolResult {
  return {
    content: [{ type: 'text', text: 'Tool call cancelled' }],
    structuredContent: { error: 'Tool call cancelled', error_type: 'CancelledError' },
    isError: true,
    _meta: {
      [META_KEYS.cancelled]: true,
      [META_KEYS.cancelReason]: reason,
      [META_KEYS.execution]: 'unknown' satisfies Execution,
    },
  };
}
