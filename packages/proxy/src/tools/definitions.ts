import { isRecord } from '@a2c/protocol';
import { runDefinition } from '../code/run-definition.js';
import { displayName } from '../text/one-line.js';

export const INSPECT = 'inspect';
export const EXEC = 'exec';

const EXEC_DESCRIPTION = 'Run a tool of an MCP server. See inspect for servers, tools and their arguments.';

/** How much `inspect` shows of each tool: `schema` is `full` with JSON Schemas instead of types. */
export type InspectDetail = 'names' | 'signature' | 'full' | 'schema';

const DETAILS: readonly InspectDetail[] = ['names', 'signature', 'full', 'schema'];

/** Selects all servers, unless a server has this name. Leaving `server_name` out always selects all. */
export const EVERY_SERVER = '*';

const INSPECT_INPUT = {
  type: 'object',
  properties: {
    server_name: { type: 'string', description: 'Server to look at; "*" for all' },
    tool_name: { type: 'string', description: 'Tool to show in full' },
    query: {
      type: 'string',
      description: 'Search: English words that a tool name or description contains, with synonyms',
    },
    detail: { type: 'string', enum: DETAILS },
    cursor: { type: 'string', description: 'Where to read on, from an earlier answer' },
  },
  required: ['server_name'],
} as const;

/** The `structuredContent` of `inspect`: what the text says. JSON Schemas are in it if `detail` is `schema`. */
const INSPECT_OUTPUT = {
  type: 'object',
  properties: {
    servers: { type: 'array', items: { type: 'object' } },
    names: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    server_name: { type: 'string' },
    tools: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          server_name: { type: 'string' },
          name: { type: 'string' },
          description: { type: 'string' },
          arguments: { type: 'string' },
          returns: { type: 'string' },
          input_schema: { type: 'object' },
          output_schema: { type: 'object' },
          annotations: { type: 'object' },
        },
        required: ['name'],
      },
    },
    types: { type: 'array', items: { type: 'string' } },
    next_cursor: { type: 'string' },
  },
} as const;

const EXEC_INPUT = {
  type: 'object',
  properties: {
    server_name: { type: 'string' },
    tool_name: { type: 'string' },
    arguments: { type: 'object', description: 'As inspect shows them', additionalProperties: true },
  },
  required: ['server_name', 'tool_name'],
} as const;

interface DefinitionOptions {
  /** The description of `inspect`. */
  readonly catalogue: string;
  readonly withOutputSchema: boolean;
  /** Offer `run`, over servers on Computers or on this machine. */
  readonly code: 'computers' | 'servers' | undefined;
}

/**
 * The tools, always in this order. `exec` carries the annotations of the most dangerous tool behind it. It has no
 * output schema because each of those tools has its own.
 */
export function toolDefinitions({ catalogue, withOutputSchema, code }: DefinitionOptions) {
  return [
    {
      name: INSPECT,
      title: 'Inspect tools',
      description: catalogue,
      inputSchema: INSPECT_INPUT,
      ...(withOutputSchema && { outputSchema: INSPECT_OUTPUT }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    {
      name: EXEC,
      title: 'Run a tool',
      description: EXEC_DESCRIPTION,
      inputSchema: EXEC_INPUT,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    ...(code ? [runDefinition(code === 'computers')] : []),
  ];
}

export interface InspectArguments {
  readonly server?: string;
  readonly tool?: string;
  readonly query?: string;
  readonly detail?: InspectDetail;
  readonly cursor?: string;
}

/** Reads the arguments of `inspect`, or returns what is wrong with them. */
export function readInspectArguments(given: Readonly<Record<string, unknown>>): InspectArguments | string {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(INSPECT_INPUT.properties, name)) return `inspect has no parameter "${displayName(name)}"`;
    if (value !== undefined && value !== null && typeof value !== 'string') return `${name}: expected a string`;
  }
  const text = (name: string): string | undefined => (given[name] as string | null | undefined) || undefined;
  const [server, tool, query, detail, cursor] = ['server_name', 'tool_name', 'query', 'detail', 'cursor'].map(text);
  if (detail !== undefined && !isDetail(detail)) return `detail: expected one of ${DETAILS.join(', ')}`;
  return {
    ...(server && { server }),
    ...(tool && { tool }),
    ...(query && { query }),
    ...(detail && { detail }),
    ...(cursor && { cursor }),
  };
}

function isDetail(text: string): text is InspectDetail {
  return (DETAILS as readonly string[]).includes(text);
}

export interface ExecArguments {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * Reads the arguments of `exec`, or returns what is wrong with them. Accepts `arguments` as JSON text, as many models
 * send them.
 */
export function readExecArguments(given: Readonly<Record<string, unknown>>): ExecArguments | string {
  const { server_name: server, tool_name: tool, arguments: args = null, ...others } = given;
  if (typeof server !== 'string' || server === '') return 'server_name: expected the name of a server';
  if (typeof tool !== 'string' || tool === '') return 'tool_name: expected the name of a tool';
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    return `exec has no parameter "${displayName(unknown)}"; what the tool takes goes into "arguments"`;
  const read = typeof args === 'string' ? parseArguments(args) : (args ?? {});
  if (!isRecord(read)) return 'arguments: expected an object';
  return { server, tool, arguments: read };
}

function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // reported as "expected an object"
  }
}
