import type { ClientConfig, JsonObject } from '@a2c/config';
import { isRecord } from '@a2c/protocol';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
} from '@modelcontextprotocol/client';
import type { ServerRequestHandlers } from './client-handlers.js';
import type { MCPClientProtocol, ProtocolEra } from './mcp-client.js';

/**
 * A client behind the hub, such as a client of a proxy. Servers see its capabilities as if it were connected directly.
 * The handlers answer server requests that belong to none of its calls.
 */
export interface ServedClient extends ServerRequestHandlers {
  /** The protocol generation it speaks. A server that speaks both is used in this one. */
  readonly era: ProtocolEra;
  readonly capabilities: ClientCapabilities;
  /** Nothing connects its calls: each has a client of its own. */
  readonly isStateless: boolean;
  /** Where it connects from. Clients of one address have a common share of each server. */
  readonly address?: string | undefined;
  /** It sees the lists of each server as if it was connected directly, not those that all clients share. */
  readonly isDirect?: boolean | undefined;
  /** The lowest level of log messages it wants. Absent: what the server sends by default, or none if it is modern. */
  readonly logLevel?: string | undefined;
  /** Aborted when it has disconnected. Its connections are closed then. */
  readonly signal?: AbortSignal | undefined;
}

/** What a modern server must know about the client of a request: the keys of `_meta` that replace those of the hub. */
export function clientMeta(
  { capabilities, era, logLevel }: ServedClient,
  configured: ClientConfig | null,
  { capabilities: server }: MCPClientProtocol,
): JsonObject {
  // A legacy client that has set no level gets what the server sends.
  const level = logLevel ?? (era === 'legacy' ? 'debug' : undefined);
  const roots = configured?.roots && { roots: {} };
  return {
    [CLIENT_CAPABILITIES_META_KEY]: { ...configured?.capabilities, ...capabilities, ...roots } as JsonObject,
    ...(level !== undefined && server.logging && { [LOG_LEVEL_META_KEY]: level }),
  };
}

/** The keys of `_meta` of requests to modern servers. Those of the last request are kept: most calls repeat them. */
export class RequestMeta {
  readonly #configured: ClientConfig | null;
  #last: RequestMetaOf | undefined;

  constructor(configured: ClientConfig | null) {
    this.#configured = configured;
  }

  /**
   * Undefined: those of the connection apply. `awaitsTasks`: the hub waits for tasks that begin, also for clients that
   * know none.
   */
  of(client: ServedClient | undefined, opened: MCPClientProtocol, awaitsTasks: boolean): JsonObject | undefined {
    const last = this.#last;
    const isSame =
      last?.opened === opened &&
      last.capabilities === client?.capabilities &&
      last.logLevel === client?.logLevel &&
      last.era === client?.era &&
      last.awaitsTasks === awaitsTasks;
    if (isSame) return last.meta;
    const meta = requestMeta(client, this.#configured, opened, awaitsTasks);
    const { capabilities, logLevel, era } = client ?? {};
    this.#last = { opened, capabilities, logLevel, era, awaitsTasks, meta };
    return meta;
  }
}

interface RequestMetaOf {
  readonly opened: MCPClientProtocol;
  readonly capabilities: ClientCapabilities | undefined;
  readonly logLevel: string | undefined;
  readonly era: ProtocolEra | undefined;
  readonly awaitsTasks: boolean;
  readonly meta: JsonObject | undefined;
}

function requestMeta(
  client: ServedClient | undefined,
  configured: ClientConfig | null,
  opened: MCPClientProtocol,
  awaitsTasks: boolean,
): JsonObject | undefined {
  const meta = client && clientMeta(client, configured, opened);
  if (!awaitsTasks || opened.capabilities.extensions?.[TASKS_EXTENSION] === undefined) return meta;
  const declared = (meta?.[CLIENT_CAPABILITIES_META_KEY] ?? opened.declared ?? {}) as ClientCapabilities;
  const extensions = { ...declared.extensions, [TASKS_EXTENSION]: {} };
  return { ...meta, [CLIENT_CAPABILITIES_META_KEY]: { ...declared, extensions } as JsonObject };
}

/** The extension of MCP 2026-07-28 for tasks. */
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Whether a client knows the extension of MCP 2026-07-28 for tasks. */
export function declaresTasks({ capabilities }: ServedClient): boolean {
  return capabilities.extensions?.[TASKS_EXTENSION] !== undefined;
}

/** Equal for clients that declare the same. */
export function capabilityKey(capabilities: ClientCapabilities): string {
  return JSON.stringify(capabilities, (_key, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

/** True if the client can answer server requests. */
export function isInteractive({ capabilities: { elicitation, sampling, roots } }: ServedClient): boolean {
  return (elicitation ?? sampling ?? roots) !== undefined;
}
