import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { HubError } from '../errors.js';

/** The server has forgotten our session; the request was not looked at. */
export function isSessionGone(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404;
}

/** Whatever a request failed with, as an error that says which server, what happened and whether it can be tried again. */
export function explainFailure(error: unknown, server: string): HubError {
  if (error instanceof HubError) return error;
  if (error instanceof ProtocolError) {
    return new HubError('upstream', error.message, { server, code: error.code, data: error.data, cause: error });
  }
  if (error instanceof SdkHttpError && (error.status === 401 || error.status === 403)) {
    const message = `server "${server}" refuses our credentials (HTTP ${error.status}): check its headers or token`;
    return new HubError('unauthorized', message, { server, code: error.status, cause: error });
  }
  if (error instanceof SdkHttpError) {
    const message = `server "${server}" answered with HTTP ${error.status}`;
    return new HubError('upstream', message, { server, cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isOursToRefuse(error)) return new HubError('refused', message, { server, cause: error });
  if (isAnswerAmiss(error)) {
    return new HubError('upstream', `server "${server}" sent an answer that is not MCP: ${message}`, {
      server,
      cause: error,
    });
  }
  return new HubError('connection-lost', `the connection to server "${server}" was lost: ${message}`, {
    server,
    cause: error,
  });
}

/** What this connection cannot say: it was never sent. */
function isOursToRefuse(error: unknown): boolean {
  return (
    error instanceof SdkError &&
    [SdkErrorCode.CapabilityNotSupported, SdkErrorCode.MethodNotSupportedByProtocolVersion].includes(error.code)
  );
}

/** The connection is fine, the answer is not. */
function isAnswerAmiss(error: unknown): boolean {
  return (
    error instanceof SdkError &&
    ![SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(error.code)
  );
}
