import type { CallToolResult } from '@a2c/protocol';
import { serverEntry, serverProblem, toolCount } from '../catalogue/catalogue.js';
import { estimateTokens } from '../catalogue/estimate-tokens.js';
import { callExpression, serverExpression } from '../code/call-expression.js';
import type { ProxyOptions } from '../options.js';
import type { Registry } from '../registry.js';
import { type ErrorResults, errorResult } from '../results/error-results.js';
import { continuationNote, type TruncatedTexts, truncate } from '../results/truncate.js';
import type { LocatedTool } from '../search/tool-search.js';
import { cutLine, displayName } from '../text/one-line.js';
import { quoted } from '../text/quoted.js';
import type { ToolboxServer } from '../toolbox.js';
import { EVERY_SERVER, type InspectDetail, readInspectArguments } from './definitions.js';
import { PageCache } from './page-cache.js';
import { endedList, type ListPage, listText, pageOf, positionOf } from './pages.js';
import { type FormattedTool, type FormattedTools, formatName, type ToolFormatter } from './tool-formatter.js';

const MAX_HITS = 10;
/** A match with a smaller share of the best score is left out. The best one can match by a word of another meaning. */
const MIN_SHARE = { ofFirst: 0.1, ofOthers: 0.25 };
/** This many matches are the first ones. */
const FIRST_HITS = 5;
const MAX_CAUSE = 120;

/** Longer queries are cut: the search compares every word with every tool. */
const MAX_QUERY = 256;

/** Explains a line of the list, once per answer. */
const LEGEND = 'name {arguments}: description';

/** A cursor of a result is read on. The rest of a result is not searched. */
const QUERY_UNUSED = '[The query was not used: this cursor reads on in a result. To search tools, leave out "cursor".]';

/** The query as it is searched for. */
export const searchText = (query: string): string => cutLine(query, MAX_QUERY);

/** One page of a list: text for a model, and the same as data. */
interface Page {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A list that is shown in pages. */
interface InspectedList<T> {
  readonly items: readonly T[];
  readonly format: (items: readonly T[]) => Page;
  /** Names the list among all that depend on nothing but the servers and their tools. Its pages are kept. */
  readonly key?: string;
}

interface InspectorContext {
  readonly registry: Registry;
  readonly formatter: ToolFormatter;
  readonly errors: ErrorResults;
  readonly rests: TruncatedTexts;
  readonly options: ProxyOptions;
  readonly isCodeOffered: () => boolean;
}

/** The tool `inspect`: lists servers and tools, shows schemas, searches, and returns the rest of truncated results. */
export class Inspector {
  readonly #context: InspectorContext;
  readonly #pages = new PageCache<ListPage<unknown> & Page>();

  /** @hidden */
  constructor(context: InspectorContext) {
    this.#context = context;
  }

  /** Answers one call of `inspect`. Wrong arguments give a result with `isError`. */
  run(given: Readonly<Record<string, unknown>>): CallToolResult {
    const asked = readInspectArguments(given);
    if (typeof asked === 'string') return errorResult(`Invalid arguments for inspect: ${asked}`);
    if (asked.cursor?.startsWith('result:')) return this.#readOn(asked.cursor, asked.query !== undefined);
    const position = positionOf(asked.cursor);
    if (position === undefined) return errorResult(`"${displayName(asked.cursor ?? '')}" is not a cursor of inspect`);

    const server = asked.server === undefined ? undefined : this.#context.registry.getServerInfo(asked.server);
    const isEveryServer = asked.server === undefined || asked.server === EVERY_SERVER;
    if (!server && !isEveryServer) return this.#context.errors.unknownServer(asked.server ?? '');
    if (asked.tool) return this.#tool(asked.tool, server, asked.detail ?? 'full');
    if (asked.query) return this.#search(asked.query, server, asked.detail ?? 'signature', position);
    return server ? this.#tools(server, asked.detail ?? 'signature', position) : this.#servers(position);
  }

