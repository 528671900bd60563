import {
  type AgentScope,
  type GetToolsRet,
  isPermitted,
  parseAnswer,
  readToolMeta,
  SMCPError,
  type SMCPTool,
} from '@a2c/protocol';
import type { Member } from '../rooms/registry.js';
import { RawAnswer } from '../wire/raw-json.js';
import type { AnswerArgs } from './pending-calls.js';

/**
 * The tool names of each Computer, taken from the `client:get_tools` answers that are relayed. A call of an unlisted
 * tool is refused without asking the Computer. Without a list, or after the Computer announced a change, the Computer
 * decides.
 */
export class ToolListCache {
  readonly #tools = new Map<string, ReadonlyMap<string, ListedTool>>();
  /** The Computers whose list contains all of their tools. */
  readonly #complete = new Set<string>();

  /**
   * Stores the names of a relayed answer. An answer that is not a tool list removes the entry.
   *
   * @param isComplete false if the answer may lack tools that the Agent may not use
   */
  store(sid: string, answer: AnswerArgs, isComplete: boolean): void {
    if (!isComplete && this.#complete.has(sid)) return;
    const list = readList(answer);
    if (!list) {
      this.invalidate(sid);
      return;
    }
    // Some Computers list a tool by its own name and accept calls by its alias only, so both names are stored.
    const listed = list.tools.map((tool) => ({
      names: namesOf(tool).filter((name): name is string => typeof name === 'string'),
      server: tool.bundle_id,
    }));
    this.#tools.set(sid, new Map(listed.flatMap((tool) => tool.names.map((name) => [name, tool] as const))));
    if (isComplete) this.#complete.add(sid);
  }

  invalidate(sid: string): void {
    this.#tools.delete(sid);
    this.#complete.delete(sid);
  }

  /** @throws SMCPError if the list of this Computer is known and does not contain the tool */
  assertListed({ sid, name: computer }: Member, tool: string): void {
    // A Computer lists and accepts a tool with or without its bundle id, by the generation of the Agent.
    if (!this.#complete.has(sid) || this.#tools.get(sid)?.has(tool) || tool.includes('__')) return;
    const message = `Computer "${computer}" offers no tool "${tool.slice(0, 100)}"; it may be disabled or unknown`;
    throw new SMCPError('ToolNotFound', message, { details: { computer } });
  }

  /**
   * Checks the scope of the Agent by the tool and, if they are listed, its alias and MCP server. The Computer repeats
   * the check, because only it knows all names.
   *
   * @throws SMCPError 403
   */
  assertInScope({ sid }: Member, { tools, servers }: AgentScope, tool: string): void {
    if (tools === undefined && servers === undefined) return;
    const listed = this.#tools.get(sid)?.get(tool);
    if (!isPermitted(tools, ...(listed?.names ?? [tool]))) throw outOfScope(`the tool "${tool.slice(0, 100)}"`);
    if (listed?.server !== undefined && !isPermitted(servers, listed.server)) {
      throw outOfScope(`tools of the MCP server "${listed.server}"`);
    }
  }
}

/** The names of a tool, and its MCP server. */
interface ListedTool {
  readonly names: readonly string[];
  readonly server: string | undefined;
}

function outOfScope(what: string): SMCPError {
  return new SMCPError('Forbidden', `this identity may not use ${what}`);
}

function namesOf(tool: SMCPTool): (string | null | undefined)[] {
  const prefix = `${tool.bundle_id}__`;
  return [tool.name, readToolMeta(tool)?.alias, tool.name.startsWith(prefix) ? tool.name.slice(prefix.length) : null];
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
