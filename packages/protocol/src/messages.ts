import type { AgentScope } from './agent-scope.js';
import type { ErrorAnswer, OfficeAck, ToolCallErrorAnswer } from './errors.js';
import type { NotificationEvent, RequestEvent } from './events.js';
import type { Generation } from './generations.js';

/** The role of a member. It does not change during a connection. */
export type Role = 'agent' | 'computer';

// ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The identity of a request. */
export interface AgentCallData {
  /** The name of the Agent. */
  agent: string;
  /** Unique per Agent. A repeated id returns the result of the first call; a cancellation refers to it. */
  req_id: string;
}

/** A request to one Computer in the office of the Agent. */
export interface ComputerRequest extends AgentCallData {
  computer: string;
  /** Set by the Server for Computers that adapt their answers: how the Agent speaks. */
  agent_generation?: Generation;
  /** Set by the Server if the Agent may not use all tools. The Computer refuses the others. */
  agent_scope?: AgentScope;
}

/** `client:tool_call`: runs a tool. */
export interface ToolCallReq extends ComputerRequest, ToolNamesPreference {
  tool_name: string;
  params: Record<string, unknown>;
  /** Seconds until the call fails with a timeout: a whole number, at least 1. */
  timeout: number;
  /**
   * Which parts of a large result may be blobs, to be fetched with `client:get_blob`. True: all parts; false: none;
   * absent: what the generation of the Agent reads (`GenerationRules.blobs`).
   */
  accept_blobs?: boolean;
  /**
   * The call was already sent this many milliseconds ago and may have run. A Computer that started later and does not
   * know the call must refuse it: its previous process may have run it.
   */
  repeated_after_ms?: number;
  /**
   * With `repeated_after_ms`: the epoch of the Computer's process when the call was first sent. Another process cannot
   * know whether the call has run, and does not run it.
   */
  computer_epoch?: string;
}

/**
 * The Agent wants and uses display names, also from 0.3 on. They are shorter, and a Computer of a2c keeps them unique.
 * Other Computers ignore this and list the names of their generation.
 */
export interface ToolNamesPreference {
  tool_names?: 'display';
}

/** `client:get_tools`: lists the tools of a Computer. */
export type GetToolsReq = ComputerRequest & ToolNamesPreference;
/** `client:get_config`: reads the configuration of a Computer. */
export type GetMCPConfigReq = ComputerRequest;

/** `client:get_desktop`: reads the windows of a Computer. */
export interface GetDesktopReq extends ComputerRequest {
  /** The maximum number of windows; absent means all, zero or less means none. */
  desktop_size?: number;
  /** Only the window with this URI. */
  window?: string;
}

/** `client:get_resources`: lists one page of the resources of an MCP server. */
export interface GetResourcesReq extends ComputerRequest {
  /** The bundle id of the MCP server; its name before 0.3. */
  mcp_server: string;
  /** The `next_cursor` of the previous page. */
  cursor?: string;
}

/** `client:get_skills`: lists the skills of a Computer. */
export type GetSkillsReq = ComputerRequest;

/** `client:get_skill`: reads a file of a skill. */
export interface GetSkillReq extends ComputerRequest {
  name: string;
  /** Path within the skill; `SKILL.md` when absent. */
  rel_path?: string;
}

/** `client:put_blob`: sends one chunk of a file to the Computer. The first chunk has no `upload_id`. */
export interface PutBlobReq extends ComputerRequest {
  upload_id?: string;
  /** The number of bytes sent before this chunk. */
  chunk_offset: number;
  /** Whether this is the last chunk. */
  eof: boolean;
  /** The bytes of the chunk, in Base64. */
  blob: string;
  /** The size of the whole file in bytes. First chunk only, like the next two. */
  total_size?: number;
  /** The digest of the whole file, in lower-case hex. */
  sha256?: string;
  /** Becomes part of the file name. */
  name_hint?: string;
}

/** `client:get_blob`: fetches one chunk of a blob. */
export interface GetBlobReq extends ComputerRequest {
  blob_handle: string;
  /** The first byte of the chunk; 0 when absent. */
  chunk_offset?: number;
  max_chunk_bytes?: number;
}

/** `server:join_office`: joins an office. */
export interface EnterOfficeReq {
  role: Role;
  name: string;
  office_id: string;
}

/** `server:leave_office`: leaves an office. The Server knows role and name from the connection; both are optional. */
export interface LeaveOfficeReq {
  office_id: string;
  role?: Role;
  name?: string;
}

/** Announces that the configuration, tool list or desktop of a Computer has changed. */
export interface UpdateReq {
  computer: string;
}

