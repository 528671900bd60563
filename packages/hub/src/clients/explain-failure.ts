import {
  ConfigError,
  formatRefusal,
  InputError,
  type JsonObject,
  type Refusal,
  ResolveError,
  TrustError,
} from '@a2c/config';
import { LoginError } from '@a2c/login';
import { a2cCommand } from '@a2c/protocol';
import { VrlCompileError } from '@a2c/vrl';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { HubError } from '../errors.js';
import { HttpRequestError } from '../transports/http/http-client.js';
import { type AnyTransport, CLOSED_BY_CLIENT, diagnosticsOf } from '../transports/server-transport.js';
import { errorData } from './sent-messages.js';
import { lastLine } from './stderr-line.js';

/**
 * Converts the error of a request or a start to a `HubError` that names the server, the problem and the remedy.
 *
 * @param login A login is used, or refused.
 */
export function explainFailure(error: unknown, server: string, login?: boolean | Refusal): HubError {
  if (error instanceof HubError) return error;
  const loginError = loginErrorIn(error);
  if (loginError) return explainLogin(loginError, server);
  const message = error instanceof Error ? error.message : String(error);
  const options = { server, cause: error };
  if (error instanceof ProtocolError) {
    return new HubError('upstream', message, { ...options, code: error.code, data: errorData(error.data) });
  }
  if (error instanceof SdkHttpError) return explainStatus(error, server, login);
  // One late answer says nothing about the connection: other requests continue.
  if (error instanceof HttpRequestError && error.isLate) {
    return new HubError('timeout', `server "${server}": ${message}`, options);
  }
  if (error instanceof SdkError && NEVER_SENT.includes(error.code)) return new HubError('refused', message, options);
  if (error instanceof SdkError && !CONNECTION_GONE.includes(error.code)) {
    return new HubError('upstream', `server "${server}" sent an answer that is not MCP: ${message}`, options);
  }
  return new HubError('connection-lost', `the connection to server "${server}" was lost: ${message}`, options);
}

/** The SDK wraps some errors. */
function loginErrorIn(error: unknown): LoginError | undefined {
  if (error instanceof LoginError) return error;
  return error instanceof Error && error.cause !== undefined ? loginErrorIn(error.cause) : undefined;
}

function explainLogin(error: LoginError, server: string): HubError {
  if (!error.needsPerson) return new HubError('refused', error.message, { server, cause: error });
  const code = error.kind === 'login-required' ? 401 : 403;
  return new HubError('needs-login', `${error.message}: ${loginCommand(server)}`, { server, code, cause: error });
}

function loginCommand(server: string): string {
  return `run "${a2cCommand('login', server)}"`;
}

/** True if the error concerns the login as a whole, not a single request that needs more scopes. */
export function endsLogin(error: HubError): boolean {
  return error.kind === 'needs-login' && (error.cause as LoginError).kind !== 'scope-required';
}

function explainStatus(error: SdkHttpError, server: string, login: boolean | Refusal | undefined): HubError {
  const { status } = error;
  // The SDK refreshed the login, and the server rejects the new token too.
  if (status === 401 && login === true) {
    return explainLogin(new LoginError('login-expired', server, `server "${server}" rejects the login`), server);
  }
  if (status === 401 || status === 403) {
    const remedy = typeof login === 'object' ? formatRefusal(login) : 'check its headers or token';
    const message = `server "${server}" rejected the credentials (HTTP ${status}): ${remedy}`;
    return new HubError('unauthorized', message, { server, code: status, cause: error });
  }
  return new HubError('upstream', `server "${server}" answered with HTTP ${status}`, { server, cause: error });
}

const NEVER_SENT = [SdkErrorCode.CapabilityNotSupported, SdkErrorCode.MethodNotSupportedByProtocolVersion];
const CONNECTION_GONE = [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed];

/**
 * The error of a message that was not sent, because its parameters are not JSON; undefined for any other. The class of
 * the error would not tell: a `TypeError` may also come from what the server answered.
 */
export function notJson(error: unknown, params: JsonObject, server: string): HubError | undefined {
  if (!(error instanceof TypeError || error instanceof RangeError)) return undefined;
  try {
    JSON.stringify(params);
    return undefined;
  } catch (cause) {
    const message = `this cannot be sent to server "${server}": ${(cause as Error).message}`;
    return new HubError('refused', message, { server, cause });
  }
}

/** True for HTTP 404: the server no longer knows the session. */
export function isNotFound(error: unknown): boolean {
  return (
    error instanceof HubError && !error.isBegun && error.cause instanceof SdkHttpError && error.cause.status === 404
  );
}

/** True if the body of the HTTP error answers the request: the server may have processed it. */
export function isAnswered(error: unknown): boolean {
  return error instanceof HubError && error.cause instanceof SdkHttpError && error.cause.data.isAnswer === true;
}

const CONFIGURATION_ERRORS = [TrustError, ResolveError, ConfigError, InputError, VrlCompileError];

/** True if trying again cannot help before a person changes the configuration or the credentials. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof HubError) return ['refused', 'unauthorized', 'needs-login'].includes(error.kind);
  if (loginErrorIn(error)?.needsPerson) return true;
  if (error instanceof SdkHttpError) return error.status === 401 || error.status === 403;
  return CONFIGURATION_ERRORS.some((type) => error instanceof type);
}

/** Removes secrets. It gets the whole text: one line of a secret with several lines is not recognised. */
type RedactText = (text: string) => string;

/**
 * If the server's process or socket ended, replaces "connection closed" by how it ended and its last line of stderr.
 */
export function withEndReason(error: unknown, transport: AnyTransport, redactStderr: RedactText): unknown {
  const { ended, stderr } = diagnosticsOf(transport);
  const isClosing = error instanceof SdkError && CLOSING.includes(error.code);
  if (ended === null || ended === CLOSED_BY_CLIENT || !isClosing) return error;
  const line = lastLine(redactStderr(stderr));
  return new SdkError(error.code, line ? `${ended}; last line of stderr: ${line}` : ended, error.data);
}

const CLOSING = [...CONNECTION_GONE, SdkErrorCode.EraNegotiationFailed];

/** Adds the likely reason to a timeout: lines that are not JSON-RPC, or the last line of stderr. */
export function withLikelyReason(error: unknown, transport: AnyTransport, redactStderr: RedactText): unknown {
  const { junkLines, stderr } = diagnosticsOf(transport);
  if (!(error instanceof HubError) || error.kind !== 'timeout') return error;
  const line = lastLine(redactStderr(stderr));
  if (junkLines === 0) return line ? error.mapTexts((text) => `${text}; last line of stderr: ${line}`) : error;
  const lines = junkLines === 1 ? 'a line to its output that is' : `${junkLines} lines to its output that are`;
  return error.mapTexts((text) => `${text}; it wrote ${lines} no JSON-RPC`);
}
