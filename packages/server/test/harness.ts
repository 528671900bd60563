import { once } from 'node:events';
import { type Role, SMCP_NAMESPACE } from '@a2c/protocol';
import { type AuditRecord, allowAnonymous, type Listening, type ListenOptions, type Logger, listen } from '@a2c/server';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { expect, onTestFinished } from 'vitest';

/** The tests use plain Socket.IO clients, because they test the wire and not our SDKs. */
export type RawSocket = Socket;

/** How long to wait for something that must happen. Reached only by a failure, also on a loaded machine. */
const WAIT_MS = 30_000;

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

export interface TestServer extends Listening {
  readonly audit: AuditRecord[];
  readonly logs: LogLine[];
  connect(options?: Partial<ManagerOptions & SocketOptions>): Promise<RawSocket>;
  /** Connects and joins. */
  member(
    role: Role,
    name: string,
    office: string,
    options?: Partial<ManagerOptions & SocketOptions>,
  ): Promise<RawSocket>;
}

export async function serve(options: Partial<ListenOptions> = {}): Promise<TestServer> {
  const audit: AuditRecord[] = [];
  const logs: LogLine[] = [];
  const listening = await listen({
    authenticate: allowAnonymous,
    port: 0,
    audit: { append: (entry) => audit.push(entry), close: async () => {} },
    logger: recorder(logs),
    ...options,
  });
  onTestFinished(() => listening.close());
  const connect: TestServer['connect'] = (how) => dial(listening.url, how);
  return {
    ...listening,
    audit,
    logs,
    connect,
    member: async (role, name, office, how) => {
      const socket = await connect(how);
      const ack = await ask(socket, 'server:join_office', { role, name, office_id: office });
      if (ack[0] !== true) throw new Error(`join refused: ${ack[1]}`);
      return socket;
    },
  };
}

function recorder(lines: LogLine[]): Logger {
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, message, ...fields });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export function open(url: string, options: Partial<ManagerOptions & SocketOptions> = {}): RawSocket {
  const socket = io(`${url}${SMCP_NAMESPACE}`, {
    forceNew: true,
    reconnection: false,
    transports: ['websocket'],
    ...options,
  });
  onTestFinished(() => void socket.disconnect());
  return socket;
}

export async function dial(url: string, options: Partial<ManagerOptions & SocketOptions> = {}): Promise<RawSocket> {
  const socket = open(url, options);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

/** Sends a request and returns all arguments of its acknowledgement. It may still be pending when the test ends. */
export function ask(socket: RawSocket, event: string, payload: unknown, ms = WAIT_MS): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${event}: no acknowledgement within ${ms} ms`)), ms);
    const stop = () => clearTimeout(timer);
    socket.once('disconnect', stop);
    socket.emit(event, payload, (...ack: unknown[]) => {
      stop();
      socket.off('disconnect', stop);
      resolve(ack);
    });
  });
}

/** Stops reading from the network, as a peer with a slow line. Returns the function that continues. */
export function pauseReading(socket: RawSocket): () => void {
  const { ws } = socket.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } };
  ws.pause();
  return () => ws.resume();
}

/** Waits for an event and returns its payload. */
export async function next(socket: RawSocket, event: string): Promise<unknown> {
  const signal = AbortSignal.timeout(WAIT_MS);
  const [payload] = await once(socket as unknown as NodeJS.EventEmitter, event, { signal });
  return payload;
}

/** Records all events that a socket receives, in order. */
export function recordEvents(socket: RawSocket): [event: string, payload: unknown][] {
  const received: [string, unknown][] = [];
  socket.onAny((event: string, payload: unknown) => received.push([event, payload]));
  return received;
}

/**
 * A pause in which an unexpected event would usually arrive on loopback. Only for checks that something does not
 * happen: to wait for something that must happen, use `until`, `eventually` or `expectEvents`.
 */
export async function settle(ms = 80): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until the condition is true. */
export async function until(condition: () => boolean, ms = WAIT_MS): Promise<void> {
  const deadline = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`the condition was not true within ${ms} ms: ${condition}`);
    await settle(5);
  }
}

/** Checks that exactly these events have been received: waits for them, then for surplus ones. */
export async function expectEvents(
  received: readonly [event: string, payload: unknown][],
  expected: readonly [event: string, payload: unknown][],
): Promise<void> {
  await until(() => received.length >= expected.length);
  await settle();
  expect(received).toEqual(expected);
}

/** Repeats an action until it succeeds. Throws its last error. */
export async function eventually<T>(action: () => Promise<T>, ms = WAIT_MS): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await settle(50);
    }
  }
}

export const CALL = { agent: 'a', req_id: 'r1', computer: 'pc', tool_name: 'echo', params: { x: 1 }, timeout: 5 };

let calls = 0;

/** A call that was not made before: a repeated `req_id` gets the first answer. */
export function newCall() {
  return { ...CALL, req_id: `new-${++calls}` };
}

export interface Office {
  readonly server: TestServer;
  readonly agent: RawSocket;
  readonly computer: RawSocket;
}

/** Starts a server with one Agent and one Computer in an office. */
export async function office(options: Parameters<typeof serve>[0] = {}): Promise<Office> {
  const server = await serve(options);
  const agent = await server.member('agent', 'a', 'o');
  const computer = await server.member('computer', 'pc', 'o');
  return { server, agent, computer };
}
