import {
  canonicalName,
  errorFromText,
  type Generation,
  generationOfVersion,
  isRecord,
  PROTOCOL_VERSION,
  type Role,
  readErrorAnswer,
  readVersionRefusal,
  SMCPError,
} from '@a2c/protocol';

/**
 * Whether a refusal is final: trying again does not change it. All 4xx are, except 408 and 429. Whether a seat that
 * another member holds is waited for is the caller's choice (`waitForSeat`).
 */
export function isFinal({ code }: SMCPError): boolean {
  return code >= 400 && code < 500 && code !== 408 && code !== 429;
}

/** Whether a join was refused because another member holds the seat. It may become free. */
export function isSeatTaken(error: SMCPError): boolean {
  return error.kind === 'RoomFull' || mayBeOwnSeat(error);
}

/**
 * Matches the messages of Servers that send no code for a taken seat. The holder may be our own lost connection, which
 * the Server has not noticed yet.
 */
export function mayBeOwnSeat({ code, a2cCode, message }: SMCPError): boolean {
  return code === 403 && a2cCode === undefined && /already (?:in|exists|registered)/i.test(message);
}

/**
 * Whether a new connection may join: this node does not hold the office, and one whose query names the office may reach
 * the right node, or the Server asks for a connection with another id.
 */
export function needsNewConnection({ kind, message, details: { reason } }: SMCPError): boolean {
  if (kind !== 'Unavailable') return false;
  return reason === 'wrong_node' || reason === 'new_connection' || message.startsWith('wrong node');
}

/**
 * Whether the event reports that this member itself left. As the last event of a connection it means a takeover, unless
 * it names this instance: then an older connection of this link was handled late, and the link joins again.
 */
export function isOwnDeparture(
  { role, name, instance }: { readonly role: Role; readonly name: string; readonly instance: string },
  event: string,
  payload: unknown,
): boolean {
  if (canonicalName(event) !== 'notify:leave_office' || !isRecord(payload)) return false;
  return payload[role] === name && payload.instance !== instance;
}

/** The error that ends a link whose seat was taken over. Re-joining would start a takeover loop. */
export function takenOver(role: Role, name: string, office: string): SMCPError {
  const details = { reason: 'taken_over', [role]: name, office };
  return role === 'agent'
    ? new SMCPError('RoomFull', `office "${office}" was taken over by another Agent with this name and identity`, {
        details,
      })
    : new SMCPError(
        'Forbidden',
        `Computer "${name}" in office "${office}" was taken over by a newer connection of the same owner; give one of them another name`,
        { details },
      );
}

/** The generation of the version that a Server names when it refuses ours; `undefined` when it is not known here. */
export function offeredGeneration({ kind, details }: SMCPError): Generation | undefined {
  const { server_version: version } = details;
  return kind === 'VersionMismatch' && typeof version === 'string' ? generationOfVersion(version) : undefined;
}

/** The `connect_error` of Socket.IO. */
export interface ConnectError extends Error {
  /** Set when the namespace refused the connection. */
  readonly data?: unknown;
  /** The HTTP status, or the event of the websocket. */
  readonly description?: unknown;
  /** The HTTP request. Socket.IO clears the response after the event. */
  readonly context?: { readonly responseText?: unknown; readonly statusText?: unknown } | undefined;
}

/** Returns why a connection failed, as far as the Server reported it. */
export function readConnectError(error: ConnectError, origin: string): SMCPError {
  const reported = readErrorAnswer(error.data) ?? readHttpRefusal(error.context?.responseText);
  if (reported) return reported;
  // Refusals by a namespace have neither description nor context. The Python SDK sends only this text.
  if (error.message === 'Invalid connection request') return new SMCPError('Unauthorized', error.message);
  if (error.description === undefined && error.context === undefined && error.message !== 'timeout') {
    return errorFromText(error.message === 'Invalid namespace' ? `404 ${error.message}: no SMCP there` : error.message);
  }
  const code = systemCodeOf(error) ?? httpStatusOf(error);
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

/** Such as `HTTP 401`: the status of a response that is not from an SMCP Server, often from an HTTP proxy. */
function httpStatusOf({ description }: ConnectError): string | undefined {
  return typeof description === 'number' && description > 0 ? `HTTP ${description}` : undefined;
}

/** Reads the body of an HTTP response that refused the handshake. */
export function readHttpRefusal(body: unknown): SMCPError | undefined {
  if (typeof body !== 'string' || !body.startsWith('{')) return undefined;
  const answer = parseJson(body);
  const version = readVersionRefusal(answer);
  return version ? explainVersions(version) : readErrorAnswer(answer);
}

/** Adds both versions and the remedy to the message. */
function explainVersions({ kind, message, details }: SMCPError): SMCPError {
  const { server_version: server, min_supported: min, max_supported: max, client_version: own } = details;
  const range = min === undefined ? '' : ` and serves ${min} to ${max}`;
  const problem = server === undefined ? message : `the Server speaks ${server}${range}`;
  return new SMCPError(
    kind,
    `protocol version refused: ${problem}, this side speaks ${own ?? PROTOCOL_VERSION}; update one of them`,
    { details },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the page of an HTTP proxy
  }
}

function reasonOf(error: ConnectError): string {
  const { message, description, context } = error;
  const status = httpStatusOf(error);
  if (status?.startsWith('HTTP 3')) return `it redirects to another address (${status}); use that one`;
  if (status !== undefined) return status;
  const event = (description as { message?: unknown } | null)?.message;
  if (typeof event === 'string' && event !== '') return event;
  const { statusText } = context ?? {};
  // Browsers do not tell why a request failed.
  if (!(statusText instanceof Error)) {
    return 'document' in globalThis ? `${message}; it may refuse web pages of this origin (--origin)` : message;
  }
  // TLS errors have a short `reason` beside a long message with file names.
  const { reason } = statusText as { reason?: unknown };
  return typeof reason === 'string' ? reason : statusText.message;
}