/** `server:update_config`: the configuration of a Computer has changed. */
export type UpdateMCPConfigReq = UpdateReq;
/** `server:update_tool_list`: the tools of a Computer have changed. */
export type UpdateToolListReq = UpdateReq;
/** `server:update_desktop`: the windows of a Computer have changed. */
export type DesktopRefreshReq = UpdateReq;

/** `server:update_skills`: the skills of a Computer have changed. */
export type UpdateSkillsReq = UpdateReq;

/** `server:tool_call_cancel`: cancels a pending tool call. */
export type ToolCallCancelReq = AgentCallData;

/** `server:list_room`: lists the members of an office. */
export interface ListRoomReq extends AgentCallData {
  office_id: string;
}

// ── Answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** An MCP content block. Blocks of unknown types pass through unchanged. */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * The result of a tool call in MCP's own shape. Every layer of a2c uses this type; only the wire differs
 * (`ToolCallRet`).
 */
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
  /** Called for each progress notification of the tool. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The type of a metadata value in tool lists. */
export type MetaScalar = string | number | boolean;

/** A tool as it is listed for Agents. */
export interface SMCPTool {
  /** The name to call it by. From 0.3 on it starts with the bundle id; an Agent must not split it. */
  name: string;
  /** The id of its MCP server. From 0.3 on. */
  bundle_id?: string;
  description: string;
  /** The JSON Schema of the arguments. */
  params_schema: Record<string, unknown>;
  /** The JSON Schema of the structured content; null when the tool has none. */
  return_schema: Record<string, unknown> | null;
  /** Scalars only: for one nested value a Python server drops the whole list. */
  meta: Record<string, MetaScalar>;
}

/** The answer to `client:get_tools`. */
export interface GetToolsRet {
  tools: SMCPTool[];
  req_id: string;
}

/** The answer to `client:get_config`. */
export interface GetMCPConfigRet {
  /**
   * The MCP servers by name, from 0.3 on by bundle id. The shape of the values depends on the Computer; secrets are
   * never included.
   */
  servers: Record<string, unknown>;
  inputs?: unknown[];
}

/** The answer to `client:get_desktop`. */
export interface GetDesktopRet {
  /** One text per window. */
  desktops: string[];
  req_id: string;
}

/** A resource of an MCP server. Absent fields are left out, never null. */
export interface A2CResource {
  uri: string;
  name: string;
  description?: string;
  mime_type?: string;
  size?: number;
  annotations?: { audience?: string[]; priority?: number; last_modified?: string };
  _meta?: Record<string, unknown>;
}

/** The answer to `client:get_resources`: one page. */
export interface GetResourcesRet {
  resources: A2CResource[];
  /** Absent on the last page. */
  next_cursor?: string;
  req_id: string;
}

/** A skill as it is listed. */
export interface A2CSkillRef {
  name: string;
  source: string;
  path: string;
  description: string;
  /** Skills of MCP servers only. */
  uri?: string;
  license?: string;
  compatibility?: string;
  allowed_tools?: string[];
  tags?: string[];
  version?: string;
  skill_metadata?: Record<string, unknown>;
}

/** The answer to `client:get_skills`. */
export interface GetSkillsRet {
  skills: A2CSkillRef[];
  req_id: string;
}

/** The answer to `client:get_skill`: the text of a small file, or the handle of a blob. */
export interface GetSkillRet {
  name: string;
  rel_path: string;
  mime_type: string;
  total_size: number;
  sha256: string;
  body?: string;
  blob_handle?: string;
  req_id: string;
}

/** The answer to `client:put_blob`. The last three fields are in the answer to the last chunk. */
export interface PutBlobRet {
  upload_id: string;
  chunk_offset: number;
  req_id: string;
  /** Where the file is, on the Computer. */
  landing_path?: string;
  total_size?: number;
  sha256?: string;
}

/** One option of a `pickString` input, from 0.3.2 on. Before, it was a text. */
export interface PickOption {
  label: string;
  value: string;
}

/** The answer to `client:get_blob`: one chunk. */
export interface GetBlobRet {
  blob_handle: string;
  mime_type: string;
  /** The size of the whole blob in bytes. */
  total_size: number;
  /** The digest of the whole blob, in hex. */
  sha256: string;
  chunk_offset: number;
  /** Whether this is the last chunk. */
  eof: boolean;
  /** The bytes of the chunk, in Base64. */
  blob: string;
  req_id: string;
}

/** A member of an office as the Server lists it. */
export interface SessionInfo {
  /** The id of the Socket.IO connection. */
  sid: string;
  name: string;
  role: Role;
  office_id: string;
  /** The protocol version that the member declared. */
  a2c_version?: string;
  /** A random id of the Computer's process. An Agent repeats a call with the epoch it was first sent to. */
  epoch?: string;
}

