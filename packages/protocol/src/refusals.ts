import { errorFromText, readErrorAnswer, SMCPError } from './errors.js';
import { PROTOCOL_VERSION, readVersionRefusal } from './version.js';

/** What Socket.IO reports when a connection does not come about. */
export interface ConnectError extends Error {
  /** Beside the message, when the namespace refused. */
  readonly data?: unknown;
  /** The HTTP status, or the websocket's own event. */
  readonly description?: unknown;
  /** The HTTP request; its answer is gone after the event, so it is read at once. */
  readonly context?: { readonly responseText?: unknown; readonly statusText?: unknown } | undefined;
}

/** The reason a connection was refused, as far as the Server told it. */
export function readConnectError(error: ConnectError, origin: string): SMCPError {
  const told = readErrorAnswer(error.data) ?? readHttpRefusal(error.context?.responseText);
  if (told) return told;
  // Only a refusal by the namespace has neither: the Python SDK says these words and nothing else.
  if (error.message === 'Invalid connection request') return new SMCPError('Unauthorized', error.message);
  if (error.description === undefined && error.context === undefined && error.message !== 'timeout') {
    return errorFromText(error.message === 'Invalid namespace' ? `404 ${error.message}: no SMCP there` : error.message);
  }
  const code = systemCodeOf(error);
  return new SMCPError('Unavailable', `cannot reach ${origin}: ${reasonOf(error)}`, {
    cause: error,
    ...(code !== undefined && { details: { code } }),
  });
}

/** The code of the system error, such as `ECONNREFUSED`; undefined in browsers, which do not report it. */
function systemCodeOf({ description, context }: ConnectError): string | undefined {
  const event = description as { readonly error?: unknown } | null | undefined;
  for (const source of [context?.statusText, event?.error, description]) {
    const { code, errors } = Object(source) as { readonly code?: unknown; readonly errors?: readonly unknown[] };
    // A host with several addresses fails with an error for each of them.
    const first = code ?? (errors?.[0] as { readonly code?: unknown } | undefined)?.code;
    if (typeof first === 'string') return first;
  }
  return undefined;
}

/** The body of an HTTP answer that was not a handshake. */
export function readHttpRefusal(body: unknown): SMCPError | undefined {
  if (typeof body !== 'string' || !body.startsWith('{')) return undefined;
  const answer = parseJson(body);
  const version = readVersionRefusal(answer);
  return version ? withVersions(version) : readErrorAnswer(answer);
}

/** Says in one sentence what a person must do; the four versions stay in the details. */
function withVersions(refusal: SMCPError): SMCPError {
  const { server_version: server, min_supported: min, max_supported: max } = refusal.details;
  const serves = min === undefined ? '' : ` and serves ${min} to ${max}`;
  const speaks = server === undefined ? refusal.message : `the Server speaks ${server}${serves}`;
  return new SMCPError(
    refusal.kind,
    `protocol version refused: ${speaks}, this side speaks ${PROTOCOL_VERSION}; update one of them`,
    { details: refusal.details },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Some proxy's own page; it is no refusal of ours to read.
    return undefined;
  }
}

function reasonOf({ message, description, context }: ConnectError): string {
  if (typeof description === 'number' && description > 0) return `HTTP ${description}`;
  const event = (description as { message?: unknown } | null)?.message;
  if (typeof event === 'string' && event !== '') return event;
  const { statusText } = context ?? {};
  if (!(statusText instanceof Error)) return message;
  // TLS has a short word for it beside a long line of its own files and numbers.
  const { reason } = statusText as { reason?: unknown };
  return typeof reason === 'string' ? reason : statusText.message;
}

/** What will not change by trying again. */
export function isFinal({ code }: SMCPError): boolean {
  return code >= 400 && code < 500 && code !== 408 && code !== 429;
}
