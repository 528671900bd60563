import type { ProxySettings } from '@a2c/config';
import { MCPProxy, type ProxyOptions, serveHttp, serveStdio, type Toolbox } from '@a2c/proxy';
import type { ConnectionOptions } from '../agent/agent-options.js';
import type { ConfigOptions } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { print, printError } from '../output.js';
import { a2c } from '../own-command.js';
import { stopSignal } from '../signals.js';
import type { Address } from './command.js';
import { configSource } from './config-source.js';
import { officeSource } from './office-source.js';

export interface ProxyCommandOptions extends ConfigOptions, ConnectionOptions {
  readonly http?: Address;
  readonly token?: string;
  readonly allowedHost?: readonly string[];
  readonly allowedOrigin?: readonly string[];
  readonly passThrough?: true;
  readonly catalogueTokens?: number;
  readonly maxResult?: number;
  readonly structuredContent: boolean;
}

/** Where the tools come from. Disposing of it ends what it started. */
export interface ToolSource extends AsyncDisposable {
  readonly toolbox: Toolbox;
  readonly settings: ProxySettings | null;
}

/** Serves until a signal, or on stdio until the client has gone. */
export async function proxy(options: ProxyCommandOptions, from: 'config' | 'office'): Promise<void> {
  const stopped = stopSignal();
  await using source = await (from === 'office' ? officeSource(options) : configSource(options));
  const mcp = new MCPProxy(source.toolbox, proxyOptions(options, source.settings));
  try {
    await (options.http ? serveOverHttp(mcp, options, options.http, stopped) : serveOverStdio(mcp, options, stopped));
  } finally {
    mcp.close();
  }
}

/** Who types this command would see nothing happen, and wait. */
const TO_A_PERSON = `speaking MCP on stdin and stdout; an MCP client starts this ("${a2c('config', 'export')}" prints its entry). Ctrl-C ends it.`;

async function serveOverStdio(
  mcp: MCPProxy,
  { passThrough }: ProxyCommandOptions,
  stopped: Promise<void>,
): Promise<void> {
  if (process.stdin.isTTY) printError(TO_A_PERSON);
  const face = serveStdio(mcp, { passThrough: passThrough ?? false, onError: tell });
  await Promise.race([face.closed, stopped]);
  await face.close();
}

async function serveOverHttp(
  mcp: MCPProxy,
  { passThrough, token, allowedHost, allowedOrigin, json }: ProxyCommandOptions,
  address: Address,
  stopped: Promise<void>,
): Promise<void> {
  const face = await serveHttp(mcp, {
    ...address,
    passThrough: passThrough ?? false,
    onError: tell,
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

/** What a client sent that makes no sense, on one line. */
function tell({ message }: Error): void {
  printError(message.replaceAll(/\s+/g, ' ').slice(0, MAX_ERROR));
}

const MAX_ERROR = 300;

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
