import type { JsonObject, ServerConfig, TrustGuard } from '@a2c/config';
import type { ServerLogin } from '@a2c/login';
import type { Progress } from '@a2c/protocol';
import {
  type ClientCapabilities,
  type Implementation,
  type ServerCapabilities,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client';
import type { Cancellation } from '../cancellation.js';
import type { HubError } from '../errors.js';
import type { HubLimits } from '../limits.js';
import type { TransportDiagnostics } from '../transports/server-transport.js';
import type { ClientHandlers, ServerRequestHandlers } from './client-handlers.js';

/** The protocol generation of a server: `legacy` up to MCP 2025-11-25, `modern` from 2026-07-28. */
export type ProtocolEra = 'legacy' | 'modern';

/** The versions of MCP that the hub supports, newest first. */
export const MCP_VERSIONS: readonly string[] = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS];

/** Options of one request to an MCP server. */
export interface ClientRequestOptions {
  /** Aborting it cancels the request at the server. */
  readonly signal: AbortSignal;
  /** The same, for clients that can do without a signal: creating one for each call is costly. */
  readonly cancellation?: Cancellation | undefined;
  /** Additional HTTP headers, for transports that have headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Receives the progress notifications of the request. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Answer the server requests that belong to this request. */
  readonly handlers?: ServerRequestHandlers | undefined;
}

/** One connection to one MCP server, as the hub uses it. {@link BaseMCPClient} implements it for any transport. */
export interface MCPClientProtocol {
  /** The configuration, with placeholders filled in. It contains secrets. */
  readonly server: ServerConfig;
  /** False after the connection was lost or closed. */
  readonly isOpen: boolean;
  readonly era: ProtocolEra;
  /** True if a URL that is configured as Streamable HTTP serves only HTTP with SSE. */
  readonly usesSse?: boolean;
  readonly protocolVersion: string | null;
  readonly capabilities: ServerCapabilities;
  /** What the connection declares to the server, which may list less to a client that can do less. */
  readonly declared?: ClientCapabilities;
  readonly serverInfo: Implementation | null;
  readonly instructions: string | null;
  readonly diagnostics: TransportDiagnostics;
  /** True if the server has assigned a session id. */
  readonly hasSession: boolean;
  /** Establishes the connection. A client connects once; the hub creates a new client for every start. */
  connect(signal: AbortSignal): Promise<void>;
  /** Sends any request and returns its result unchanged. Rejects with a `HubError` or the reason of the signal. */
  request(method: string, params: JsonObject, options: ClientRequestOptions): Promise<JsonObject>;
  /** Sends a notification. */
  notify(method: string, params: JsonObject): Promise<void>;
  /** Modern servers: subscribes to list changes and to these resources, in place of the previous subscription. */
  listen(uris: readonly string[]): Promise<void>;
  /** Closes after the pending requests have been answered. */
  drain(): Promise<void>;
  /** Closes at once. Pending requests fail. */
  close(): Promise<void>;
}

/** What reading the lists of a server needs. */
export type ListingClient = Pick<
  MCPClientProtocol,
  'capabilities' | 'declared' | 'era' | 'instructions' | 'request' | 'server'
>;

/** What the hub passes to a client: its environment and its callbacks. */
export interface MCPClientOptions {
  /** Must approve every address that is dialled. */
  readonly guard: TrustGuard;
  /** The folder that relative paths start from. */
  readonly root: string;
  readonly limits: HubLimits;
  /** Client info, capabilities and the handlers of server requests. */
  readonly handlers: ClientHandlers;
  /** The protocol generation of an earlier run; null if unknown. */
  readonly knownEra: ProtocolEra | null;
  /** Provides the access token of an HTTP server; undefined if its configuration has credentials. */
  readonly login: ServerLogin | undefined;
  /** Removes the secrets of the configuration and the login from a text. */
  readonly redact: (text: string) => string;
  /** As `redact`, for what the program wrote to stderr. */
  readonly redactStderr: (stderr: string) => string;
  /** Receives every notification of the server. */
  readonly onNotification: (client: MCPClientProtocol, method: string, params: JsonObject) => void;
  /** The program of the server wrote to stderr. */
  readonly onOutput?: () => void;
  /** Receives problems that do not end the connection. */
  readonly onWarning: (message: string) => void;
  /** The connection was lost. Not called after `close()`. */
  readonly onLost: (client: MCPClientProtocol, error: HubError) => void;
}

/** Creates the client of one server: `(server, options) => new MyMCPClient(server, options)`. */
export type ClientFactory = (server: ServerConfig, options: MCPClientOptions) => MCPClientProtocol;
