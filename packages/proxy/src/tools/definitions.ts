import { isRecord, jsonTextProblem, REQUEST_TEXT_LIMITS } from '@a2c/protocol';
import { runDefinition } from '../code/run-definition.js';
import { PROXY_LIMITS } from '../limits.js';
import { displayName } from '../text/one-line.js';
import type { ContentRequest } from './contents.js';

export const INSPECT = 'inspect';
export const EXEC = 'exec';
export const QUERY = 'query';

const EXEC_DESCRIPTION = 'Run a tool of an MCP server. See inspect for servers, tools and their arguments.';

const QUERY_DESCRIPTION = 'Run a tool that only reads, such as search or list. Other tools: exec.';

/** How much `inspect` shows of each tool: `schema` is `full` with JSON Schemas instead of types. */
export type InspectDetail = 'names' | 'signature' | 'full' | 'schema';

const DETAILS: readonly InspectDetail[] = ['names', 'signature', 'full', 'schema'];

/** What `inspect` lists instead of tools. */
const LISTS = ['resources', 'prompts'] as const;

/** Selects all servers, unless a server has this name. Leaving `server_name` out always selects all. */
export const EVERY_SERVER = '*';

const INSPECT_INPUT = {
  type: 'object',
  properties: {
    server_name: { type: 'string', description: 'Server to look at; "*" for all' },
    tool_name: { type: 'string', description: 'Tool to show in full' },
    query: {
      type: 'string',
      description: 'Search: words that a tool name or description contains, with synonyms; English or Chinese',
    },
    detail: { type: 'string', enum: DETAILS },
    list: { type: 'string', enum: LISTS, description: 'List these instead of tools' },
    uri: { type: 'string', description: 'Resource to read' },
    prompt_name: { type: 'string' },
    arguments: { type: 'object', description: 'Of the prompt', additionalProperties: true },
    cursor: { type: 'string', description: 'Where to read on, from an earlier answer' },
  },
  required: ['server_name'],
} as const;

/** Only shown if there are skills. */
const INSPECT_SKILLS_INPUT = {
  ...INSPECT_INPUT,
  properties: {
    ...INSPECT_INPUT.properties,
    list: { type: 'string', enum: [...LISTS, 'skills'], description: 'List these instead of tools' },
    skill_name: { type: 'string', description: 'Skill (instructions for a task) to read; name/path: a file of it' },
  },
} as const;

/**
 * The `structuredContent` of `inspect`: what the text says. JSON Schemas are in it if `detail` is `schema`. Clients
 * show this schema to models, so it names only the lists.
 */
const INSPECT_OUTPUT = {
  type: 'object',
  properties: { servers: { type: 'array' }, tools: { type: 'array' }, next_cursor: { type: 'string' } },
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
  readonly withQuery?: boolean;
  readonly withSkills?: boolean;
}

/**
 * The tools, always in this order. `exec` carries the annotations of the most dangerous tool behind it. It has no
 * output schema because each of those tools has its own.
 */
export function toolDefinitions(options: DefinitionOptions) {
  const { catalogue, withOutputSchema, code, withQuery, withSkills } = options;
  return [
    {
      name: INSPECT,
      title: 'Inspect tools',
      description: catalogue,
      inputSchema: withSkills ? INSPECT_SKILLS_INPUT : INSPECT_INPUT,
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
    ...(withQuery
      ? [
          {
            name: QUERY,
            title: 'Run a tool that only reads',
            description: QUERY_DESCRIPTION,
            inputSchema: EXEC_INPUT,
            annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
          },
        ]
      : []),
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

/** Reads a request for resources or prompts; undefined if `inspect` was asked about tools. */
export function readContentRequest(given: Readonly<Record<string, unknown>>): ContentRequest | undefined {
  const { server_name: name, list, uri, prompt_name: prompt, arguments: args } = given;
  const server = typeof name === 'string' && name !== '' && name !== EVERY_SERVER ? name : undefined;
  if (typeof uri === 'string' && uri !== '') return { kind: 'read', server, uri };
  if (typeof prompt === 'string' && prompt !== '') {
    return { kind: 'prompt', server, name: prompt, arguments: isRecord(args) ? args : {} };
  }
  return list === 'resources' || list === 'prompts' ? { kind: list, server } : undefined;
}

/** What is asked about skills. */
export type SkillRequest = { readonly cursor?: string | undefined } | { readonly name: string };

/** Reads a request for skills; undefined if `inspect` was asked about something else. */
export function readSkillRequest(given: Readonly<Record<string, unknown>>): SkillRequest | undefined {
  const { skill_name: name, list, cursor } = given;
  if (typeof name === 'string' && name !== '') return { name };
  if (list !== 'skills') return undefined;
  return typeof cursor === 'string' && cursor !== '' ? { cursor } : {};
}

/** Reads the arguments of `inspect`, or returns what is wrong with them. */
export function readInspectArguments(given: Readonly<Record<string, unknown>>): InspectArguments | string {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(INSPECT_SKILLS_INPUT.properties, name)) return `inspect has no parameter "${displayName(name)}"`;
    if (name === 'arguments' || value === undefined || value === null) continue;
    if (typeof value !== 'string') return `${name}: expected a string`;
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

/** As for the message that contains the text. */
const ARGUMENTS_LIMITS = { ...REQUEST_TEXT_LIMITS, depth: PROXY_LIMITS.paramsDepth };

/**
 * Reads the arguments of `exec`, or returns what is wrong with them. Accepts `arguments` as JSON text, as many models
 * send them.
 */
export function readExecArguments(given: Readonly<Record<string, unknown>>): ExecArguments | string {
  const { server_name: server, tool_name: tool, arguments: args = null } = given;
  if (typeof server !== 'string' || server === '') return 'server_name: expected the name of a server';
  if (typeof tool !== 'string' || tool === '') return 'tool_name: expected the name of a tool';
  // Destructuring with a rest is a slow call into the engine.
  const unknown = Object.keys(given).find((key) => !EXEC_KEYS.has(key));
  if (unknown !== undefined)
    return `exec has no parameter "${displayName(unknown)}"; what the tool takes goes into "arguments"`;
  const problem = typeof args === 'string' ? jsonTextProblem(args, ARGUMENTS_LIMITS) : undefined;
  if (problem !== undefined) return `arguments: the JSON text ${problem}`;
  const read = typeof args === 'string' ? parseArguments(args) : (args ?? {});
  if (!isRecord(read)) return 'arguments: expected an object';
  return { server, tool, arguments: read };
}

const EXEC_KEYS: ReadonlySet<string> = new Set(['server_name', 'tool_name', 'arguments']);

function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // reported as "expected an object"
  }
}
