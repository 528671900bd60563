import { estimateTokens } from '../catalogue/estimate-tokens.js';
import { countOf, serverEntry, troubleOf } from '../catalogue/server-entry.js';
import type { ProxyOptions } from '../options.js';
import type { Registry } from '../registry.js';
import { cutLong, noteOf } from '../results/cut-long.js';
import { errorResult } from '../results/error-result.js';
import type { KeptTexts } from '../results/kept-texts.js';
import { cut, oneLine, shownName } from '../text/one-line.js';
import type { CallToolResult, ToolboxServer, ToolboxTool } from '../toolbox.js';
import type { Failures } from './failures.js';
import { EVERY_SERVER, type InspectDetail, readInspectArguments } from './inspect-arguments.js';
import { serverData, toolData } from './inspect-data.js';
import { listCursor, pageOf, positionOf } from './pages.js';
import { nameOf, type ToolText } from './tool-text.js';

const MAX_HITS = 10;

/** A longer query is no question; its words would be compared with all there are. */
const MAX_QUERY = 256;

/** What a list line means; said once per answer because a model that knows it needs no second look. */
const LEGEND = 'name {arguments}: description';

interface Found {
  readonly server: ToolboxServer;
  readonly tool: ToolboxTool;
}

interface Parts {
  readonly registry: Registry;
  readonly text: ToolText;
  readonly failures: Failures;
  readonly kept: KeptTexts;
  readonly options: ProxyOptions;
}

/** The tool `inspect`: from the catalogue to one tool's schema, and on to the rest of a long result. */
export class Inspector {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  run(given: Readonly<Record<string, unknown>>): CallToolResult {
    const asked = readInspectArguments(given);
    if (typeof asked === 'string') return errorResult(`Invalid arguments for inspect: ${asked}`);
    if (asked.cursor?.startsWith('result:')) return this.#readOn(asked.cursor);
    const position = positionOf(asked.cursor);
    if (position === undefined) return errorResult(`"${shownName(asked.cursor ?? '')}" is no cursor of inspect`);

    const server = asked.server === undefined ? undefined : this.#parts.registry.getServerInfo(asked.server);
    const isEvery = asked.server === undefined || asked.server === EVERY_SERVER;
    if (!server && !isEvery) return this.#parts.failures.unknownServer(asked.server ?? '');
    if (asked.tool) return this.#tool(asked.tool, server, asked.detail ?? 'full');
    if (asked.query) return this.#search(asked.query, server, asked.detail ?? 'signature', position);
    return server ? this.#tools(server, asked.detail ?? 'signature', position) : this.#servers(position);
  }

  /** One tool; without a server, every tool of that name. */
  #tool(name: string, server: ToolboxServer | undefined, detail: InspectDetail): CallToolResult {
    const { registry, failures } = this.#parts;
    const found = (server ? [server] : registry.servers).flatMap((owner) => {
      const tool = registry.getTool(owner.name, name);
      return tool ? [{ server: owner, tool }] : [];
    });
    if (found.length === 0) return server ? failures.unknownTool(server, name) : failures.unknownToolAnywhere(name);
    const data = found.map(({ server, tool }) => toolData(server, tool));
    return this.#answer(this.#listText(found, detail, server === undefined), { tools: data });
  }

  #tools(server: ToolboxServer, detail: InspectDetail, position: number): CallToolResult {
    if (server.tools.length === 0 && troubleOf(server) !== '') return this.#parts.failures.unavailable(server);
    const found = server.tools.map((tool) => ({ server, tool }));
    const trouble = troubleOf(server);
    const heading = `${shownName(server.name)}: ${countOf(server)}${trouble && ` (${trouble})`}`;
    const about = position === 0 ? (server.instructions?.trim() ?? '') : '';
    return this.#list(found, detail, position, [heading, about]);
  }

  #search(asked: string, server: ToolboxServer | undefined, detail: InspectDetail, position: number): CallToolResult {
    const query = cut(oneLine(asked), MAX_QUERY);
    const hits = this.#parts.registry
      .search(query)
      .filter((hit) => server === undefined || hit.server === server)
      .slice(0, MAX_HITS);
    if (hits.length === 0) return this.#answer(`No tool matches "${query}".`, { tools: [] });
    return this.#list(hits, detail, position, [`Best matches for "${query}"`], true);
  }

  #list(
    found: readonly Found[],
    detail: InspectDetail,
    position: number,
    heading: readonly string[],
    isMixed = false,
  ): CallToolResult {
    return this.#paged(
      found,
      position,
      [...heading, detail === 'signature' ? LEGEND : ''],
      (some) => this.#listText(some, detail, isMixed),
      (some) => ({ tools: some.map(({ server, tool }) => toolData(server, tool)) }),
    );
  }

  #listText(found: readonly Found[], detail: InspectDetail, isMixed: boolean): string {
    const { text } = this.#parts;
    const listed = found.map(({ server, tool }) => ({ tool, of: isMixed ? server.name : undefined }));
    if (detail === 'signature') return text.list(listed);
    return detail === 'full' ? listed.map((one) => text.full(one)).join('\n\n') : listed.map(nameOf).join('\n');
  }

  #servers(position: number): CallToolResult {
    const { servers } = this.#parts.registry;
    return this.#paged(
      servers,
      position,
      [servers.length === 0 ? 'No servers are configured.' : ''],
      (some) => some.map((server) => serverEntry(server, 'count').trim()).join('\n'),
      (some) => ({ servers: some.map(serverData) }),
    );
  }

  #paged<T>(
    items: readonly T[],
    position: number,
    heading: readonly string[],
    textOf: (items: readonly T[]) => string,
    dataOf: (items: readonly T[]) => Record<string, unknown>,
  ): CallToolResult {
    if (position > 0 && position >= items.length) {
      return errorResult(`The list ends at ${items.length}. Begin again without a cursor.`);
    }
    const tokens = this.#parts.options.pageTokens - estimateTokens(heading.join('\n'));
    const page = pageOf(items, position, tokens, textOf);
    const cursor = page.next === undefined ? undefined : listCursor(page.next);
    const note = cursor ? moreNote(page.from, page.items.length, items.length, cursor) : '';
    return this.#answer([...heading, page.text, note].filter((line) => line !== '').join('\n'), {
      ...dataOf(page.items),
      ...(cursor && { next_cursor: cursor }),
    });
  }

  #readOn(cursor: string): CallToolResult {
    const page = this.#parts.kept.read(cursor);
    if (!page) return errorResult('This result is no longer kept. Call the tool again.');
    const content = [{ type: 'text', text: page.text }, noteOf(page)];
    return this.#withData(content, page.next ? { next_cursor: page.next } : {});
  }

  /** Even one tool can be too much for one answer. */
  #answer(text: string, data: Record<string, unknown>): CallToolResult {
    const { options, kept } = this.#parts;
    return this.#withData(cutLong([{ type: 'text', text }], options.maxResultLength, kept), data);
  }

  #withData(content: CallToolResult['content'], data: Record<string, unknown>): CallToolResult {
    return this.#parts.options.structuredContent ? { content, structuredContent: data } : { content };
  }
}

function moreNote(from: number, shown: number, all: number, cursor: string): string {
  return `[${from + 1} to ${from + shown} of ${all}. Read on with the same arguments and "cursor": "${cursor}"]`;
}
