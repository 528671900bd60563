export { type ConvertedSchemas, SchemaConverter, type SchemaConverterOptions } from './schema/schema-converter.js';
export type {
  Ask,
  CallOptions,
  CallResult,
  ContentBlock,
  McpRequest,
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
