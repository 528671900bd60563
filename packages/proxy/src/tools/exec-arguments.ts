import { isSchemaObject } from '../schema/json-schema.js';
import { shownName } from '../text/one-line.js';

export interface ExecArguments {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export const EXEC_INPUT = {
  type: 'object',
  properties: {
    server_name: { type: 'string' },
    tool_name: { type: 'string' },
    arguments: { type: 'object', description: 'As inspect shows them', additionalProperties: true },
  },
  required: ['server_name', 'tool_name'],
} as const;

/** What was asked, or what is wrong with it. Models often send the arguments as a text of JSON; that is understood. */
export function readExecArguments(given: Readonly<Record<string, unknown>>): ExecArguments | string {
  const { server_name: server, tool_name: tool, arguments: args = null, ...others } = given;
  if (typeof server !== 'string' || server === '') return 'server_name: expected the name of a server';
  if (typeof tool !== 'string' || tool === '') return 'tool_name: expected the name of a tool';
  const [stray] = Object.keys(others);
  if (stray !== undefined)
    return `exec has no parameter "${shownName(stray)}"; what the tool takes goes into "arguments"`;
  const read = typeof args === 'string' ? parsed(args) : (args ?? {});
  if (!isSchemaObject(read)) return 'arguments: expected an object';
  return { server, tool, arguments: read };
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // told as "expected an object"
  }
}
