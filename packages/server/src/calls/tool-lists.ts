import { type GetToolsRet, parseAnswer, readToolMeta, SMCPError } from '@a2c/protocol';

/**
 * What each Computer last said it offers, as it passed by. A tool that is not on the list is refused without bothering
 * the Computer; where no list is known, or it has announced a change since, the Computer decides.
 */
export class ToolLists {
  readonly #names = new Map<string, ReadonlySet<string>>();

  /** Reads a passing answer; one that is no tool list teaches nothing. */
  learn(sid: string, answer: readonly unknown[]): void {
    const list = readList(answer);
    if (!list) {
      this.forget(sid);
      return;
    }
    // Some Computers list a tool by its own name and take calls by its alias only; both are known names.
    const names = list.tools.flatMap((tool) => [tool.name, readToolMeta(tool)?.alias]);
    this.#names.set(sid, new Set(names.filter((name): name is string => typeof name === 'string')));
  }

  forget(sid: string): void {
    this.#names.delete(sid);
  }

  check(sid: string, computer: string, tool: string): void {
    if (this.#names.get(sid)?.has(tool) === false) {
      throw new SMCPError(
        'ToolNotFound',
        `Computer "${computer}" offers no tool "${tool.slice(0, 100)}"; it may be disabled or unknown`,
        {
          details: { computer },
        },
      );
    }
  }
}

function readList(answer: readonly unknown[]): GetToolsRet | undefined {
  try {
    return parseAnswer('client:get_tools', answer);
  } catch (error) {
    if (error instanceof SMCPError) return undefined;
    throw error;
  }
}
