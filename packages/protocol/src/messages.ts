import type { ErrorAnswer, OfficeAck, ToolCallErrorAnswer } from './errors.js';
import type { NotificationEvent, RequestEvent } from './events.js';

/** A member of a room is one or the other, for the life of its connection. */
export type Role = 'agent' | 'computer';

// ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** `req_id` is unique within its agent; it de-duplicates, and it names the call to cancel. */
export interface AgentCallData {
  agent: string;
  req_id: string;
}

/** A request for one Computer of the caller's room, addressed by name. */
export interface ComputerRequest extends AgentCallData {
  computer: string;
}

export interface ToolCallReq extends ComputerRequest {
  tool_name: string;
  params: Record<string, unknown>;
  /** Whole seconds, at least one. */
  timeout: number;
  /** The Agent can pull what is too large for one message with `client:get_blob`; without it such a result is an error. */
  accept_blobs?: boolean;
  /**
   * This call was sent before, so many milliseconds ago, and may have been run. A Computer that does not know it and has not
   * been there so long must not run it: a former process of it may have.
   */
  repeated_after_ms?: number;
}

export type GetToolsReq = ComputerRequest;
export type GetMCPConfigReq = ComputerRequest;

export interface GetDesktopReq extends ComputerRequest {
  /** How many windows at most; absent means all, zero or less means none. */
  desktop_size?: number;
  /** Only the window with exactly this URI. */
  window?: string;
}

/** Bytes that were too large for the answer they belong to, piece by piece. */
export interface GetBlobReq extends ComputerRequest {
  blob_handle: string;
  /** Where the piece starts; 0 when absent. */
  chunk_offset?: number;
  max_chunk_bytes?: number;
}

export interface EnterOfficeReq {
  role: Role;
  name: string;
  office_id: string;
}

/** Who leaves is known from the connection; ours say it all the same, as the document asks. */
export interface LeaveOfficeReq {
  office_id: string;
  role?: Role;
  name?: string;
}

/** One payload for "my configuration / tool list / desktop changed". */
export interface UpdateReq {
  computer: string;
}

export type UpdateMCPConfigReq = UpdateReq;
export type UpdateToolListReq = UpdateReq;
export type DesktopRefreshReq = UpdateReq;

export type ToolCallCancelReq = AgentCallData;

export interface ListRoomReq extends AgentCallData {
  office_id: string;
}

// ── Answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** An MCP content block. Blocks of unknown types pass through unchanged. */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The result of a tool call in MCP's own shape. Every layer of a2c uses this type; only the wire differs (`ToolCallRet`). */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** A tool result on the A2C-SMCP wire: the metadata of the result is `meta`; content blocks keep `_meta`. */
export interface ToolCallRet {
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly structuredContent?: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** One argument that does not match the input schema of a tool. */
export interface ArgumentProblem {
  /** Path of the argument, such as `edits[0].path`; empty for the arguments as a whole. */
  readonly path: string;
  /** What is wrong, such as `expected string, got number`. */
  readonly message: string;
}

/** Progress of a running request, as MCP reports it. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Options of one tool call. Agent, Computer, hub and proxy extend this interface; they do not repeat it. */
export interface CallOptions {
  /** Seconds until the call fails with a timeout. */
  readonly timeout?: number | undefined;
  /** Aborting it cancels the call. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export type MetaScalar = string | number | boolean;

export interface SMCPTool {
  name: string;
  description: string;
  params_schema: Record<string, unknown>;
  return_schema: Record<string, unknown> | null;
  /** Scalars only: one nested value makes a Python server drop the whole list. */
  meta: Record<string, MetaScalar>;
}

export interface GetToolsRet {
  tools: SMCPTool[];
  req_id: string;
}

export interface GetMCPConfigRet {
  /** By server name. The Computer that answers defines what stands inside; secrets never do. */
  servers: Record<string, unknown>;
  inputs?: unknown[];
}

export interface GetDesktopRet {
  desktops: string[];
  req_id: string;
}

export interface GetBlobRet {
  blob_handle: string;
  mime_type: string;
  total_size: number;
  /** Of the whole, in hex; to be checked when all pieces are there. */
  sha256: string;
  chunk_offset: number;
  /** This piece is the last one. */
  eof: boolean;
  /** Base64. */
  blob: string;
  req_id: string;
}

export interface SessionInfo {
  sid: string;
  name: string;
  role: Role;
  office_id: string;
  a2c_version?: string;
}

export interface ListRoomRet {
  sessions: SessionInfo[];
  req_id: string;
}

// ── Notifications ───────────────────────────────────────────────────────────────────────────────────────────────────

/** The member that came or went, under `computer` or under `agent`. */
export interface MembershipNotification {
  office_id: string;
  computer?: string;
  agent?: string;
}

export type EnterOfficeNotification = MembershipNotification;
export type LeaveOfficeNotification = MembershipNotification;
export type UpdateMCPConfigNotification = UpdateReq;
export type UpdateToolListNotification = UpdateReq;
export type DesktopRefreshNotification = UpdateReq;
export type ToolCallCancelNotification = AgentCallData;

// ── The contract: event → payload and acknowledgement ───────────────────────────────────────────────────────────────

interface Exchange<Payload, Result, ErrorForm = ErrorAnswer, Wire = Result> {
  readonly payload: Payload;
  /** What a good answer is once parsed. */
  readonly result: Result;
  /** The arguments of the acknowledgement as they stand on the wire. */
  readonly ack: readonly [Wire | ErrorForm];
}

interface OfficeExchange<Payload> {
  readonly payload: Payload;
  readonly result: undefined;
  readonly ack: OfficeAck;
}

/** Nothing is answered to an announcement, unless it was wrong. */
interface Announcement<Payload> {
  readonly payload: Payload;
  readonly result: undefined;
  readonly ack: readonly [error?: ErrorAnswer];
}

interface Contract {
  'client:tool_call': Exchange<ToolCallReq, CallToolResult, ToolCallErrorAnswer, ToolCallRet>;
  'client:get_tools': Exchange<GetToolsReq, GetToolsRet>;
  'client:get_config': Exchange<GetMCPConfigReq, GetMCPConfigRet>;
  'client:get_desktop': Exchange<GetDesktopReq, GetDesktopRet>;
  'client:get_blob': Exchange<GetBlobReq, GetBlobRet>;
  'server:join_office': OfficeExchange<EnterOfficeReq>;
  'server:leave_office': OfficeExchange<LeaveOfficeReq>;
  'server:list_room': Exchange<ListRoomReq, ListRoomRet>;
  'server:tool_call_cancel': Announcement<ToolCallCancelReq>;
  'server:update_config': Announcement<UpdateMCPConfigReq>;
  'server:update_tool_list': Announcement<UpdateToolListReq>;
  'server:update_desktop': Announcement<DesktopRefreshReq>;
}

interface NotificationContract {
  'notify:enter_office': EnterOfficeNotification;
  'notify:leave_office': LeaveOfficeNotification;
  'notify:update_config': UpdateMCPConfigNotification;
  'notify:update_tool_list': UpdateToolListNotification;
  'notify:update_desktop': DesktopRefreshNotification;
  'notify:tool_call_cancel': ToolCallCancelNotification;
}

export type RequestOf<E extends RequestEvent> = Contract[E]['payload'];
export type ResultOf<E extends RequestEvent> = Contract[E]['result'];
export type AckOf<E extends RequestEvent> = Contract[E]['ack'];
export type NotificationOf<E extends NotificationEvent> = NotificationContract[E];
