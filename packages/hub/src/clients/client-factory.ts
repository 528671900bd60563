import { connect } from 'node:net';
import {
  type ServerConfig,
  type SseTransport as SseConfig,
  type StdioTransport as StdioConfig,
  type StreamableHttpTransport as StreamableHttpConfig,
  secretValues,
  type Transport,
  type TransportType,
  type UnixTransport as UnixConfig,
} from '@a2c/config';
import { SdkHttpError } from '@modelcontextprotocol/client';
import { HubError } from '../errors.js';
import type { HttpTransportOptions } from '../transports/http/http-base-transport.js';
import { HttpTransport } from '../transports/http/http-transport.js';
import { SseTransport } from '../transports/http/sse-transport.js';
import type { ServerTransport } from '../transports/server-transport.js';
import { checkSocketPath, SocketTransport } from '../transports/socket-transport.js';
import { StdioTransport } from '../transports/stdio-transport.js';
import { BaseMCPClient } from './base-client.js';
import type { ClientFactory, MCPClientOptions, MCPClientProtocol } from './mcp-client.js';

/** The server is a child process; messages are lines on its stdin and stdout. */
class StdioMCPClient extends BaseMCPClient {
  override createTransport(): Promise<ServerTransport> {
    const { root, limits, onOutput } = this.options;
    return StdioTransport.prepare(this.server.transport as StdioConfig, root, limits, onOutput);
  }
}

/** Messages are lines on a unix socket. */
class UnixMCPClient extends BaseMCPClient {
  override async createTransport(): Promise<ServerTransport> {
    const { unix_path } = this.server.transport as UnixConfig;
    checkSocketPath(unix_path);
    const endpoint = { name: `the socket ${unix_path}`, connect: () => connect(unix_path) };
    return new SocketTransport(endpoint, this.options.limits);
  }
}

/** Streamable HTTP, over TCP or a unix socket. A server that accepts no POST is tried as HTTP with SSE. */
class HttpMCPClient extends BaseMCPClient {
  #isSse = false;

  get usesSse(): boolean {
    return this.#isSse;
  }

  override async createTransport(): Promise<ServerTransport> {
    const transport = this.server.transport as StreamableHttpConfig;
    const options = httpOptions(this.server, this.options);
    return this.#isSse
      ? new SseTransport({ ...transport, type: 'sse' }, options)
      : new HttpTransport(transport, options);
  }

  protected override get isLegacyTransport(): boolean {
    return this.#isSse;
  }

  override async connect(signal: AbortSignal): Promise<void> {
    try {
      await super.connect(signal);
    } catch (error) {
      if (signal.aborted || this.#isSse || !acceptsNoPost(error)) throw error;
      this.#isSse = true;
      try {
        await super.connect(signal);
      } catch {
        // It serves neither; the first answer says more.
        this.#isSse = false;
        throw error;
      }
    }
  }
}

/** The answers of servers of 2024-11-05 to a POST. */
function acceptsNoPost(error: unknown): boolean {
  return error instanceof SdkHttpError && [404, 405].includes(error.status ?? 0);
}

/** HTTP with SSE, the transport of MCP 2024-11-05. */
class SseMCPClient extends BaseMCPClient {
  override async createTransport(): Promise<ServerTransport> {
    return new SseTransport(this.server.transport as SseConfig, httpOptions(this.server, this.options));
  }
}

/** The client of each transport type. A new transport is one class and one line here. */
const BUILT_IN_CLIENTS: Readonly<Record<TransportType, ClientFactory>> = {
  stdio: (server, options) => new StdioMCPClient(server, options),
  unix: (server, options) => new UnixMCPClient(server, options),
  streamable_http: (server, options) => new HttpMCPClient(server, options),
  sse: (server, options) => new SseMCPClient(server, options),
};

/** Clients by transport type. They add to the built-in ones or replace them. */
export type ClientFactories = Readonly<Record<string, ClientFactory>>;

/**
 * Creates the client for the transport type of a server.
 *
 * @throws HubError of kind `refused` if there is no client for the transport type
 */
export function createClient(
  server: ServerConfig,
  options: MCPClientOptions,
  clients: ClientFactories = {},
): MCPClientProtocol {
  const { type } = server.transport;
  const factories: ClientFactories = { ...BUILT_IN_CLIENTS, ...clients };
  const factory = Object.hasOwn(factories, type) ? factories[type] : undefined;
  if (factory) return factory(server, options);
  const message = `server "${server.name}" has the transport type "${type}", which is unknown: register a client for it with the option "clients"`;
  throw new HubError('refused', message, { server: server.name });
}

/** The settings of a server with a custom transport; the rest is as in `ServerConfig`. */
export interface CustomServer extends Partial<Omit<ServerConfig, 'transport'>> {
  readonly name: string;
  /** `type` selects the client; the other fields are for the client. Placeholders in them are not filled in. */
  readonly transport: { readonly type: string; readonly [field: string]: unknown };
}

/**
 * Builds the configuration of a server with a custom transport, for a client registered with the option `clients`.
 *
 * @example
 * ```ts
 * import { customServer } from '@a2c/hub';
 *
 * export const server = customServer({ name: 'calculator', transport: { type: 'tcp', port: 7700 } });
 * ```
 */
export function customServer({ transport, ...settings }: CustomServer): ServerConfig {
  return {
    disabled: false,
    forbidden_tools: [],
    tool_meta: {},
    default_tool_meta: null,
    vrl: null,
    timeouts: { timeout: null, sse_read_timeout: null },
    origin: { file: '', format: 'v1' },
    ...settings,
    transport: transport as unknown as Transport,
  };
}

function httpOptions(config: ServerConfig, { guard, limits, login }: MCPClientOptions): HttpTransportOptions {
  const { name, timeouts } = config;
  return { server: name, guard, limits, timeouts, secrets: secretValues(config), login };
}
