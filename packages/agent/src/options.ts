import { type JoinOptions, LINK_LIMITS, type LinkLimits, type ServerOptions } from '@a2c/link';
import type { CallOptions } from '@a2c/protocol';

/** Limits of an Agent: times in milliseconds, sizes in bytes. */
export interface AgentLimits extends LinkLimits {
  /** How long `ready` waits for tool lists. Later ones arrive as events. */
  readonly discoveryMs: number;
  /** For requests without a timeout of their own: tool lists, configurations, desktops, rooms. */
  readonly queryMs: number;
  /** The Agent waits this much longer than the Computer, whose answer says more than a timeout of the Agent. */
  readonly graceMs: number;
  /** How long a call waits for a Computer that lost its connection during the call. */
  readonly absenceMs: number;
  /** Notifications about one Computer within this time are one. Some Servers send each under both of its names. */
  readonly coalesceMs: number;
  /** The total size of the blobs of one result. */
  readonly resultBytes: number;
  /** The size of the chunks in which a blob is fetched. */
  readonly chunkBytes: number;
  /** The size of the chunks in which a file is sent. In Base64 it must fit into one message of the Server. */
  readonly uploadChunkBytes: number;
}

/** Default limits. */
export const AGENT_LIMITS: AgentLimits = {
  ...LINK_LIMITS,
  discoveryMs: 10_000,
  queryMs: 30_000,
  graceMs: 5_000,
  absenceMs: 20_000,
  coalesceMs: 20,
  resultBytes: 256 * 2 ** 20,
  chunkBytes: 4 * 2 ** 20,
  uploadChunkBytes: 512 * 1_024,
};

/** Options of an `Agent`. */
export interface AgentOptions extends ServerOptions {
  /** The office to join. */
  readonly office: string;
  /** The name of this Agent in the office. Computers of older SDKs require the same text as the office. */
  readonly name: string;
  /**
   * Whether pending calls are repeated with the same `req_id` after a lost connection. Default true. When false they
   * fail with 503: use this for Computers that would run a repeated `req_id` again.
   */
  readonly retry?: boolean | undefined;
  readonly limits?: Partial<AgentLimits> | undefined;
}

/**
 * - `left`: in no office
 * - `joining`: the first join is pending
 * - `joined`: in an office
 * - `reconnecting`: the connection was lost; the Agent re-joins
 * - `closed`: closed by `close`, or ended by a final refusal (see `error`)
 */
export type AgentState = 'joining' | 'joined' | 'reconnecting' | 'left' | 'closed';

/** Options of `Agent.callTool`. Only Computers and Servers of a2c report progress. */
export interface AgentCallOptions extends CallOptions {
  /** Unique among the calls of this Agent. Reuse an id to get that call's result. Default: a random id. */
  readonly reqId?: string | undefined;
  /**
   * The `bundle_id` of the listed tool. A Computer of a2c then runs no tool of another MCP server that has this name
   * meanwhile. `callNamed` sends it by itself.
   */
  readonly bundleId?: string | undefined;
}

/** Options of `Agent.join`. */
export type AgentJoinOptions = Omit<JoinOptions, 'name'>;

/** Options of requests without a timeout of their own. */
export interface QueryOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of `Agent.ready`. */
export interface ReadyOptions extends QueryOptions {
  /** Wait for the tools of this Computer only. */
  readonly computer?: string | undefined;
}

/** Options of `Agent.resources`. */
export interface ResourceOptions extends QueryOptions {
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** Options of `Agent.getDesktop`. */
export interface DesktopOptions extends QueryOptions {
  /** The largest number of windows. */
  readonly size?: number | undefined;
  /** Only the window with this URI. */
  readonly window?: string | undefined;
}
