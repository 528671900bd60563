import type { ToolboxServer, ToolboxTool } from '../toolbox.js';
import { Bm25Index } from './bm25.js';
import { wordsOf } from './words.js';

/** A word in a name counts as often as this many words in a description. */
const NAME_WEIGHT = 3;

/** A tool and its server. */
export interface LocatedTool {
  readonly server: ToolboxServer;
  readonly tool: ToolboxTool;
}

/** Searches tools by name, description and parameter names. The index is built on the first search. */
export class ToolSearch {
  readonly #tools: readonly LocatedTool[];
  #index: Bm25Index<LocatedTool> | undefined;

  constructor(servers: readonly ToolboxServer[]) {
    this.#tools = servers.flatMap((server) => server.tools.map((tool) => ({ server, tool })));
  }

  find(query: string): LocatedTool[] {
    this.#index ??= new Bm25Index(this.#tools, wordsAbout);
    return this.#index.search(wordsOf(query)).map(({ item }) => item);
  }
}

function wordsAbout({ server, tool }: LocatedTool): string[] {
  const name = wordsOf(`${tool.name} ${tool.title ?? ''}`);
  const properties = Object.keys((tool.inputSchema.properties as object | undefined) ?? {});
  return [
    ...Array.from({ length: NAME_WEIGHT }, () => name).flat(),
    ...wordsOf(server.name),
    ...wordsOf(tool.description ?? ''),
    ...properties.flatMap(wordsOf),
  ];
}
