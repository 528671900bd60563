import { HubError, type ServedClient } from '@a2c/hub';
import { type CallToolResult, matchesPattern } from '@a2c/protocol';
import {
  type MCPRequest,
  OWN_NAME,
  type Toolbox,
  type ToolboxCallOptions,
  type ToolboxEvents,
  type ToolboxServer,
  type ToolboxSkills,
  type ToolboxTool,
  type ToolCall,
} from '../toolbox.js';

/**
 * Which tools of a toolbox are used. A pattern is the name of a server, or `server/tool`; `*` stands for any
 * characters. What `deny` names is left out, also if `allow` names it. Skills are selected by their names.
 */
export interface ToolSelection {
  /** Only these; absent: all. */
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** Whether a selection leaves nothing out. */
export function isEverything({ allow, deny = [] }: ToolSelection): boolean {
  return allow === undefined && deny.length === 0;
}

/** Whether one of the patterns names the tool or its whole server. */
export function isNamed(patterns: readonly string[], server: string, tool: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, server) || matchesPattern(pattern, `${server}/${tool}`));
}

/**
 * The patterns that name none of these servers, tools and skills. A pattern for tools of a server that is not ready
 * may name some.
 */
export function unmatchedPatterns(
  patterns: readonly string[],
  servers: readonly ToolboxServer[],
  skills: readonly string[],
): readonly string[] {
  const names = servers.flatMap(({ name, tools }) => [
    name,
    ...tools.flatMap((tool) => namesOf(tool).map((own) => `${name}/${own}`)),
  ]);
  const unknown = servers.filter(({ state }) => state !== 'ready').map(({ name }) => name);
  return patterns.filter(
    (pattern) =>
      ![...names, ...skills].some((name) => matchesPattern(pattern, name)) &&
      !unknown.some((name) => matchesPattern(serverPart(pattern), name)),
  );
}

/** A part of another toolbox: the tools that are not selected are neither listed nor called. */
export class SelectedToolbox implements Toolbox {
  readonly #toolbox: Toolbox;
  readonly #selection: ToolSelection;
  #source: readonly ToolboxServer[] | undefined;
  #servers: readonly ToolboxServer[] = [];

  /** The caller keeps ownership of the toolbox. */
  constructor(toolbox: Toolbox, selection: ToolSelection) {
    this.#toolbox = toolbox;
    this.#selection = selection;
  }

  servers(): readonly ToolboxServer[] {
    const source = this.#toolbox.servers();
    if (source !== this.#source) {
      this.#source = source;
      this.#servers = source.flatMap((server) => {
        const tools = server.tools.filter((tool) => this.#isSelected(server.name, namesOf(tool)));
        const knownNames = server.knownNames?.filter((name) => this.#isSelected(server.name, [name]));
        const isShown = tools.length > 0 || this.#isSelectedServer(server);
        return isShown ? [{ ...server, tools, ...(knownNames && { knownNames }) }] : [];
      });
    }
    return this.#servers;
  }

  async call(call: ToolCall): Promise<CallToolResult> {
    const { server, tool } = call;
    const { tools = [] } = this.#toolbox.servers().find(({ name }) => name === server) ?? {};
    const own = call.client && this.#toolbox.toolsFor?.(call.client)?.get(server);
    const named = [...tools, ...(own ?? [])].filter((each) => namesOf(each).includes(tool));
    if (this.#isSelected(server, [tool, ...named.flatMap(namesOf)])) return this.#toolbox.call(call);
    throw new HubError('forbidden-tool', `the tool "${tool}" is not selected in this proxy`, { server, tool });
  }

  async request(server: string, request: MCPRequest, options: ToolboxCallOptions): Promise<Record<string, unknown>> {
    this.#checkServer(server);
    return this.#toolbox.request(server, request, options);
  }

  get skills(): ToolboxSkills | undefined {
    const { skills } = this.#toolbox;
    if (!skills) return undefined;
    const isSelected = (name: string) => this.#isSelectedName(name);
    return {
      get areOffered() {
        return skills.areOffered;
      },
      prepare: async () => skills.prepare?.(),
      async list(options) {
        const listed = await skills.list(options);
        return { ...listed, skills: listed.skills.filter(({ name }) => isSelected(name)) };
      },
      async read(reference, options) {
        const { skills: listed } = await this.list(options);
        if (listed.some(({ name }) => reference === name || reference.startsWith(`${name}/`)))
          return skills.read(reference, options);
        throw new HubError('forbidden-tool', `the skill "${reference}" is not selected in this proxy`);
      },
      onChange: (listener) => skills.onChange(listener),
    };
  }

  async prepareClient(client: ServedClient, timeoutMs: number): Promise<void> {
    await this.#toolbox.prepareClient?.(client, timeoutMs);
  }

  clientChanged(client: ServedClient, what: 'roots' | 'logLevel'): void {
    this.#toolbox.clientChanged?.(client, what);
  }

  async logIn(server: string, options: ToolboxCallOptions): Promise<boolean> {
    this.#checkServer(server);
    return (await this.#toolbox.logIn?.(server, options)) === true;
  }

  toolsFor(client: ServedClient): ReadonlyMap<string, readonly ToolboxTool[]> | undefined {
    const all = this.#toolbox.toolsFor?.(client);
    if (!all) return undefined;
    const selected = (server: string, tools: readonly ToolboxTool[]) =>
      tools.filter((tool) => this.#isSelected(server, namesOf(tool)));
    return new Map([...all].map(([server, tools]) => [server, selected(server, tools)]));
  }

  async subscribe(server: string, uris: readonly string[], options: ToolboxCallOptions): Promise<() => void> {
    this.#checkServer(server);
    return this.#toolbox.subscribe(server, uris, options);
  }

  on<E extends keyof ToolboxEvents>(event: E, listener: (value: ToolboxEvents[E]) => void): () => void {
    return this.#toolbox.on(event, listener);
  }

  /** By any name of a tool: its own, and its alias. */
  #isSelected(server: string, names: readonly string[]): boolean {
    const { allow, deny = [] } = this.#selection;
    const isIn = (patterns: readonly string[]) => names.some((name) => isNamed(patterns, server, name));
    return (allow === undefined || isIn(allow)) && !isIn(deny);
  }

  #isSelectedName(skill: string): boolean {
    const { allow, deny = [] } = this.#selection;
    const isIn = (patterns: readonly string[]) => patterns.some((pattern) => matchesPattern(pattern, skill));
    return (allow === undefined || isIn(allow)) && !isIn(deny);
  }

  /** A server without tools is shown if the selection could name some: it may be starting, or have only resources. */
  #isSelectedServer({ name, tools }: ToolboxServer): boolean {
    const { allow, deny = [] } = this.#selection;
    if (deny.some((pattern) => matchesPattern(pattern, name)) || tools.length > 0) return false;
    return (
      allow === undefined ||
      allow.some((pattern) => matchesPattern(pattern, name) || matchesPattern(serverPart(pattern), name))
    );
  }

  #checkServer(server: string): void {
    if (this.servers().some(({ name }) => name === server)) return;
    throw new HubError('unknown-server', `the server "${server}" is not selected in this proxy`, { server });
  }
}

function namesOf({ name, [OWN_NAME]: own }: ToolboxTool): readonly string[] {
  return own === undefined ? [name] : [name, own];
}

/** `computer/server` of `computer/server/tool`. */
const serverPart = (pattern: string): string => pattern.slice(0, Math.max(0, pattern.lastIndexOf('/')));
