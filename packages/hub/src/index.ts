// The package's door: everything public, by name.

export type { ArgumentProblem, CallToolResult, ContentBlock, Progress } from '@a2c/protocol';
export { signatureOf } from './calls/signature.js';
export type { Era } from './connection/connection.js';
export type { Answerers, ElicitHandler, QuestionContext, RootsHandler, SampleHandler } from './connection/our-side.js';
export { HubError, type HubErrorKind, ToolNameDuplicatedError } from './errors.js';
export { HUB_LIMITS, type HubLimits } from './limits.js';
export type { StartPolicy } from './managed-server.js';
export { MCPServerManager } from './manager.js';
export type { CallOptions, HubEvents, ManagerOptions, RequestOptions } from './manager-options.js';
export { MCP_VERSIONS } from './mcp-versions.js';
export type { ServerState } from './state-machine.js';
export type { ServerStatus } from './status.js';
export type { ListedTool } from './tools/parse-tool.js';
export type { AvailableTool } from './tools/tool-table.js';
export type { TransportDiagnostics } from './transports/server-transport.js';
export { VERSION } from './version.js';
