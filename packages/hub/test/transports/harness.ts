import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ServerConfig,
  type SseTransport,
  type StdioTransport,
  type StreamableHttpTransport,
  type Transport,
  TrustGuard,
  UNTRUSTED,
} from '@a2c/config';
import { Client, type ClientOptions, type RequestOptions } from '@modelcontextprotocol/client';
import { inject, onTestFinished } from 'vitest';
import { approveServer } from '../../src/clients/trust.js';
import {
  type BaseMCPClient,
  type ClientFactories,
  createClient,
  HUB_LIMITS,
  type ServerTransport,
  type TransportLimits,
} from '../../src/index.js';

/** How long to wait for something that must happen. Reached only by a failure, also on a loaded machine. */
const WAIT_MS = 60_000;

export const TRUSTED = new TrustGuard({ ...UNTRUSTED, trusted: true });

/** The file of a test server, such as `odd.mjs`. Those on the SDK are bundled, because many tests start them. */
export function script(name: string): string {
  if (name === 'sdk.mjs' || name === 'sse.mjs') return join(inject('commands'), name.replace('.mjs', '.js'));
  return fileURLToPath(new URL(`../servers/${name}`, import.meta.url));
}

/** A folder that is deleted when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function config(transport: Transport, more: Partial<ServerConfig> = {}): ServerConfig {
  return {
    name: 'test',
    transport,
    disabled: false,
    forbidden_tools: [],
    tool_meta: {},
    default_tool_meta: null,
    vrl: null,
    timeouts: { timeout: null, sse_read_timeout: null },
    origin: { file: '/mcp.json', format: 'v1' },
    ...more,
  };
}

export function stdio(argv: readonly [string, ...string[]], more: Partial<StdioTransport> = {}): StdioTransport {
  return {
    type: 'stdio',
    argv,
    env: {},
    env_file: null,
    inherit_env: true,
    cwd: null,
    encoding: 'utf-8',
    encoding_error_handler: 'strict',
    stdout_log: null,
    ...more,
  };
}

/** `odd.mjs` with these behaviours. */
export function odd(...behaviours: readonly string[]): StdioTransport {
  return stdio([process.execPath, script('odd.mjs'), ...behaviours]);
}

export function http(url: string, more: Partial<StreamableHttpTransport> = {}): StreamableHttpTransport {
  const nothing = { http_headers: {}, bearer_token_env_var: null, env_http_headers: {} };
  return { type: 'streamable_http', url, sse_url: null, terminate_on_close: true, ...nothing, ...more };
}

export function sse(url: string, more: Partial<SseTransport> = {}): SseTransport {
  return { type: 'sse', url, http_headers: {}, bearer_token_env_var: null, env_http_headers: {}, ...more };
}

export interface Opening {
  readonly guard?: TrustGuard;
  readonly root?: string;
  readonly limits?: Partial<TransportLimits>;
  readonly server?: Partial<ServerConfig>;
  /** Clients for custom transports. */
  readonly clients?: ClientFactories;
}

/** The transport that the client for this configuration creates. It is closed with the test. */
export async function open(transport: Transport, opening: Opening = {}): Promise<ServerTransport> {
  const { guard = TRUSTED, root = process.cwd(), limits, server, clients } = opening;
  const settings = config(transport, server);
  const options = {
    guard,
    root,
    limits: { ...HUB_LIMITS, ...limits },
    handlers: { clientInfo: { name: 'test', version: '1' }, client: null },
    knownEra: null,
    login: undefined,
    redact: (text: string) => text,
    redactStderr: (text: string) => text,
    onNotification: () => {},
    onWarning: () => {},
    onLost: () => {},
  };
  const client = createClient(settings, options, clients) as BaseMCPClient;
  await approveServer(guard, settings);
  const opened = (await client.createTransport()) as ServerTransport;
  onTestFinished(() => opened.close());
  return opened;
}

export interface Connected {
  readonly client: Client;
  readonly transport: ServerTransport;
}

const AUTO: ClientOptions = { versionNegotiation: { mode: 'auto', probe: { timeoutMs: WAIT_MS } } };

/** The SDK's client over an opened transport, in the newest generation the server speaks. */
export async function connect(
  transport: Transport,
  opening: Opening = {},
  options: ClientOptions = AUTO,
): Promise<Connected> {
  const opened = await open(transport, opening);
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(opened);
  return { client, transport: opened };
}

/** The text of a tool result. */
export async function call(client: Client, name: string, args: object = {}, options?: RequestOptions): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { ...args } }, options);
  const [block] = content as { readonly text?: string }[];
  return block?.text ?? '';
}

export interface Running {
  /** The address from the line `ready`. */
  readonly place: string;
  readonly pid: number;
  kill(): Promise<void>;
}

/** Starts a test server that the hub does not manage, until the test ends. */
export async function start(name: string, ...args: readonly string[]): Promise<Running> {
  const running = await startShared(name, ...args);
  onTestFinished(running.kill);
  return running;
}

/** Starts a test server for several tests; the last kills it. */
export async function startShared(name: string, ...args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [script(name), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const place = /^ready (\S+)$/m.exec(output)?.[1];
    if (place) return { place, pid: child.pid as number, kill };
  }
  throw new Error(`${name} ended before it was ready`);
}

/** True if a process runs. A zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until a condition is true. */
export async function until(condition: () => boolean | Promise<boolean>, what: string, ms = WAIT_MS): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
