import { HubError } from '@a2c/hub';
import { type CallToolResult, type ContentBlock, isRecord } from '@a2c/protocol';
import type { ProxyOptions } from '../options.js';
import type { Registry } from '../registry.js';
import { type ErrorResults, errorResult } from '../results/error-results.js';
import { type TruncatedTexts, truncate } from '../results/truncate.js';
import { cutLine, displayName } from '../text/one-line.js';
import type { Toolbox, ToolboxCallOptions, ToolboxServer } from '../toolbox.js';
import { listPages } from '../toolboxes/list-pages.js';
import { openingUrls } from './required-urls.js';

const MAX_DESCRIPTION = 120;

interface ContentContext {
  readonly toolbox: Toolbox;
  readonly registry: Registry;
  readonly errors: ErrorResults;
  readonly rests: TruncatedTexts;
  readonly options: ProxyOptions;
}

/** What is asked for besides tools. */
export type ContentRequest =
  | { readonly kind: 'resources' | 'prompts'; readonly server?: string | undefined }
  | { readonly kind: 'read'; readonly server?: string | undefined; readonly uri: string }
  | {
      readonly kind: 'prompt';
      readonly server?: string | undefined;
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    };

/** Where contents come from. */
export interface ContentSources {
  /** Reads a resource of one server, or of the server that has it. */
  readonly read: (uri: string, server: string | undefined) => Promise<Readonly<Record<string, unknown>>>;
  /** The servers that list a prompt. */
  readonly promptOwners: (name: string) => Promise<readonly string[]>;
}

/** Resources and prompts of the servers, for `inspect`: lists, contents, and links in results of tools. */
export class ContentReader {
  readonly #context: ContentContext;

  /** @hidden */
  constructor(context: ContentContext) {
    this.#context = context;
  }

  /** Answers one request. Never rejects: every failure is a result with `isError`. */
  async run(
    request: ContentRequest,
    sources: ContentSources,
    options: ToolboxCallOptions = {},
  ): Promise<CallToolResult> {
    const { registry, errors } = this.#context;
    const wanted = request.server === undefined ? undefined : registry.getServerInfo(request.server);
    if (request.server !== undefined && !wanted) return errors.unknownServer(request.server);
    const capability = request.kind === 'prompts' || request.kind === 'prompt' ? 'prompts' : 'resources';
    const servers = wanted ? [wanted] : registry.servers.filter(({ capabilities }) => capabilities?.[capability]);
    try {
      if (request.kind === 'read') return await this.#read(servers, request, sources);
      if (request.kind === 'prompt') {
        const owner = wanted?.name ?? onlyOwner(request.name, await sources.promptOwners(request.name));
        return await this.#prompt(owner, request, options);
      }
      return this.#answer(await this.#list(servers, request.kind, options));
    } catch (error) {
      return errorResult(error instanceof Error ? error.message : String(error));
    }
  }

  async #list(
    servers: readonly ToolboxServer[],
    kind: 'resources' | 'prompts',
    options: ToolboxCallOptions,
  ): Promise<ContentBlock[]> {
    const { toolbox } = this.#context;
    const { limits } = this.#context.options;
    const lists = await Promise.all(
      servers.map(async ({ name }) => {
        const list = { method: `${kind}/list`, field: kind, maxPages: limits.listPages };
        const lines = (await listPages(toolbox, name, list, options)).map((item) => `- ${lineOf(item)}`);
        return [`${displayName(name)}: ${lines.length} ${kind}`, ...lines].join('\n');
      }),
    );
    const how =
      kind === 'resources' ? 'Read one with server_name and uri.' : 'Get one with server_name and prompt_name.';
    return [{ type: 'text', text: lists.length === 0 ? `No server has ${kind}.` : [...lists, how].join('\n') }];
  }

  async #read(
    servers: readonly ToolboxServer[],
    { uri, server }: Extract<ContentRequest, { kind: 'read' }>,
    { read }: ContentSources,
  ): Promise<CallToolResult> {
    if (servers.length === 0) throw new HubError('refused', 'no server has resources');
    const answer = await read(uri, server);
    const contents = Array.isArray(answer.contents) ? answer.contents.filter(isRecord) : [];
    if (contents.length === 0) throw new HubError('upstream', `the resource "${displayName(uri)}" is empty`);
    return this.#answer(contents.map(blockOf));
  }

  async #prompt(
    server: string,
    { name, arguments: args }: Extract<ContentRequest, { kind: 'prompt' }>,
    options: ToolboxCallOptions,
  ): Promise<CallToolResult> {
    const { toolbox } = this.#context;
    const request = { method: 'prompts/get', params: { name, arguments: args } };
    const answer = await openingUrls(toolbox, options, () => toolbox.request(server, request, options));
    const messages = Array.isArray(answer.messages) ? answer.messages.filter(isRecord) : [];
    return this.#answer(messages.flatMap(({ role, content }) => messageBlocks(role, content)));
  }

  /** With structured content, because `inspect` declares an output schema. */
  #answer(content: readonly ContentBlock[]): CallToolResult {
    const { options, rests } = this.#context;
    const shown = truncate(content, options.maxResultLength, rests);
    return options.structuredContent ? { content: shown, structuredContent: {} } : { content: shown };
  }
}

/** No server gets the arguments of a prompt that it does not list. */
function onlyOwner(prompt: string, owners: readonly string[]): string {
  const [owner, ...others] = owners;
  const shown = displayName(prompt);
  if (owner === undefined) throw new HubError('refused', `no server lists a prompt "${shown}"`);
  if (others.length === 0) return owner;
  const names = owners.map((name) => `"${displayName(name)}"`).join(' and ');
  throw new HubError('refused', `the servers ${names} list a prompt "${shown}": choose one with server_name`);
}

function lineOf(item: unknown): string {
  const { uri, name, description, arguments: args } = isRecord(item) ? item : {};
  const names = Array.isArray(args) ? args.filter(isRecord).map((arg) => `${arg.name}${arg.required ? '' : '?'}`) : [];
  const head = typeof uri === 'string' ? uri : `${name}${names.length > 0 ? ` {${names.join(', ')}}` : ''}`;
  const about = typeof description === 'string' ? description : typeof uri === 'string' ? String(name ?? '') : '';
  return about === '' ? displayName(head) : `${displayName(head)}: ${cutLine(about, MAX_DESCRIPTION)}`;
}

/** Text as text, an image as an image, everything else as an embedded resource. */
function blockOf(resource: Readonly<Record<string, unknown>>): ContentBlock {
  const { text, blob, mimeType } = resource;
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof blob === 'string' && typeof mimeType === 'string' && mimeType.startsWith('image/')) {
    return { type: 'image', data: blob, mimeType };
  }
  return { type: 'resource', resource };
}

function messageBlocks(role: unknown, content: unknown): readonly ContentBlock[] {
  const blocks = [content].flat().filter(isRecord) as unknown as readonly ContentBlock[];
  return blocks.map((block) =>
    block.type === 'text' && typeof block.text === 'string' ? { ...block, text: `${role}: ${block.text}` } : block,
  );
}
