import type { Toolbox, ToolboxCallOptions } from '../toolbox.js';

/** What is read of one list of one server, all pages together. A message is limited, but there may be many pages. */
const MAX_ITEMS = 10_000;
const MAX_CHARACTERS = 8 * 2 ** 20;

/** The list of resources, templates or prompts of one server. The rest of a longer one is left out. */
export async function listPages(
  toolbox: Toolbox,
  server: string,
  { method, field, maxPages }: { readonly method: string; readonly field: string; readonly maxPages: number },
  options: ToolboxCallOptions,
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let characters = 0;
  let cursor: unknown;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await toolbox.request(server, { method, params }, options);
    for (const item of Array.isArray(result[field]) ? result[field] : []) {
      characters += JSON.stringify(item).length;
      if (items.length === MAX_ITEMS || characters > MAX_CHARACTERS) return items;
      items.push(item);
    }
    cursor = result.nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return items;
}
