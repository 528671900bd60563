import { countOf, serverEntry, troubleOf } from '../catalogue/server-entry.js';
import type { ProxyOptions } from '../options.js';
import type { Registry } from '../registry.js';
import { noteOf } from '../results/cut-long.js';
import { errorResult } from '../results/error-result.js';
import type { KeptTexts } from '../results/kept-texts.js';
import type { CallResult, ToolboxServer, ToolboxTool } from '../toolbox.js';
import type { Failures } from './failures.js';
import { EVERY_SERVER, type InspectArguments, type InspectDetail, readInspectArguments } from './inspect-arguments.js';
import { serverData, toolData } from './inspect-data.js';
import { listCursor, pageOf, positionOf } from './pages.js';
import type { ToolText } from './tool-text.js';

const MAX_HITS = 10;

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

  run(given: Readonly<Record<string, unknown>>): CallResult {
    const asked = readInspectArguments(given);
    if (typeof asked === 'string') return errorResult(`Invalid arguments for inspect: ${asked}`);
    if (asked.cursor?.startsWith('result:')) return this.#readOn(asked.cursor);
    const position = positionOf(asked.cursor);
    if (position === undefined) return errorResult(`"${asked.cursor}" is no cursor of inspect`);
    if (asked.server === EVERY_SERVER) return asked.query ? this.#search(asked, position) : this.#servers(position);

    const server = this.#parts.registry.getServerInfo(asked.server);
    if (!server) return this.#parts.failures.unknownServer(asked.server);
    if (asked.tool) return this.#tool(server, asked.tool, asked.detail ?? 'full');
    if (asked.query) return this.#search(asked, position);
    return this.#tools(server, asked.detail ?? 'signature', position);
  }

  #tool(server: ToolboxServer, name: string, detail: InspectDetail): CallResult {
    const tool = this.#parts.registry.getTool(server.name, name);
    if (!tool) return this.#parts.failures.unknownTool(server, name);
    const text = detail === 'full' ? this.#parts.text.full(tool) : this.#listText([{ server, tool }], detail, false);
    return this.#answer(text, { tools: [toolData(server, tool)] });
  }

  #tools(server: ToolboxServer, detail: InspectDetail, position: number): CallResult {
    if (server.tools.length === 0 && troubleOf(server) !== '') return this.#parts.failures.unavailable(server);
    const found = server.tools.map((tool) => ({ server, tool }));
    const trouble = troubleOf(server);
    const heading = `${server.name}: ${countOf(server)}${trouble && ` (${trouble})`}`;
    const about = position === 0 ? (server.instructions?.trim() ?? '') : '';
    return this.#list(found, detail, position, [heading, about]);
  }

  #search({ query = '', server, detail = 'signature' }: InspectArguments, position: number): CallResult {
    const hits = this.#parts.registry
      .search(query)
      .filter((hit) => server === EVERY_SERVER || hit.server.name === server)
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
  ): CallResult {
    const page = pageOf(found, position, this.#parts.options.pageTokens, (some) =>
      this.#listText(some, detail, isMixed),
    );
    const legend = detail === 'signature' ? LEGEND : '';
    const cursor = page.next === undefined ? undefined : listCursor(page.next);
    const data = page.items.map(({ server, tool }) => toolData(server, tool));
    const text = [
      ...heading,
      legend,
      page.text,
      cursor ? moreNote(page.from, page.items.length, found.length, cursor) : '',
    ];
    return this.#answer(text.filter((line) => line !== '').join('\n'), {
      tools: data,
      ...(cursor && { next_cursor: cursor }),
    });
  }

  #listText(found: readonly Found[], detail: InspectDetail, isMixed: boolean): string {
    const { text } = this.#parts;
    const listed = found.map(({ server, tool }) => ({ tool, ...(isMixed && { of: server.name }) }));
    if (detail === 'signature') return text.list(listed);
    if (detail === 'full') return found.map(({ tool }) => text.full(tool)).join('\n\n');
    return listed.map(({ tool, of }) => `${tool.name}${of ? ` (server ${of})` : ''}`).join('\n');
  }

  #servers(position: number): CallResult {
    const { registry, options } = this.#parts;
    const page = pageOf(registry.servers, position, options.pageTokens, (servers) =>
      servers.map((server) => `${serverEntry(server, 'count').trim()}`).join('\n'),
    );
    const cursor = page.next === undefined ? undefined : listCursor(page.next);
    const note = cursor ? `\n${moreNote(page.from, page.items.length, registry.servers.length, cursor)}` : '';
    return this.#answer(`${page.text || 'No servers are configured.'}${note}`, {
      servers: page.items.map(serverData),
      ...(cursor && { next_cursor: cursor }),
    });
  }

  #readOn(cursor: string): CallResult {
    const page = this.#parts.kept.read(cursor);
    if (!page) return errorResult('This result is no longer kept. Call the tool again.');
    const content = [{ type: 'text', text: page.text }, noteOf(page)];
    return this.#withData(content, page.next ? { next_cursor: page.next } : {});
  }

  #answer(text: string, data: Record<string, unknown>): CallResult {
    return this.#withData([{ type: 'text', text }], data);
  }

  #withData(content: CallResult['content'], data: Record<string, unknown>): CallResult {
    return this.#parts.options.structuredContent ? { content, structuredContent: data } : { content };
  }
}

function moreNote(from: number, shown: number, all: number, cursor: string): string {
  return `[${from + 1} to ${from + shown} of ${all}. Read on with the same arguments and "cursor": "${cursor}"]`;
}
