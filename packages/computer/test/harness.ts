import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket as TcpSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InputDefinition, readConfig, type ServerConfig } from '@a2c/config';
import { SMCP_NAMESPACE } from '@a2c/protocol';
import { allowAnonymous, type Listening, type ListenOptions, listen } from '@a2c/server';
import { type ServerOptions, type Socket as ServerSocket, Server as SocketServer } from 'socket.io';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { inject, onTestFinished } from 'vitest';
import {
  Computer,
  type ComputerOptions,
  type Logger,
  OfficeLink,
  type OfficeLinkEvents,
  type OfficeLinkOptions,
} from '../src/index.js';

/** How long to wait for something that must happen. Reached only by a failure, also on a loaded machine. */
const WAIT_MS = 60_000;

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

export function recorder(lines: LogLine[] = []): Logger & { readonly lines: LogLine[] } {
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, message, ...fields });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), lines };
}

/** The small MCP server that the hub is tested with, run with these variables. */
export function workshop(env: Readonly<Record<string, string>> = {}) {
  const path = fileURLToPath(new URL('../../hub/test/servers/workshop.mjs', import.meta.url));
  return { command: process.execPath, args: [path], env };
}

/** A server on the SDK, which can send large results. */
export function sdkServer() {
  const path = join(inject('commands'), 'sdk.js');
  return { command: process.execPath, args: [path] };
}

/** A server with unusual results. */
export function oddities(env: Readonly<Record<string, string>> = {}) {
  const path = fileURLToPath(new URL('servers/oddities.mjs', import.meta.url));
  return { command: process.execPath, args: [path], env };
}

/** A server as read from a configuration file. Its tools need no consent unless `fields` change that. */
export function server(name: string, fields: Readonly<Record<string, unknown>> = {}): ServerConfig {
  const defaults = { type: 'stdio', server_parameters: workshop(), default_tool_meta: { auto_apply: true } };
  const { config, problems } = readConfig(JSON.stringify([{ name, ...defaults, ...fields }]), { file: `${name}.json` });
  const [found] = config?.servers ?? [];
  if (!found) throw new Error(problems.map(({ message }) => message).join('\n'));
  return found;
}

export function inputs(...definitions: readonly object[]): readonly InputDefinition[] {
  const { config, problems } = readConfig(JSON.stringify({ inputs: definitions }), { file: 'inputs.json' });
  if (!config) throw new Error(problems.map(({ message }) => message).join('\n'));
  return config.inputs;
}

export type TestComputer = Computer & { readonly log: LogLine[] };

/** A Computer that has booted and is closed after the test. */
export async function boot(options: Partial<ComputerOptions> = {}): Promise<TestComputer> {
  const logger = recorder();
  const computer = new Computer({ name: 'pc', mcpServers: [server('w')], env: {}, logger, ...options });
  onTestFinished(() => computer.close());
  await computer.boot();
  return Object.assign(computer, { log: logger.lines });
}

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'a2c-computer-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

// ── Offices ──

const silent = recorder();

export async function serve(options: Partial<ListenOptions> = {}): Promise<Listening> {
  const listening = await listen({ authenticate: allowAnonymous, port: 0, logger: silent, ...options });
  onTestFinished(() => listening.close());
  return listening;
}