/** The answer to `server:list_room`. */
export interface ListRoomRet {
  sessions: SessionInfo[];
  req_id: string;
}

// ── Notifications ───────────────────────────────────────────────────────────────────────────────────────────────────

/** The member that joined or left: either `computer` or `agent` is set. */
export interface MembershipNotification {
  office_id: string;
  computer?: string;
  agent?: string;
  /** See {@link SessionInfo.epoch}. */
  epoch?: string;
}

/** `notify:enter_office`: a member has joined. */
export type EnterOfficeNotification = MembershipNotification;
/** `notify:leave_office`: a member has left. */
export type LeaveOfficeNotification = MembershipNotification;
/** `notify:update_config`: the configuration of a Computer has changed. */
export type UpdateMCPConfigNotification = UpdateReq;
/** `notify:update_tool_list`: the tools of a Computer have changed. */
export type UpdateToolListNotification = UpdateReq;
/** `notify:update_desktop`: the windows of a Computer have changed. */
export type DesktopRefreshNotification = UpdateReq;
/** `notify:update_skills`: the skills of a Computer have changed. */
export type UpdateSkillsNotification = UpdateReq;
/** `notify:tool_call_cancel`: an Agent cancels a tool call. */
export type ToolCallCancelNotification = AgentCallData;

// ── The contract: event → payload and acknowledgement ───────────────────────────────────────────────────────────────

/** A request that is answered with an object. */
export interface Exchange<Payload, Result, ErrorForm = ErrorAnswer, Wire = Result> {
  readonly payload: Payload;
  /** The parsed answer. */
  readonly result: Result;
  /** The arguments of the acknowledgement on the wire. */
  readonly ack: readonly [Wire | ErrorForm];
}

/** A request that is answered with `[ok, error]`. */
export interface OfficeExchange<Payload> {
  readonly payload: Payload;
  readonly result: undefined;
  readonly ack: OfficeAck;
}

/** A request that is answered only when it fails. */
export interface Announcement<Payload> {
  readonly payload: Payload;
  readonly result: undefined;
  readonly ack: readonly [error?: ErrorAnswer];
}

/** Payload, result and acknowledgement of every request. */
export interface RequestContract {
  'client:tool_call': Exchange<ToolCallReq, CallToolResult, ToolCallErrorAnswer, ToolCallRet>;
  'client:get_tools': Exchange<GetToolsReq, GetToolsRet>;
  'client:get_config': Exchange<GetMCPConfigReq, GetMCPConfigRet>;
  'client:get_desktop': Exchange<GetDesktopReq, GetDesktopRet>;
  'client:get_resources': Exchange<GetResourcesReq, GetResourcesRet>;
  'client:get_skills': Exchange<GetSkillsReq, GetSkillsRet>;
  'client:get_skill': Exchange<GetSkillReq, GetSkillRet>;
  'client:get_blob': Exchange<GetBlobReq, GetBlobRet>;
  'client:put_blob': Exchange<PutBlobReq, PutBlobRet>;
  'server:join_office': OfficeExchange<EnterOfficeReq>;
  'server:leave_office': OfficeExchange<LeaveOfficeReq>;
  'server:list_room': Exchange<ListRoomReq, ListRoomRet>;
  'server:tool_call_cancel': Announcement<ToolCallCancelReq>;
  'server:update_config': Announcement<UpdateMCPConfigReq>;
  'server:update_tool_list': Announcement<UpdateToolListReq>;
  'server:update_desktop': Announcement<DesktopRefreshReq>;
  'server:update_skills': Announcement<UpdateSkillsReq>;
}

/** The payload of every notification. */
export interface NotificationContract {
  'notify:enter_office': EnterOfficeNotification;
  'notify:leave_office': LeaveOfficeNotification;
  'notify:update_config': UpdateMCPConfigNotification;
  'notify:update_tool_list': UpdateToolListNotification;
  'notify:update_desktop': DesktopRefreshNotification;
  'notify:update_skills': UpdateSkillsNotification;
  'notify:tool_call_cancel': ToolCallCancelNotification;
}

/** The payload of a request. */
export type RequestOf<E extends RequestEvent> = RequestContract[E]['payload'];
/** The parsed answer to a request. */
export type ResultOf<E extends RequestEvent> = RequestContract[E]['result'];
/** The arguments of the acknowledgement of a request. */
export type AckOf<E extends RequestEvent> = RequestContract[E]['ack'];
/** The payload of a notification. */
export type NotificationOf<E extends NotificationEvent> = NotificationContract[E];
