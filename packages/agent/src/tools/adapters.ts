import type { CallToolResult, SMCPTool } from '@a2c/protocol';
import type { AgentCallOptions } from '../options.js';
import { annotationsOf } from './annotations.js';
import { type JsonSchema, modelSchema, objectSchema } from './model-schema.js';
import { type AISDKOutput, toAISDKOutput } from './results.js';
import type { AgentTool } from './tool-index.js';

/** A tool of the Model Context Protocol. */
export interface MCPToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema?: JsonSchema & { readonly type: 'object' };
  readonly annotations?: Record<string, unknown>;
}

/** A function tool of OpenAI's Chat Completions, which many other providers accept. */
export interface OpenAITool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema };
}

/** A client tool of Anthropic's Messages. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema & { readonly type: 'object' };
}

/** A tool of the AI SDK, version 6 and later, that runs on its Computer. A record of them is a `ToolSet`. */
export interface AISDKTool {
  readonly description: string;
  readonly inputSchema: AISDKSchema;
  /** Calls the tool on its Computer. */
  readonly execute: (
    input: Record<string, unknown>,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<CallToolResult>;
  /** Passes images to the model as images. */
  readonly toModelOutput: (call: { readonly output: CallToolResult }) => AISDKOutput;
}

/** Returns the JSON Schema of the arguments, as Standard Schema names it. */
export interface AISDKSchemaSource {
  /** The schema before validation. */
  readonly input: () => JsonSchema;
  /** The schema after validation, which is the same. */
  readonly output: () => JsonSchema;
}

/** The arguments of a tool as a Standard Schema, which the AI SDK accepts without its own types. */
export interface AISDKSchema {
  readonly jsonSchema: JsonSchema;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** Accepts every value: the Computer checks the arguments. */
    readonly validate: (value: unknown) => { readonly value: Record<string, unknown> };
    /** The schema itself, for libraries that ask for it. */
    readonly jsonSchema: AISDKSchemaSource;
  };
}

export type CallNamed = (
  name: string,
  params: Record<string, unknown>,
  options: Pick<AgentCallOptions, 'signal' | 'bundleId'>,
) => Promise<CallToolResult>;

export function toMCPTools(tools: readonly AgentTool[]): MCPToolDefinition[] {
  return tools.map(({ name, tool }) => toMCPTool(tool, name));
}

/** Converts a tool of a Computer to an MCP tool, under its own name by default. */
export function toMCPTool(tool: SMCPTool, name = tool.name): MCPToolDefinition {
  const annotations = annotationsOf(tool);
  return {
    name,
    ...(typeof annotations.title === 'string' && { title: annotations.title }),
    description: tool.description,
    inputSchema: objectSchema(tool.params_schema),
    // MCP requires object results.
    ...(tool.return_schema?.type === 'object' && { outputSchema: objectSchema(tool.return_schema) }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

/** OpenAI rejects the whole request if one description is longer. */
const MAX_OPENAI_DESCRIPTION = 1_024;

export function toOpenAITools(tools: readonly AgentTool[]): OpenAITool[] {
  return tools.map(({ name, tool: { description, params_schema } }) => ({
    type: 'function',
    function: {
      name,
      description: cut(description, MAX_OPENAI_DESCRIPTION),
      parameters: modelSchema(params_schema).schema,
    },
  }));
}

export function toAnthropicTools(tools: readonly AgentTool[]): AnthropicTool[] {
  return tools.map(({ name, tool: { description, params_schema } }) => ({
    name,
    description,
    input_schema: modelSchema(params_schema).schema,
  }));
}

/** The AI SDK recognises a wrapped JSON Schema by this symbol, and passes it to the model unchanged. */
const AI_SDK_SCHEMA = Symbol.for('vercel.ai.schema');

export function toAISDKTools(tools: readonly AgentTool[], call: CallNamed): Record<string, AISDKTool> {
  // Only `ai` 7 and later have this option.
  let isSince7 = false;
  return Object.fromEntries(
    tools.map(({ name, tool: { description, params_schema, bundle_id: bundleId } }) => [
      name,
      {
        description,
        inputSchema: aiSDKSchema(modelSchema(params_schema).schema),
        execute: (input, options = {}) => {
          isSince7 = 'context' in options;
          return call(name, input, { signal: options.abortSignal, bundleId });
        },
        toModelOutput: ({ output }) => toAISDKOutput(output, isSince7),
      } satisfies AISDKTool,
    ]),
  );
}

function aiSDKSchema(jsonSchema: JsonSchema): AISDKSchema {
  const wrapped = { [AI_SDK_SCHEMA]: true, jsonSchema, validate: undefined };
  return {
    ...wrapped,
    '~standard': {
      version: 1,
      vendor: 'a2c',
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
    },
  };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