/** A Socket.IO server without a signalling server, for messages that the real one never sends. */
export async function bareServer(
  onSocket: (socket: ServerSocket, connections: number) => void = () => {},
  options: Partial<ServerOptions> = {},
): Promise<{ readonly io: SocketServer; readonly url: string }> {
  const http = createHttpServer();
  const bare = new SocketServer(http, options);
  let connections = 0;
  bare.of(SMCP_NAMESPACE).on('connection', (socket) => onSocket(socket, ++connections));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void bare.close());
  return { io: bare, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

/** A plain Socket.IO client, because these tests check the messages on the wire. */
export async function dial(url: string, options: Partial<ManagerOptions & SocketOptions> = {}): Promise<Socket> {
  const socket = io(`${url}${SMCP_NAMESPACE}`, { forceNew: true, transports: ['websocket'], ...options });
  onTestFinished(() => void socket.disconnect());
  await once(socket as unknown as NodeJS.EventEmitter, 'connect');
  return socket;
}

export async function agentIn(
  url: string,
  office = 'o',
  name = 'a',
  options: Partial<ManagerOptions & SocketOptions> = {},
): Promise<Socket> {
  const socket = await dial(url, options);
  const [ok, reason] = await ask(socket, 'server:join_office', { role: 'agent', name, office_id: office });
  if (ok !== true) throw new Error(`join refused: ${reason}`);
  return socket;
}

export function linkOf(computer: Computer, url: string, options: Partial<OfficeLinkOptions> = {}): OfficeLink {
  const link = new OfficeLink(computer, { url, logger: recorder(), ...options });
  onTestFinished(() => link.disconnect());
  return link;
}

/** Waits for an event and returns its value. */
export function next<E extends keyof OfficeLinkEvents>(link: OfficeLink, event: E): Promise<OfficeLinkEvents[E]> {
  return new Promise((resolve) => {
    const off = link.on(event, (value) => {
      off();
      resolve(value);
    });
  });
}

export async function joined(
  computer: Computer,
  url: string,
  options: Partial<OfficeLinkOptions> = {},
  office = 'o',
): Promise<OfficeLink> {
  const link = linkOf(computer, url, options);
  await link.connect();
  await link.joinOffice(office);
  return link;
}

/** A Server with an Agent and a Computer in one office. */
export async function office(options: Partial<ComputerOptions> = {}, how: Partial<OfficeLinkOptions> = {}) {
  const [listening, computer] = await Promise.all([serve(), boot(options)]);
  const agent = await agentIn(listening.url);
  const wire = await wireTo(listening.url);
  const link = await joined(computer, wire.url, how);
  return { ...listening, computer, agent, link, wire };
}

export interface Wire {
  readonly url: string;
  /** Closes all connections. New ones are relayed, unless `staysCut` is set. */
  cut(staysCut?: boolean): void;
  mend(): void;
}

/** A TCP relay to a Server whose connections can be cut. */
export async function wireTo(url: string): Promise<Wire> {
  let isCut = false;
  const open = new Set<TcpSocket>();
  const proxy = createServer((socket) => {
    if (isCut) return void socket.destroy();
    const upstream = connect(Number(new URL(url).port), '127.0.0.1');
    for (const end of [socket, upstream]) {
      open.add(end);
      end.on('close', () => open.delete(end)).on('error', () => {});
    }
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const cut = (staysCut = false) => {
    isCut = staysCut;
    for (const socket of open) socket.destroy();
  };
  const mend = () => {
    isCut = false;
  };
  onTestFinished(() => {
    proxy.close();
    cut();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, cut, mend };
}

/** Sends a request and returns all arguments of its acknowledgement. */
export function ask(socket: Socket, event: string, payload: unknown, ms = WAIT_MS): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${event}: no acknowledgement within ${ms} ms`)), ms);
    socket.emit(event, payload, (...ack: unknown[]) => {
      clearTimeout(timer);
      resolve(ack);
    });
  });
}

export interface Answer {
  readonly [field: string]: unknown;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError: boolean;
  readonly meta?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly details: Record<string, unknown> };
}

export async function call(
  agent: Socket,
  tool_name: string,
  params: object = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const request = { agent: 'a', req_id: `r${Math.random()}`, computer: 'pc', tool_name, params, timeout: 60, ...more };
  const [answer] = await ask(agent, 'client:tool_call', request);
  return answer as Answer;
}

export function textOf({ content }: { readonly content: readonly object[] }): string {
  return content.map((block) => ('text' in block ? String(block.text) : '')).join('');
}

/** All events that a socket receives, in order. */
export function listenIn(socket: Socket): [event: string, payload: unknown][] {
  const heard: [string, unknown][] = [];
  socket.onAny((event: string, payload: unknown) => heard.push([event, payload]));
  return heard;
}

/** Waits until the condition is true. */
export async function until(condition: () => boolean | Promise<boolean>, ms = WAIT_MS): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`the condition was not true within ${ms} ms: ${condition}`);
    await settle(10);
  }
}

/**
 * A pause in which an unexpected event would usually arrive on loopback. Only for checks that something does not
 * happen: to wait for something that must happen, use `until` or `next`.
 */
export async function settle(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
