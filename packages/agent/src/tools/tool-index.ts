import type { SMCPTool } from '@a2c/protocol';
import type { RemoteComputer } from '../office/remote-computer.js';
import { Turns } from '../turns.js';
import { annotationsOf } from './annotations.js';
import { toolName } from './tool-names.js';

/** A tool of a Computer with a name for models, unique in the office. */
export interface AgentTool {
  /** Valid for all model providers, such as `pc__read_file`. */
  readonly name: string;
  readonly computer: string;
  readonly tool: SMCPTool;
}

/** All tools of the office by name, in a stable order so that prompts stay the same. */
export class ToolIndex {
  readonly tools: readonly AgentTool[];
  readonly #byName: ReadonlyMap<string, AgentTool>;

  constructor(computers: Iterable<RemoteComputer>) {
    const byName = new Map<string, AgentTool>();
    for (const { name: computer, tools } of [...computers].toSorted((a, b) => compare(a.name, b.name))) {
      for (const tool of tools) {
        const name = nameOf(computer, tool);
        byName.set(name, { name, computer, tool });
      }
    }
    this.#byName = byName;
    this.tools = [...byName.values()];
  }

  find(name: string): AgentTool | undefined {
    return this.#byName.get(name);
  }
}

/**
 * Keeps the first tool of each name of one Computer: a call could not distinguish them. Also reads what is needed of
 * each, in several turns of the event loop.
 */
export async function distinctTools(computer: string, tools: readonly SMCPTool[]): Promise<SMCPTool[]> {
  const turns = new Turns();
  const distinct = new Map<string, SMCPTool>();
  for (const tool of tools) {
    if (turns.isOver) await turns.next();
    if (distinct.has(tool.name)) continue;
    distinct.set(tool.name, tool);
    annotationsOf(tool);
    nameOf(computer, tool);
  }
  return [...distinct.values()];
}

/** Names of tools, which take some time to hash. The tools of a list belong to one Computer. */
const names = new WeakMap<SMCPTool, string>();

function nameOf(computer: string, tool: SMCPTool): string {
  const name = names.get(tool) ?? toolName(computer, tool.name);
  names.set(tool, name);
  return name;
}

/** Compares by code units, independent of the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
