import { HubError } from '../errors.js';
import type { ListingClient } from './mcp-client.js';

/** The lists of MCP: the method, the field that holds the items and the capability of the server. */
export const LISTS = {
  tools: { method: 'tools/list', field: 'tools', capability: 'tools' },
  resources: { method: 'resources/list', field: 'resources', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', field: 'resourceTemplates', capability: 'resources' },
  prompts: { method: 'prompts/list', field: 'prompts', capability: 'prompts' },
} as const;

export interface ListOptions {
  readonly maxPages: number;
  readonly maxItems: number;
  readonly signal: AbortSignal;
  readonly onWarning: (message: string) => void;
}

/** One message is limited as well, but a list may have hundreds of pages, each as large as a message. */
const MAX_VALUES = 1_000_000;
const MAX_CHARACTERS = 64 * 2 ** 20;

interface Size {
  values: number;
  characters: number;
}

/** Adds the size of a value. */
function weigh(value: unknown, size: Size): void {
  size.values += 1;
  if (typeof value === 'string') size.characters += value.length;
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      size.characters += key.length;
      weigh(inner, size);
    }
  }
}

/**
 * Reads all pages of a list. A server without the capability has an empty list. A list over the limits is cut, with a
 * warning.
 */
export async function listAll(
  client: ListingClient,
  list: keyof typeof LISTS,
  { maxPages, maxItems, signal, onWarning }: ListOptions,
): Promise<readonly unknown[]> {
  const { method, field, capability } = LISTS[list];
  if (!client.capabilities[capability]) return [];
  const items: unknown[] = [];
  const size: Size = { values: 0, characters: 0 };
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const answer = await requestPage(client, method, cursor, signal);
    if (!answer) return items;
    const more = answer[field];
    if (Array.isArray(more)) for (const item of more) items.push(item);
    weigh(more, size);
    if (size.values > MAX_VALUES || size.characters > MAX_CHARACTERS) {
      onWarning(`${method} has too much in all its pages together; the rest is ignored`);
      return items.slice(0, maxItems);
    }
    const next = answer.nextCursor;
    if (items.length > maxItems) {
      onWarning(`${method} has more than ${maxItems} items; the rest is ignored`);
      return items.slice(0, maxItems);
    }
    if (typeof next !== 'string' || next === '') return items;
    if (next === cursor) break;
    cursor = next;
  }
  onWarning(`${method} does not end; the first ${items.length} items are used`);
  return items;
}

/** Returns undefined if the server declares the capability but not the method, as some do with templates. */
async function requestPage(client: ListingClient, method: string, cursor: string | undefined, signal: AbortSignal) {
  try {
    return await client.request(method, cursor === undefined ? {} : { cursor }, { signal });
  } catch (error) {
    if (error instanceof HubError && error.code === METHOD_NOT_FOUND) return undefined;
    throw error;
  }
}

const METHOD_NOT_FOUND = -32_601;
