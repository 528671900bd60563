export { type ExecutionResult, Executor } from './executor.js';
export { MCPProxy } from './mcp-proxy.js';
export { DEFAULT_OPTIONS, type ProxyOptions } from './options.js';
export { Registry } from './registry.js';
export { type ConvertedSchemas, SchemaConverter, type SchemaConverterOptions } from './schema/schema-converter.js';
export type { FaceOptions } from './serve/face.js';
export { type HttpFace, type HttpOptions, serveHttp } from './serve/http.js';
export { type StdioFace, type StdioOptions, serveStdio } from './serve/stdio.js';
export type {
  Ask,
  CallOptions,
  CallToolResult,
  ContentBlock,
  MCPRequest,
  Progress,
  Question,
  ServerState,
  Toolbox,
  ToolboxEvent,
  ToolboxServer,
  ToolboxTool,
  ToolCall,
  ToolHints,
} from './toolbox.js';
export {
  type ArgumentProblem,
  ToolboxError,
  type ToolboxErrorCode,
  type ToolboxErrorDetails,
} from './toolbox-error.js';
export { HubToolbox } from './toolboxes/hub-toolbox.js';
export { type OfficeOptions, OfficeToolbox } from './toolboxes/office-toolbox.js';
