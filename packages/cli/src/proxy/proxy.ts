import { join } from 'node:path';
import { type ProxySettings, userCacheFolder } from '@a2c/config';
import type { ServedClient } from '@a2c/hub';
import { MCPProxy, type ProxyOptions, serveHttp, serveStdio, type Toolbox } from '@a2c/proxy';
import type { ConnectionOptions } from '../agent/agent-options.js';
import type { ConfigOptions } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { print, printError } from '../output.js';
import { a2c } from '../pasteable-command.js';
import type { PinChoice } from '../pin-options.js';
import { stopSignal } from '../process-signals.js';
import type { SkillChoice } from '../skill-options.js';
import type { Address } from './command.js';
import { configSource } from './config-source.js';
import { patternsOf, toolChoice } from './tool-choice.js';
import { warnOfUnmatchedPatterns } from './unmatched-patterns.js';

export interface ProxyCommandOptions extends ConfigOptions, ConnectionOptions, SkillChoice {
  readonly http?: Address;
  readonly token?: string;
  readonly allowedHost?: readonly string[];
  readonly allowedOrigin?: readonly string[];
  readonly passThrough?: true;
  readonly code?: 'on' | 'auto';
  readonly trustReadOnly?: true;
  readonly catalogueTokens?: number;
  readonly maxResult?: number;
  readonly structuredContent?: boolean;
  readonly pins: PinChoice;
  readonly mode?: 'two' | 'auto';
  readonly toolset?: string;
  readonly allowTool?: readonly string[];
  readonly denyTool?: readonly string[];
  readonly pinTool?: readonly string[];
  readonly queryTool?: true;
  readonly embeddingsUrl?: string;
  readonly embeddingsModel?: string;
  readonly embeddingsKey?: string;
}

/** Where the tools come from. Dispose of it to close its connections. */
export interface ToolSource extends AsyncDisposable {
  readonly toolbox: Toolbox;
  readonly settings: ProxySettings | null;
}

/** Serves until a signal or, on stdio, until the client closes the connection. */
export async function proxy(options: ProxyCommandOptions, from: 'config' | 'office'): Promise<void> {
  const stopped = stopSignal();
  const door = new Door();
  const stdio = options.http ? undefined : { onlyClient: door.client };
  await using source = await (from === 'office'
    ? (await import('./office-source.js')).officeSource(options)
    : configSource({ ...options, ...stdio, startAfter: door.answered }));
  const over = (toolset?: string) =>
    new MCPProxy(
      source.toolbox,
      proxyOptions({ ...options, ...(toolset !== undefined && { toolset }) }, source.settings),
    );
  const mcp = over();
  // With --toolset, clients have no other choice.
  const names = options.http && options.toolset === undefined ? Object.keys(source.settings?.toolsets ?? {}) : [];
  const toolsets = Object.fromEntries(names.map((name) => [name, over(name)]));
  const endWait = warnOfUnmatchedPatterns(source.toolbox, patternsOf(options, source.settings, names));
  try {
    await (options.http
      ? serveOverHttp(mcp, toolsets, options, options.http, door, stopped)
      : serveOverStdio(mcp, options, door, stopped));
  } finally {
    endWait();
    await Promise.all([mcp, ...Object.values(toolsets)].map((part) => part.close()));
  }
}

/** How long servers wait for the client on stdio, whose capabilities they see. Most clients write at once. */
const CLIENT_WAIT_MS = 1_000;

/** How long servers wait until the first list for the client on stdio is answered from the cache. */
const ANSWER_WAIT_MS = 500;

/** What servers wait for. */
class Door {
  /** The client on stdio; undefined after a time without one. */
  readonly client: Promise<ServedClient | undefined>;
  /** The first list of tools is answered, or was not requested for a time. */
  readonly answered: Promise<void>;
  onClient: (client?: ServedClient) => void = () => {};
  onAnswered: () => void = () => {};

