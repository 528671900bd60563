/** A request of the SDK, in the terms of `node:http`, and what its body says. */
export interface OutgoingRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** The id of the JSON-RPC request in the body; undefined when no answer is due. */
  readonly id: string | number | undefined;
}

/** The subscription of the newer generation has no answer but its stream; its end is its end. */
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
  };
}

/** What the protocol itself needs. Configured headers may be secrets, and are for the configured origin only. */
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

/** The headers that may follow a redirect to another origin. */
export function redirectedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => PROTOCOL_HEADERS.has(name)));
}

interface Said {
  readonly id?: string | number | undefined;
  readonly method?: string | undefined;
}

function messageIn(body: string | undefined): Said {
  if (body === undefined) return {};
  const message = JSON.parse(body) as Said;
  return { id: message.id, method: message.method };
}
