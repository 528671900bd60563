// The package's door: everything public, by name.

export {
  type CallToolResult,
  type ContentBlock,
  type Dialect,
  type GetMCPConfigRet,
  OptionsError,
  readToolServer,
  type SessionInfo,
  SMCPError,
  type SMCPTool,
} from '@a2c/protocol';
export { Agent, type CallOptions, type DesktopOptions, type QueryOptions } from './agent.js';
export type { AgentState } from './link/link.js';
export type { AgentEvents, RemoteComputer } from './office/remote-computer.js';
export {
  type AgentLimits,
  type AgentOptions,
  type Auth,
  type AuthSource,
  DEFAULT_LIMITS,
  type TlsOptions,
  type Transport,
} from './options.js';
export {
  type AISDKTool,
  type AnthropicTool,
  type MCPToolDefinition,
  type OpenAITool,
  toMCPTool,
} from './tools/adapters.js';
export type { AgentTool } from './tools/catalogue.js';