  /** One tool of one server, or all tools of that name. */
  #tool(name: string, server: ToolboxServer | undefined, detail: InspectDetail): CallToolResult {
    const { registry, errors } = this.#context;
    const found = (server ? [server] : registry.servers).flatMap((owner) => {
      const tool = registry.getTool(owner.name, name);
      return tool ? [{ server: owner, tool }] : [];
    });
    if (found.length === 0) return server ? errors.unknownTool(server, name) : errors.unknownToolAnywhere(name);
    const { text, data } = this.#formatter(detail, server === undefined)(found);
    return this.#answer(text, data);
  }

  #tools(server: ToolboxServer, detail: InspectDetail, position: number): CallToolResult {
    const problem = serverProblem(server);
    if (server.tools.length === 0 && problem !== '') return this.#context.errors.unavailable(server);
    const found = server.tools.map((tool) => ({ server, tool }));
    const heading = `${displayName(server.name)}: ${toolCount(server)}${problem && ` (${problem})`}`;
    const instructions = server.instructions?.trim();
    const about = position === 0 && instructions ? quoted(instructions) : '';
    const call = this.#context.isCodeOffered() ? `In code: await ${serverExpression(server)}.name(arguments)` : '';
    return this.#list(found, detail, position, [heading, about, call]);
  }

  #search(asked: string, server: ToolboxServer | undefined, detail: InspectDetail, position: number): CallToolResult {
    const query = searchText(asked);
    const found = this.#context.registry
      .search(query)
      .filter((hit) => server === undefined || hit.server === server)
      .slice(0, MAX_HITS);
    const best = found[0]?.score ?? 0;
    const hits = found.filter(
      ({ score }, place) => score >= best * (place < FIRST_HITS ? MIN_SHARE.ofFirst : MIN_SHARE.ofOthers),
    );
    if (hits.length === 0) return this.#nothingFound(query, server);
    return this.#list(hits, detail, position, [`Best matches for "${query}"`], true);
  }

  /** Nothing found is not the end: the servers and what they are about show what to ask for. */
  #nothingFound(query: string, server: ToolboxServer | undefined): CallToolResult {
    const { servers } = this.#context.registry;
    const [owner = server] = server ? [server] : servers.length === 1 ? servers : [];
    const nothing = `No tool matches "${query}".`;
    if (!owner) return this.#servers(0, `${nothing} The servers:`);
    const tools = owner.tools.map((tool) => ({ server: owner, tool }));
    return this.#list(tools, 'names', 0, [`${nothing} The tools of ${displayName(owner.name)}:`]);
  }

  #list(
    found: readonly LocatedTool[],
    detail: InspectDetail,
    position: number,
    heading: readonly string[],
    isMixed = false,
  ): CallToolResult {
    const headings = [...heading, detail === 'signature' ? LEGEND : ''];
    const list = { items: found, format: this.#formatter(detail, isMixed) };
    const [first] = found;
    // What a search finds depends on more than the list of tools.
    if (isMixed || !first) return this.#paged(list, position, headings);
    return this.#paged({ ...list, key: JSON.stringify([first.server.name, detail]) }, position, headings);
  }

  /** Writes tools that all begin a list. Those that are written one by one are written once. */
  #formatter(detail: InspectDetail, isMixed: boolean): (found: readonly LocatedTool[]) => Page {
    const { formatter } = this.#context;
    const isCodeOffered = this.#context.isCodeOffered();
    const serverOf = (found: readonly LocatedTool[]) => (isMixed ? undefined : found[0]?.server.name);
    const listedOf = ({ server, tool }: LocatedTool) => ({
      tool,
      server: isMixed ? server.name : undefined,
      call: isCodeOffered ? callExpression(server, tool) : undefined,
    });
    if (detail === 'names') {
      return (found) => ({
        text: found.map((each) => formatName(listedOf(each))).join('\n'),
        data: { names: namesByServer(found) },
      });
    }
    if (detail === 'signature') {
      return (found) => {
        const formatted = formatter.list(found.map(listedOf));
        return { text: formatted.text, data: dataOf(formatted, serverOf(found)) };
      };
    }
    const written = new Map<LocatedTool, FormattedTool>();
    const writtenOf = (each: LocatedTool) => {
      const known = written.get(each) ?? formatter.full(listedOf(each), detail === 'schema');
      written.set(each, known);
      return known;
    };
    return (found) => {
      const all = found.map(writtenOf);
      const data = dataOf({ data: all.map(({ data }) => data), declarations: [] }, serverOf(found));
      return { text: all.map(({ text }) => text).join('\n\n'), data };
    };
  }

  #servers(position: number, heading = ''): CallToolResult {
    const { servers } = this.#context.registry;
    const headings = [servers.length === 0 ? 'No servers are configured.' : heading];
    const format = (page: readonly ToolboxServer[]) => ({
      text: page.map((server) => serverEntry(server, 'subjects').trim()).join('\n'),
      data: { servers: page.map(serverData) },
    });
    return this.#paged({ items: servers, format, key: '' }, position, headings);
  }

  #paged<T>(list: InspectedList<T>, position: number, heading: readonly string[]): CallToolResult {
    const { length } = list.items;
    if (position > 0 && position >= length) return errorResult(endedList(length));
    const tokens = this.#context.options.pageTokens - estimateTokens(heading.join('\n'));
    const write = () => writePage(list, position, tokens);
    const { servers } = this.#context.registry;
    const page =
      list.key === undefined ? write() : this.#pages.get(servers, `${position} ${tokens} ${list.key}`, write);
    const { text, cursor } = listText(heading, page, length);
    return this.#answer(text, { ...page.data, ...(cursor && { next_cursor: cursor }) });
  }

  #readOn(cursor: string, isQueried: boolean): CallToolResult {
    const page = this.#context.rests.read(cursor);
    if (!page) return errorResult('This result is no longer kept. Call the tool again.');
    const content = [{ type: 'text', text: page.text }, continuationNote(page)];
    if (isQueried) content.push({ type: 'text', text: QUERY_UNUSED });
    return this.#withData(content, page.next ? { next_cursor: page.next } : {});
  }

  /** Even the text of one tool can be too long for one answer. */
  #answer(text: string, data: Readonly<Record<string, unknown>>): CallToolResult {
    const { options, rests } = this.#context;
    return this.#withData(truncate([{ type: 'text', text }], options.maxResultLength, rests), data);
  }

  #withData(content: CallToolResult['content'], data: Readonly<Record<string, unknown>>): CallToolResult {
    return this.#context.options.structuredContent ? { content, structuredContent: data } : { content };
  }
}

