// Public exports of the package, by name.

export {
  type Auth,
  type AuthSource,
  ConnectionLost,
  type JoinOptions,
  type LinkLimits,
  NoAnswer,
  OptionsError,
  type RetryOptions,
  type ServerOptions,
  type TlsOptions,
  type Transport,
} from '@a2c/link';
export {
  type A2CResource,
  type A2CSkillRef,
  type CallOptions,
  type CallToolResult,
  type ContentBlock,
  type Execution,
  executionOf,
  type Generation,
  type GetMCPConfigRet,
  readToolServer,
  type SessionInfo,
  SMCPError,
  type SMCPTool,
} from '@a2c/protocol';
export { Agent } from './agent.js';
export type {
  LandedFile,
  PutBlobOptions,
  ResourceContents,
  ResourcePage,
  SkillFile,
} from './files/computer-files.js';
export type { AgentEvents, RemoteComputer } from './office/remote-computer.js';
export {
  AGENT_LIMITS,
  type AgentCallOptions,
  type AgentJoinOptions,
  type AgentLimits,
  type AgentOptions,
  type AgentState,
  type DesktopOptions,
  type QueryOptions,
  type ReadyOptions,
  type ResourceOptions,
} from './options.js';
export {
  type AISDKSchema,
  type AISDKSchemaSource,
  type AISDKTool,
  type AnthropicTool,
  type MCPToolDefinition,
  type OpenAITool,
  toMCPTool,
} from './tools/adapters.js';
export type { JsonSchema } from './tools/model-schema.js';
export {
  type AISDKContent,
  type AISDKOutput,
  type AnthropicImage,
  type AnthropicMessage,
  type AnthropicToolResult,
  type ModelCallResult,
  type OpenAIAudio,
  type OpenAIImage,
  type OpenAIMessage,
  type OpenAIPart,
  toAnthropicMessage,
  toOpenAIMessages,
} from './tools/results.js';
export type { AgentTool } from './tools/tool-index.js';
