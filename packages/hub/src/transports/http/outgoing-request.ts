/** A request of the SDK for `node:http`, with the JSON-RPC id of its body. */
export interface OutgoingRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** The id of the JSON-RPC request in the body; undefined if the body expects no answer. */
  readonly id: string | number | undefined;
  /** True if the configured timeout of the server applies. Calls and streams have a deadline of their own, or none. */
  readonly isBounded: boolean;
}

/** Requests that a server answers from memory. Everything else may take as long as its caller allows. */
const QUICK_METHODS = /^(initialize|server\/discover|ping|notifications\/.+|.+\/list)$/;

/** The answer to a subscription of the modern generation is an endless stream. */
const STREAM_ONLY = 'subscriptions/listen';

export function toOutgoingRequest({ method = 'GET', headers, body, signal }: RequestInit): OutgoingRequest {
  const text = typeof body === 'string' ? body : undefined;
  const { id, method: rpc } = messageIn(text);
  return {
    method,
    headers: { 'accept-encoding': 'identity', ...Object.fromEntries(new Headers(headers ?? {})) },
    body: text,
    signal: signal ?? undefined,
    id: rpc === undefined || rpc === STREAM_ONLY ? undefined : id,
    isBounded: method === 'POST' && rpc !== undefined && QUICK_METHODS.test(rpc),
  };
}

/** The headers of the protocol itself. Configured headers may be secrets and are sent to the configured origin only. */
const PROTOCOL_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]);

/** The headers that are sent after a redirect to another origin. */
export function redirectedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => PROTOCOL_HEADERS.has(name)));
}

interface Envelope {
  readonly id?: string | number | undefined;
  readonly method?: string | undefined;
}

function messageIn(body: string | undefined): Envelope {
  if (body === undefined) return {};
  const message = JSON.parse(body) as Envelope;
  return { id: message.id, method: message.method };
}
