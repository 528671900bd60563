import {
  GENERATIONS,
  type Generation,
  handshakeHint,
  type Role,
  SMCPError,
  timerMs,
  VERSION_QUERY,
} from '@a2c/protocol';
import type { ManagerOptions, SocketOptions } from 'socket.io-client';
import { agentWithoutRedirects } from './no-redirects.js';
import type { Auth, ServerOptions } from './options.js';
import { readHttpRefusal } from './refusals.js';
import type { ServerUrl } from './server-url.js';

/** Everything a connection presents to the Server. */
export interface Handshake
  extends Pick<ServerOptions, 'apiKey' | 'auth' | 'headers' | 'tls' | 'httpAgent' | 'explain' | 'transports'> {
  readonly url: ServerUrl;
  readonly role: Role;
  /** The office to join, if known: a load balancer selects the node by it. */
  readonly office: string | undefined;
  /** How this side speaks. */
  readonly generation: Generation;
  /** A random id by which the Server recognises a reconnect. */
  readonly instance: string;
  /** Counts the connections of this instance. The Server ignores joins of earlier ones that arrive late. */
  readonly attempt: number;
  readonly connectMs: number;
}

/** Returns the connection query: role, version and office. */
export function handshakeQuery(role: Role, generation: Generation, office?: string): Record<string, string> {
  return { role, [VERSION_QUERY]: GENERATIONS[generation].version, ...(office !== undefined && { office }) };
}

/** Returns the `auth` object. It rejects when a function `auth` fails. */
export async function handshakeAuth({ auth, apiKey, generation, instance, attempt }: Handshake): Promise<Auth> {
  try {
    const given = typeof auth === 'function' ? await auth() : auth;
    // Servers before 0.2.2 read the key elsewhere, later ones read `token`. A Server of a2c reads `adapts`: this side
    // answers each request as the Agent's generation wants it.
    const key = apiKey === undefined ? {} : { api_key: apiKey, token: apiKey };
    return { ...key, ...given, ...handshakeHint(generation), instance, attempt, adapts: true };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SMCPError('InternalError', `the auth option failed: ${reason}`, { cause: error });
  }
}

/** Returns the HTTP headers of the handshake. Servers up to 0.2.1 read the key from one of these two. */
export function handshakeHeaders({ apiKey, headers }: Pick<ServerOptions, 'apiKey' | 'headers'>) {
  return { ...(apiKey !== undefined && { 'x-api-key': apiKey, access_token: apiKey }), ...headers };
}

/** Returns the options of the Socket.IO client. */
export async function socketOptions(
  handshake: Handshake,
  auth: Auth,
): Promise<Partial<ManagerOptions & SocketOptions>> {
  const { url, role, office, generation, tls, httpAgent, transports = ['polling', 'websocket'], connectMs } = handshake;
  const agent = agentWithoutRedirects(url.origin, await httpAgent?.(url.origin));
  return {
    autoConnect: false,
    forceNew: true,
    // The link reconnects: a new connection must join before anything else, and may need another node.
    reconnection: false,
    path: url.path,
    timeout: timerMs(connectMs),
    auth,
    query: handshakeQuery(role, generation, office),
    extraHeaders: handshakeHeaders(handshake),
    transports: [...transports],
    ...tls,
    // The type is that of browsers.
    ...(agent && { agent: agent as never }),
  };
}

/** A websocket does not show why it was refused. Repeats the handshake over HTTP to read the refusal. */
export async function probeRefusal(handshake: Handshake, signal: AbortSignal): Promise<SMCPError | undefined> {
  const { url, role, office, generation, httpAgent } = handshake;
  if (await httpAgent?.(url.origin)) return undefined; // `fetch` would not use it.
  const query = new URLSearchParams({ EIO: '4', transport: 'polling', ...handshakeQuery(role, generation, office) });
  const address = `${url.origin.replace(/^ws/, 'http')}${url.path}?${query}`;
  // Without an HTTP response, the error of the websocket is all there is.
  const headers = handshakeHeaders(handshake);
  const response = await fetch(address, { headers, redirect: 'manual', signal }).catch(() => undefined);
  return response?.ok === false ? readHttpRefusal(await response.text()) : undefined;
}
