import type { JsonObject } from '@a2c/config';
import { HubError } from '../errors.js';
import type { Connection } from './connection.js';

/** The lists of MCP: method and the field that holds the items. */
export const LISTS = {
  tools: { method: 'tools/list', field: 'tools', capability: 'tools' },
  resources: { method: 'resources/list', field: 'resources', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', field: 'resourceTemplates', capability: 'resources' },
  prompts: { method: 'prompts/list', field: 'prompts', capability: 'prompts' },
} as const;

export interface ListLimits {
  readonly pages: number;
  readonly items: number;
}

/**
 * Every page of a list. A server without the capability has an empty list. A list that does not end is cut and `warn`ed of:
 * the part is worth more than nothing.
 */
export async function listAll(
  connection: Connection,
  { method, field, capability }: (typeof LISTS)[keyof typeof LISTS],
  limits: ListLimits,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<readonly unknown[]> {
  if (!connection.capabilities[capability]) return [];
  const items: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < limits.pages; page++) {
    const answer = await ask(connection, method, cursor === undefined ? {} : { cursor }, signal);
    if (!answer) return items;
    const more = answer[field];
    if (Array.isArray(more)) for (const item of more) items.push(item);
    const next = answer.nextCursor;
    if (items.length > limits.items) {
      warn(`${method} has more than ${limits.items} items; the rest is left out`);
      return items.slice(0, limits.items);
    }
    if (typeof next !== 'string' || next === '') return items;
    if (next === cursor) break;
    cursor = next;
  }
  warn(`${method} does not end; what came until then is used`);
  return items;
}

/** undefined when the server declares a capability and then does not know its method, as some do with templates. */
async function ask(connection: Connection, method: string, params: JsonObject, signal: AbortSignal) {
  try {
    return await connection.request(method, params, { signal });
  } catch (error) {
    if (error instanceof HubError && error.code === METHOD_NOT_FOUND) return undefined;
    throw error;
  }
}

const METHOD_NOT_FOUND = -32_601;
