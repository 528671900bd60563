import type { Role } from './requests.js';

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
