import { join } from 'node:path';
import {
  formatProblem,
  InputResolver,
  type LoadedConfig,
  type ProxySettings,
  resolveServer,
  TrustGuard,
  userCacheFolder,
} from '@a2c/config';
import { MCPServerManager } from '@a2c/hub';
import { HubToolbox, McpProxy, type ProxyOptions, serveHttp, serveStdio } from '@a2c/proxy';
import { type ConfigOptions, loadFrom, policyFrom } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { print, printError } from '../output.js';
import { stopSignal } from '../signals.js';
import type { Address } from './command.js';

export interface ProxyCommandOptions extends ConfigOptions {
  readonly http?: Address;
  readonly token?: string;
  readonly allowedHost?: readonly string[];
  readonly allowedOrigin?: readonly string[];
  readonly passThrough?: true;
  readonly catalogueTokens?: number;
  readonly maxResult?: number;
  readonly structuredContent: boolean;
}

/** Serves until a signal, or on stdio until the client has gone. */
export async function proxy(options: ProxyCommandOptions): Promise<void> {
  const loaded = await loadFrom(options);
  for (const warning of loaded.warnings) printError(formatProblem(warning));
  const stopped = stopSignal();
  await using hub = await hubFor(options, loaded);
  void hub.startAll(); // Each server's state says how it went; nobody waits for the slowest.
  const toolbox = new HubToolbox(hub);
  const mcp = new McpProxy(toolbox, proxyOptions(options, loaded.proxy));
  try {
    await (options.http ? serveOverHttp(mcp, options, options.http, stopped) : serveOverStdio(mcp, options, stopped));
  } finally {
    mcp.close();
    toolbox.close();
  }
}

async function serveOverStdio(
  mcp: McpProxy,
  { passThrough }: ProxyCommandOptions,
  stopped: Promise<void>,
): Promise<void> {
  const face = serveStdio(mcp, { passThrough: passThrough ?? false, onError: ({ message }) => printError(message) });
  await Promise.race([face.closed, stopped]);
  await face.close();
}

async function serveOverHttp(
  mcp: McpProxy,
  { passThrough, token, allowedHost, allowedOrigin, json }: ProxyCommandOptions,
  address: Address,
  stopped: Promise<void>,
): Promise<void> {
  const face = await serveHttp(mcp, {
    ...address,
    passThrough: passThrough ?? false,
    onError: ({ message }) => printError(message),
    ...(token !== undefined && { token }),
    ...(allowedHost && { allowedHosts: allowedHost }),
    ...(allowedOrigin && { allowedOrigins: allowedOrigin }),
  }).catch((error: Error) => {
    throw new UsageError(error.message, { cause: error });
  });
  print(json ? JSON.stringify({ event: 'ready', url: face.url }) : `ready ${face.url}`);
  await stopped;
  await face.close();
}

/** The configured servers, known but not started. Whoever names a file means it: there is no other way to say so in MCPX. */
async function hubFor(options: ProxyCommandOptions, loaded: LoadedConfig): Promise<MCPServerManager> {
  const { root } = loaded.source;
  const trust = options.trust ?? (options.config === undefined ? undefined : true);
  const guard = new TrustGuard(await policyFrom({ ...options, ...(trust && { trust }) }, loaded));
  const inputs = new InputResolver(loaded.inputs);
  const hub = new MCPServerManager({
    ...HubToolbox.answerers,
    guard,
    root,
    autoConnect: false,
    client: loaded.client,
    cacheFolder: join(userCacheFolder(), 'tools'),
    prepare: (server) => resolveServer(server, { trusted: guard.policy.trusted, root, inputs }),
  });
  hub.on('warning', ({ server, message }) => printError(`${server}: ${message}`));
  hub.on('state', ({ server, state, cause }) => {
    if (state === 'error' && cause) printError(`${server}: ${cause}`);
  });
  await hub.initialize(loaded.servers);
  return hub;
}

/** The command line has the last word, then the keys of MCPX, then the defaults. */
function proxyOptions(options: ProxyCommandOptions, settings: ProxySettings | null): Partial<ProxyOptions> {
  const said: Record<string, unknown> = {
    schemaCompression: settings?.schema_compression_enabled,
    maxDescriptionLength: settings?.max_description_len,
    toonCompression: settings?.toon_compression_enabled,
    toonMinSize: settings?.toon_compression_min_size,
    structuredContent: options.structuredContent ? settings?.include_structured_content : false,
    catalogueTokens: options.catalogueTokens,
    maxResultLength: options.maxResult,
  } satisfies { readonly [option in keyof ProxyOptions]?: unknown };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined && value !== null));
}