function writePage<T>({ items, format }: InspectedList<T>, position: number, tokens: number): ListPage<T> & Page {
  const formatted = new Map<number, Page>(); // all start at the same position
  const formatOnce = (some: readonly T[]) => {
    const known = formatted.get(some.length) ?? format(some);
    formatted.set(some.length, known);
    return known;
  };
  const page = pageOf(items, position, tokens, (some) => formatOnce(some).text);
  return { ...page, data: formatOnce(page.items).data };
}

function dataOf(
  { data, declarations }: Pick<FormattedTools, 'data' | 'declarations'>,
  server: string | undefined,
): Record<string, unknown> {
  return {
    ...(server !== undefined && { server_name: server }),
    tools: data,
    ...(declarations.length > 0 && { types: declarations }),
  };
}

function namesByServer(found: readonly LocatedTool[]): Record<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { server, tool } of found) names.set(server.name, [...(names.get(server.name) ?? []), tool.name]);
  return Object.fromEntries(names);
}

function serverData(server: ToolboxServer): Record<string, unknown> {
  const { name, state, cause, version, tools } = server;
  return {
    name,
    ...(state !== 'ready' && { state }),
    ...(cause !== undefined && { cause: cutLine(cause, MAX_CAUSE) }),
    ...(version !== undefined && { version }),
    tool_count: tools.length,
  };
}
