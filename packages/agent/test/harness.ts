import { type AddressInfo, connect, createServer, type Socket as TcpSocket } from 'node:net';
import { Agent, type AgentEvents, type AgentOptions } from '@a2c/agent';
import { type AuditRecord, allowAnonymous, type Listening, type ListenOptions, listen } from '@a2c/server';
import { onTestFinished } from 'vitest';

/** How long to wait for something that must happen. Reached only by a failure, also on a loaded machine. */
const WAIT_MS = 60_000;

export interface TestServer extends Listening {
  readonly audit: AuditRecord[];
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** The real signalling server on a free port. */
export async function serve(options: Partial<ListenOptions> = {}): Promise<TestServer> {
  const audit: AuditRecord[] = [];
  const listening = await listen({
    authenticate: allowAnonymous,
    port: 0,
    audit: { append: (entry) => audit.push(entry), close: async () => {} },
    logger: quiet,
    ...options,
  });
  onTestFinished(() => listening.close());
  return { ...listening, audit };
}

/** An Agent `a` in office `o` that knows its Computers. Closed after the test. */
export async function agentAt(url: string, options: Partial<AgentOptions> = {}): Promise<Agent> {
  const agent = await Agent.connect({ url, office: 'o', name: 'a', ...options });
  onTestFinished(() => agent.close());
  await agent.ready();
  return agent;
}

/** A TCP relay to the server whose connections can be cut. */
export interface Wire {
  readonly url: string;
  /** The server that new connections lead to. */
  target: string;
  /** The number of accepted connections. */
  readonly dialled: () => number;
  /** Closes every connection without a message. */
  cut(): void;
  /** While true, new connections are refused. */
  isBroken: boolean;
}

export async function wireTo(target: string): Promise<Wire> {
  const open = new Set<TcpSocket>();
  let dialled = 0;
  const wire = {
    url: '',
    target,
    dialled: () => dialled,
    cut: () => {
      for (const socket of open) socket.destroy();
    },
    isBroken: false,
  };
  const proxy = createServer((near) => {
    if (wire.isBroken) return void near.destroy();
    dialled++;
    const { port, hostname } = new URL(wire.target);
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => one.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    wire.cut();
    proxy.close();
  });
  wire.url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return wire;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * A pause in which an unexpected event would usually arrive on loopback. Only for checks that something does not
 * happen: to wait for something that must happen, use `until` or `next`.
 */
export const settle = () => pause(100);

/** Waits until the condition is true. */
export async function until(condition: () => boolean, ms = WAIT_MS): Promise<void> {
  const deadline = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`the condition was not true within ${ms} ms: ${condition}`);
    await pause(5);
  }
}

/** Waits for an event and returns its value. */
export function next<E extends keyof AgentEvents>(agent: Agent, event: E, ms = WAIT_MS): Promise<AgentEvents[E]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ${event} within ${ms} ms`)), ms);
    const off = agent.on(event, (value) => {
      clearTimeout(timer);
      off();
      resolve(value);
    });
  });
}

const EVENTS = [
  'computerEntered',
  'computerLeft',
  'configUpdated',
  'toolsChanged',
  'desktopRefreshed',
  'callCancelled',
  'disconnected',
  'reconnected',
  'ended',
  'warning',
] as const satisfies (keyof AgentEvents)[];

/** All events of an Agent, in order. */
export function listenIn(agent: Agent): [event: keyof AgentEvents, value: unknown][] {
  const heard: [keyof AgentEvents, unknown][] = [];
  for (const event of EVENTS) agent.on(event, (value) => void heard.push([event, value]));
  return heard;
}
