import type { ToolboxServer, ToolboxTool } from '../toolbox.js';
import { Bm25Index } from './bm25.js';
import { wordsOf } from './words.js';

/** A word in a name says more about a tool than one in its description. */
const NAME_WEIGHT = 3;

export interface LocatedTool {
  readonly server: ToolboxServer;
  readonly tool: ToolboxTool;
}

/** Finds tools by what they are called, what they say, and what they ask for. Built when first asked. */
export class ToolSearch {
  readonly #located: readonly LocatedTool[];
  #index: Bm25Index<LocatedTool> | undefined;

  constructor(servers: readonly ToolboxServer[]) {
    this.#located = servers.flatMap((server) => server.tools.map((tool) => ({ server, tool })));
  }

  find(query: string): LocatedTool[] {
    this.#index ??= new Bm25Index(this.#located, wordsAbout);
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
