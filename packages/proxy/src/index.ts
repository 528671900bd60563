// The public API of the package, by name.

export type { CallOptions, CallToolResult, ContentBlock, Progress } from '@a2c/protocol';
export type { SandboxLimits } from '@a2c/sandbox';
export { contextCost } from './catalogue/context-cost.js';
export { CodeRunner } from './code/code-runner.js';
export { type ExecuteOptions, type ExecutionResult, Executor } from './executor.js';
export { PROXY_LIMITS, type ProxyLimits } from './limits.js';
export { MCPProxy, type MCPProxyOptions, type ProxyTools } from './mcp-proxy.js';
export { DEFAULT_OPTIONS, type ProxyOptions } from './options.js';
export { Registry, type RegistryEvents } from './registry.js';
export { type ConvertedSchemas, SchemaConverter, type SchemaConverterOptions } from './schema/schema-converter.js';
export type { EmbeddingOptions } from './search/embeddings.js';
export { type Hit, type LocatedTool, ToolSearch } from './search/tool-search.js';
export { type HttpEndpoint, type HttpOptions, serveHttp } from './serve/http.js';
export type { ServeOptions } from './serve/server-factory.js';
export { type StdioEndpoint, type StdioOptions, serveStdio } from './serve/stdio.js';
export type {
  ConsentHandler,
  ConsentRequest,
  MCPRequest,
  ServerConnection,
  ServerRequest,
  ServerRequestHandler,
  ServerState,
  ToolAnnotations,
  Toolbox,
  ToolboxCallOptions,
  ToolboxEvents,
  ToolboxServer,
  ToolboxSkill,
  ToolboxSkillFile,
  ToolboxSkillList,
  ToolboxSkills,
  ToolboxTool,
  ToolCall,
} from './toolbox.js';
export { OWN_NAME } from './toolbox.js';
export { HubToolbox } from './toolboxes/hub-toolbox.js';
export { type OfficeOptions, OfficeToolbox } from './toolboxes/office-toolbox.js';
export { SelectedToolbox, type ToolSelection, unmatchedPatterns } from './toolboxes/selected-toolbox.js';
export { ContentReader } from './tools/contents.js';
export { Inspector } from './tools/inspect.js';
export { SkillReader } from './tools/skills.js';
