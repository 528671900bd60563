import {
  type ConnectError,
  canonicalName,
  handshakeHint,
  handshakeQuery,
  isOwnDeparture,
  type NotificationEvent,
  type NotificationOf,
  parseNotification,
  readConnectError,
  readHttpRefusal,
  type ServerUrl,
  SMCP_NAMESPACE,
  SMCPError,
  timerMs,
} from '@a2c/protocol';
import { io, type Socket } from 'socket.io-client';
import type { AgentLimits, AgentOptions, Auth } from '../options.js';
import { within } from './pause.js';

export interface Endpoint extends Pick<AgentOptions, 'apiKey' | 'auth' | 'headers' | 'tls' | 'transports'> {
  readonly url: ServerUrl;
  readonly name: string;
  readonly dialect: 'spec' | 'sdk';
  /** Random, by which a Server knows that a reconnect is our own. */
  readonly instance: string;
  readonly limits: AgentLimits;
}

export type NotificationHandler = <E extends NotificationEvent>(event: E, payload: NotificationOf<E>) => void;

export interface ConnectionHandlers {
  readonly onNotification: NotificationHandler;
  /** Something went wrong that nobody waits for. */
  readonly onWarning: (warning: SMCPError) => void;
}

/** Why a connection ended. */
export interface Loss {
  readonly reason: string;
  /** The Server gave our seat to another Agent. */
  readonly replaced: boolean;
}

/** The connection ended before the answer came; whether the request was carried out is not known. */
export class ConnectionLost extends SMCPError {
  constructor() {
    super('Unavailable', 'the connection was lost before the answer came; the request may have been carried out');
  }
}

/** Neither an answer nor a refusal in time. */
export class NoAnswer extends SMCPError {
  constructor(event: string, ms: number) {
    super('Timeout', `${event}: no answer within ${ms / 1_000} s`);
  }
}

/** One Socket.IO connection, from its handshake to its end. It is never revived: the next one is a new one. */
export class Connection {
  /** Settles when the connection ends, for whatever reason. */
  readonly lost: Promise<Loss>;
  readonly #socket: Socket;
  readonly #waiting = new Set<(error: unknown) => void>();

  private constructor(socket: Socket, isReplaced: () => boolean) {
    this.#socket = socket;
    this.lost = new Promise((resolve) => {
      socket.once('disconnect', (reason) => {
        resolve({ reason, replaced: reason === 'io server disconnect' && isReplaced() });
        this.abandon();
      });
    });
  }

  static async dial(
    endpoint: Endpoint,
    office: string,
    handlers: ConnectionHandlers,
    signal: AbortSignal,
  ): Promise<Connection> {
    const ms = timerMs(endpoint.limits.connectSeconds * 1_000);
    const auth = await within(authOf(endpoint), ms, signal, () => new NoAnswer('auth', ms));
    return new Promise<Connection>((resolve, reject) => {
      const socket = io(`${endpoint.url.origin}${SMCP_NAMESPACE}`, socketOptions(endpoint, office, auth));
      const give = (end: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        socket.off('connect_error');
        end();
      };
      const fail = (error: unknown) =>
        give(() => {
          socket.disconnect();
          reject(error);
        });
      const stop = () => fail(signal.reason);
      const timer = setTimeout(() => fail(new NoAnswer('connect', ms)), ms);
      signal.addEventListener('abort', stop);
      const isReplaced = listenTo(socket, endpoint.name, handlers);
      socket.once('connect', () => give(() => resolve(new Connection(socket, isReplaced))));
      socket.once('connect_error', (error: ConnectError) => {
        const refusal = readConnectError(error, endpoint.url.origin);
        if (refusal.code !== 503 || endpoint.transports?.includes('polling') !== false) return fail(refusal);
        // A websocket cannot show why it was refused; the same question over HTTP can.
        void askOverHttp(endpoint, office).then((told) => fail(told ?? refusal));
      });
    });
  }

  /** The arguments of the acknowledgement. */
  ask(event: string, payload: object, ms: number, signal?: AbortSignal): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      // Socket.IO would keep it for a reconnect that never comes.
      if (!this.#socket.connected) return reject(new ConnectionLost());
      if (signal?.aborted) return reject(signal.reason);
      const settle = (): boolean => {
        signal?.removeEventListener('abort', onAbort);
        return this.#waiting.delete(fail);
      };
      const fail = (error: unknown) => {
        if (settle()) reject(error);
      };
      const onAbort = () => fail(signal?.reason);
      this.#waiting.add(fail);
      signal?.addEventListener('abort', onAbort);
      this.#socket.timeout(timerMs(ms)).emit(event, payload, (error: Error | null, ...ack: unknown[]) => {
        if (error) fail(new NoAnswer(event, ms));
        else if (settle()) resolve(ack);
      });
    });
  }

  /** Sends what nobody answers. */
  tell(event: string, payload: object): void {
    this.#socket.emit(event, payload);
  }

  /** Nobody waits any longer for what was asked here. */
  abandon(): void {
    const lost = new ConnectionLost();
    for (const fail of [...this.#waiting]) fail(lost);
  }

  close(): void {
    this.#socket.disconnect();
  }
}

async function authOf({ auth, apiKey, dialect, instance }: Endpoint): Promise<Auth> {
  const own = typeof auth === 'function' ? await auth() : auth;
  return { ...(apiKey !== undefined && { api_key: apiKey }), ...own, ...handshakeHint(dialect), instance };
}

function socketOptions({ url, apiKey, headers, tls, transports, limits }: Endpoint, office: string, auth: Auth) {
  return {
    path: url.path,
    forceNew: true,
    // A new connection must join before it does anything else, and may have to go elsewhere: that is for us to do.
    reconnection: false,
    timeout: timerMs(limits.connectSeconds * 1_000),
    auth,
    query: handshakeQuery('agent', office),
    extraHeaders: { ...(apiKey !== undefined && { 'x-api-key': apiKey }), ...headers },
    ...(transports && { transports: [...transports] }),
    ...tls,
  };
}

async function askOverHttp({ url, headers, limits }: Endpoint, office: string): Promise<SMCPError | undefined> {
  const query = new URLSearchParams({ EIO: '4', transport: 'polling', ...handshakeQuery('agent', office) });
  const address = `${url.origin.replace(/^ws/, 'http')}${url.path}?${query}`;
  const signal = AbortSignal.timeout(timerMs(limits.connectSeconds * 1_000));
  // When HTTP does not answer either, what the websocket said is all there is.
  const answer = await fetch(address, { headers: { ...headers }, signal }).catch(() => undefined);
  return answer?.ok === false ? readHttpRefusal(await answer.text()) : undefined;
}

/**
 * One listener for everything. What this protocol does not define is ignored. Returns how to learn whether the last thing
 * heard was that we ourselves have left: with it a Server announces that our seat is another's.
 */
function listenTo(socket: Socket, name: string, { onNotification, onWarning }: ConnectionHandlers): () => boolean {
  let toldToGo = false;
  socket.onAny((heard: unknown, payload: unknown) => {
    const event = canonicalName(String(heard)); // on this wire a name may be a number
    toldToGo = event !== undefined && isOwnDeparture('agent', name, event, payload);
    if (event === undefined || !event.startsWith('notify:')) return;
    try {
      const notification = parseNotification(event as NotificationEvent, payload);
      onNotification(event as NotificationEvent, notification as never);
    } catch (error) {
      if (!(error instanceof SMCPError)) throw error;
      onWarning(error);
    }
  });
  return () => toldToGo;
}
