import { isSchemaObject } from '../schema/json-schema.js';
import type { ToolboxServer, ToolboxTool } from '../toolbox.js';

/** What `inspect` puts into `structuredContent`: nothing is shortened here. */
export const INSPECT_OUTPUT = {
  type: 'object',
  properties: {
    servers: { type: 'array', items: { type: 'object' } },
    tools: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          server_name: { type: 'string' },
          name: { type: 'string' },
          description: { type: 'string' },
          input_schema: { type: 'object' },
          output_schema: { type: 'object' },
          annotations: { type: 'object' },
        },
        required: ['server_name', 'name', 'input_schema'],
      },
    },
    next_cursor: { type: 'string' },
  },
} as const;

export function toolData(server: ToolboxServer, tool: ToolboxTool): Record<string, unknown> {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    server_name: server.name,
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    input_schema: inputSchema,
    ...(isSchemaObject(outputSchema) && { output_schema: outputSchema }),
    ...(isSchemaObject(annotations) && { annotations }),
  };
}

export function serverData({
  name,
  state,
  cause,
  version,
  instructions,
  tools,
}: ToolboxServer): Record<string, unknown> {
  return {
    name,
    state,
    ...(cause !== undefined && { cause }),
    ...(version !== undefined && { version }),
    ...(instructions !== undefined && { instructions }),
    tool_count: tools.length,
  };
}
