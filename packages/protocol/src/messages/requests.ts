import type { AgentScope } from '../agent-scope.js';
import type { Generation } from '../generations.js';
import type { Progress } from './answers.js';

/** The role of a member. It does not change during a connection. */
export type Role = 'agent' | 'computer';

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
  /** Set by the Server if the Agent may not use all tools or MCP servers. The Computer hides and refuses the others. */
  agent_scope?: AgentScope;
}

/** `client:tool_call`: runs a tool. */
export interface ToolCallReq extends ComputerRequest, ToolNamesPreference {
  tool_name: string;
  /**
   * The MCP server of the tool, as in the tool list that the Agent has read. A Computer that knows this does not run a
   * tool of another server that has the name meanwhile.
   */
  bundle_id?: string;
  params: Record<string, unknown>;
  /** Seconds until the call fails with a timeout: a whole number, at least 1. */
  timeout: number;
  /**
   * Which parts of a large result may be blobs, to be fetched with `client:get_blob`. True: all parts; false: none;
   * absent: what the generation of the Agent reads (`GenerationRules.blobs`).
   */
  accept_blobs?: boolean;
  /** The Agent wants `notify:tool_call_progress`. Computers that do not know this report no progress. */
  progress?: boolean;
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

/** `server:tool_call_progress`: the progress of a call whose Agent wants it. */
export interface ToolCallProgressReq extends AgentCallData, Progress {
  computer: string;
}

/** `server:tool_call_cancel`: cancels a pending tool call. */
export type ToolCallCancelReq = AgentCallData;

/** `server:list_room`: lists the members of an office. */
export interface ListRoomReq extends AgentCallData {
  office_id: string;
}