  constructor() {
    this.client = new Promise((resolve) => {
      this.onClient = resolve;
    });
    this.answered = new Promise((resolve) => {
      this.onAnswered = resolve;
    });
    void this.client.then(() => setTimeout(this.onAnswered, ANSWER_WAIT_MS).unref());
  }

  /** The client is read from now on. Before, a slow start would be taken for a client that is silent. */
  open(): void {
    setTimeout(this.onClient, CLIENT_WAIT_MS).unref();
  }
}

/** Printed on a terminal, where a user would otherwise see no output. */
const TERMINAL_NOTE = `serving MCP on stdin and stdout, for an MCP client ("${a2c('config', 'export')}" prints its entry). Press Ctrl-C to stop.`;

async function serveOverStdio(
  mcp: MCPProxy,
  { passThrough }: ProxyCommandOptions,
  door: Door,
  stopped: Promise<void>,
): Promise<void> {
  if (process.stdin.isTTY) printError(TERMINAL_NOTE);
  const server = serveStdio(mcp, {
    passThrough: passThrough ?? false,
    onError: printClientError,
    onClient: door.onClient,
    onListed: door.onAnswered,
  });
  // In the next turn, what the client has written already is read.
  setImmediate(() => door.open());
  await Promise.race([server.closed, stopped]);
  await server.close();
}

async function serveOverHttp(
  mcp: MCPProxy,
  toolsets: Readonly<Record<string, MCPProxy>>,
  { passThrough, token, allowedHost, allowedOrigin, json }: ProxyCommandOptions,
  address: Address,
  door: Door,
  stopped: Promise<void>,
): Promise<void> {
  const server = await serveHttp(mcp, {
    ...address,
    toolsets,
    passThrough: passThrough ?? false,
    onError: printClientError,
    ...(token !== undefined && { token }),
    ...(allowedHost && { allowedHosts: allowedHost }),
    ...(allowedOrigin && { allowedOrigins: allowedOrigin }),
  }).catch((error: Error) => {
    throw new UsageError(error.message, { cause: error });
  });
  door.onAnswered();
  print(json ? JSON.stringify({ event: 'ready', url: server.url }) : `ready ${server.url}`);
  await stopped;
  await server.close();
}

/** Prints the error of an invalid client message on one line. */
function printClientError({ message }: Error): void {
  printError(message.replaceAll(/\s+/g, ' ').slice(0, MAX_ERROR));
}

const MAX_ERROR = 300;

/** Precedence: the command line, then the MCPX keys of the configuration, then the defaults. */
function proxyOptions(options: ProxyCommandOptions, settings: ProxySettings | null): Partial<ProxyOptions> {
  const given: Record<string, unknown> = {
    schemaCompression: settings?.schema_compression_enabled,
    maxDescriptionLength: settings?.max_description_len,
    toonCompression: settings?.toon_compression_enabled,
    toonMinSize: settings?.toon_compression_min_size,
    structuredContent: options.structuredContent ?? settings?.include_structured_content,
    catalogueTokens: options.catalogueTokens,
    maxResultLength: options.maxResult,
    code: options.code,
    mode: options.mode,
    queryTool: options.queryTool,
    embeddings: embeddingsFrom(options),
    ...toolChoice(options, settings),
    trustReadOnly: options.trustReadOnly,
  } satisfies { readonly [option in keyof ProxyOptions]?: unknown };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));
}

function embeddingsFrom({ embeddingsUrl: url, embeddingsModel: model, embeddingsKey: apiKey }: ProxyCommandOptions) {
  if (url === undefined && model === undefined) return undefined;
  if (url === undefined) throw new UsageError('--embeddings-model needs --embeddings-url: the endpoint');
  if (model === undefined) throw new UsageError('--embeddings-url needs --embeddings-model: the name of a model');
  if (!/^https?:/.test(url) || !URL.canParse(url)) throw new UsageError(`--embeddings-url: "${url}" is no HTTP URL`);
  return { url, model, apiKey, cacheFolder: join(userCacheFolder(), 'embeddings'), onWarning: printError };
}
