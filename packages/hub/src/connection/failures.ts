import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { HubError } from '../errors.js';

/** Whatever a request or a start failed with, as an error that says which server, what happened and what can be done. */
export function explainFailure(error: unknown, server: string): HubError {
  if (error instanceof HubError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const options = { server, cause: error };
  if (error instanceof ProtocolError) {
    return new HubError('upstream', message, { ...options, code: error.code, data: error.data });
  }
  if (error instanceof SdkHttpError) return explainStatus(error, server);
  if (error instanceof SdkError && NEVER_SENT.includes(error.code)) return new HubError('refused', message, options);
  if (error instanceof SdkError && !CONNECTION_GONE.includes(error.code)) {
    const why = `server "${server}" sent an answer that is not MCP: ${message}`;
    return new HubError('upstream', why, options);
  }
  // What JSON cannot say was never sent, and is nobody's fault but the caller's.
  if (isOurMistake(error))
    return new HubError('refused', `this cannot be sent to server "${server}": ${message}`, options);
  return new HubError('connection-lost', `the connection to server "${server}" was lost: ${message}`, options);
}

function explainStatus(error: SdkHttpError, server: string): HubError {
  const { status } = error;
  if (status === 401 || status === 403) {
    const message = `server "${server}" refuses our credentials (HTTP ${status}): check its headers or token`;
    return new HubError('unauthorized', message, { server, code: status, cause: error });
  }
  return new HubError('upstream', `server "${server}" answered with HTTP ${status}`, { server, cause: error });
}

const NEVER_SENT = [SdkErrorCode.CapabilityNotSupported, SdkErrorCode.MethodNotSupportedByProtocolVersion];
const CONNECTION_GONE = [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed];

/** Errors of the network and of pipes carry a code, here or in their cause. */
function isOurMistake(error: unknown): boolean {
  if (!(error instanceof TypeError || error instanceof RangeError)) return false;
  const { code, cause } = error as NodeJS.ErrnoException;
  return code === undefined && (cause as NodeJS.ErrnoException | undefined)?.code === undefined;
}

/** The server has forgotten a session; it did not look at the request. */
export function isNotFound(error: unknown): boolean {
  return error instanceof HubError && error.cause instanceof SdkHttpError && error.cause.status === 404;
}

const PERMANENT_NAMES = ['TrustError', 'ResolveError', 'ConfigError', 'InputError', 'VrlCompileError'];

/** Trying again changes nothing until a person does. By name: these come from packages deep below. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof HubError) return error.kind === 'refused' || error.kind === 'unauthorized';
  if (error instanceof SdkHttpError) return error.status === 401 || error.status === 403;
  return error instanceof Error && PERMANENT_NAMES.includes(error.name);
}
