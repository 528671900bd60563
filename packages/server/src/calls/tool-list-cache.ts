import { type GetToolsRet, parseAnswer, readToolMeta, SMCPError } from '@a2c/protocol';
import type { Member } from '../rooms/registry.js';
import { RawAnswer } from '../wire/raw-json.js';
import type { AnswerArgs } from './pending-calls.js';

/**
 * The tool names of each Computer, taken from the `client:get_tools` answers that are relayed. A call of an unlisted
 * tool is refused without asking the Computer. Without a list, or after the Computer announced a change, the Computer
 * decides.
 */
export class ToolListCache {
  readonly #names = new Map<string, ReadonlySet<string>>();

  /** Stores the names of a relayed answer. An answer that is not a tool list removes the entry. */
  store(sid: string, answer: AnswerArgs): void {
    const list = readList(answer);
    if (!list) {
      this.invalidate(sid);
      return;
    }
    // Some Computers list a tool by its own name and accept calls by its alias only, so both names are stored.
    const names = list.tools.flatMap((tool) => [tool.name, readToolMeta(tool)?.alias]);
    this.#names.set(sid, new Set(names.filter((name): name is string => typeof name === 'string')));
  }

  invalidate(sid: string): void {
    this.#names.delete(sid);
  }

  /** @throws SMCPError if the list of this Computer is known and does not contain the tool */
  assertListed({ sid, name: computer }: Member, tool: string): void {
    if (this.#names.get(sid)?.has(tool) !== false) return;
    const message = `Computer "${computer}" offers no tool "${tool.slice(0, 100)}"; it may be disabled or unknown`;
    throw new SMCPError('ToolNotFound', message, { details: { computer } });
  }
}

/** A longer list is not read, because that would block the event loop. The Computer then decides on its calls. */
const MAX_LIST_BYTES = 2 ** 20;

function readList(answer: AnswerArgs): GetToolsRet | undefined {
  if (answer instanceof RawAnswer && answer.bytes.length > MAX_LIST_BYTES) return undefined;
  try {
    return parseAnswer('client:get_tools', answer instanceof RawAnswer ? answer.decode() : answer);
  } catch (error) {
    if (error instanceof SMCPError) return undefined;
    throw error;
  }
}
