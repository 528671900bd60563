import type { ReceivedAnswer } from '@a2c/link';
import {
  isRecord,
  jsonSize,
  MAX_ANSWER_DEPTH,
  MAX_TOOLS,
  parseAnswer,
  type ResultOf,
  sizeProblem,
  unwrapAnswer,
  WIRE_LIMITS,
} from '@a2c/protocol';
import { Turns } from '../turns.js';

/** The lists that Computers send, and how many items of each are used. */
const LISTS = {
  'client:get_tools': { field: 'tools', most: MAX_TOOLS },
  'client:get_resources': { field: 'resources', most: Number.POSITIVE_INFINITY },
  'client:get_skills': { field: 'skills', most: Number.POSITIVE_INFINITY },
} as const;

type ListEvent = keyof typeof LISTS;

/** Larger items are left out, as a Computer leaves out those of its MCP servers. */
const MAX_ITEM = { values: 20_000, characters: 2 ** 20 };

/** Returns a function that parses a list item by item, in several turns of the event loop. */
export function readList<E extends ListEvent>(event: E): (answer: ReceivedAnswer) => Promise<ResultOf<E>> {
  const { field, most } = LISTS[event];
  return async ({ ack, generation }) => {
    const answer = unwrapAnswer(ack);
    const listed = isRecord(answer) ? answer[field] : undefined;
    if (!Array.isArray(listed)) return parseAnswer(event, ack, generation);
    const rest = parseAnswer(event, [{ ...(answer as object), [field]: [] }], generation);
    const items: unknown[] = [];
    const turns = new Turns();
    for (const item of listed.slice(0, most)) {
      if (turns.isOver) await turns.next();
      if (isTooLarge(item)) continue;
      const parsed = parseAnswer(event, [{ [field]: [item], req_id: '' }], generation);
      items.push(...((parsed as unknown as Record<string, readonly unknown[]>)[field] as unknown[]));
    }
    return { ...rest, [field]: items };
  };
}

/** A tool with a longer name cannot be called. */
function isTooLarge(item: unknown): boolean {
  if (isRecord(item) && typeof item.name === 'string' && item.name.length > WIRE_LIMITS.toolNameLength) return true;
  return (
    sizeProblem(item, MAX_ANSWER_DEPTH, MAX_ITEM.values) !== undefined ||
    jsonSize(item, MAX_ITEM.characters) > MAX_ITEM.characters
  );
}
