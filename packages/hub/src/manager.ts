import type { JsonObject } from '@a2c/config';
import type { CallToolResult, Window, WindowResource } from '@a2c/protocol';
import { isRecord } from '@a2c/protocol';
import { checkArguments } from './calls/check-arguments.js';
import { finishResult } from './calls/finish-result.js';
import { parameterHeaders } from './calls/parameter-headers.js';
import { LISTS, listAll } from './connection/list-all.js';
import { Deadline } from './deadline.js';
import type { ManagedServer } from './managed-server.js';
import type { CallOptions, RequestOptions } from './manager-options.js';
import { ServerSet } from './server-set.js';
import type { AvailableTool } from './tools/tool-table.js';
import type { WindowWatch } from './windows/window-watch.js';

/** The pool of MCP connections: every server a person owns behind one door, and everything that can be asked of them. */
export class MCPServerManager extends ServerSet {
  /** One flat list; of two servers with one tool name, the one that had it first has it. */
  availableTools(): readonly AvailableTool[] {
    return this.table.all();
  }

  /** The tools of one server, also those whose name another server has. */
  toolsOf(server: string): readonly AvailableTool[] {
    this.get(server);
    return this.table.of(server);
  }

  /** How many tools each server has. */
  toolStats(): ReadonlyMap<string, number> {
    return this.table.stats();
  }

  /** The tool a name or alias stands for, if it may be called. */
  validateToolCall(nameOrAlias: string): AvailableTool {
    return this.table.find(nameOrAlias);
  }

  async executeTool(nameOrAlias: string, parameters: JsonObject, options?: CallOptions): Promise<CallToolResult> {
    const { server, name } = this.table.find(nameOrAlias);
    return this.callTool(server, name, parameters, options);
  }

  /** One call on the long-lived connection: checked, bounded in time, told of when given up, and marked with what its owner says. */
  async callTool(
    server: string,
    tool: string,
    parameters: JsonObject,
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    const managed = this.get(server);
    const deadline = this.#deadline(managed, options, `the call of "${tool}"`);
    try {
      return await managed.use({ ...options, deadline }, async (connection) => {
        const entry = this.table.findIn(server, tool); // Now: a server that was away may have learnt new tools.
        checkArguments(entry, parameters);
        const params = { name: entry.name, arguments: parameters, ...(options.meta && { _meta: options.meta }) };
        const answer = await connection.request('tools/call', params, {
          signal: deadline.signal,
          onProgress: options.onProgress,
          headers: parameterHeaders(entry.tool.inputSchema, parameters),
          answerers: options,
        });
        return this.#transform(managed, entry, parameters, finishResult(answer, entry), deadline);
      });
    } finally {
      deadline.release();
    }
  }

  #transform(
    { name, transformer }: ManagedServer,
    entry: AvailableTool,
    parameters: JsonObject,
    result: CallToolResult,
    { remainingMs }: Deadline,
  ): CallToolResult {
    try {
      return transformer?.transform(result, entry.name, parameters, remainingMs) ?? result;
    } catch (error) {
      const message = `the VRL script failed on a result of "${entry.name}": ${(error as Error).message}`;
      this.tell('warning', { server: name, message });
      return result;
    }
  }

  // ── Windows ──

  async listWindows(uri?: string): Promise<readonly { readonly server: string; readonly resource: WindowResource }[]> {
    return this.#eachWindow(uri, async (server, _watch, resources) =>
      resources.map((resource) => ({ server: server.name, resource })),
    );
  }

  async getWindowsDetails(uri?: string): Promise<readonly Window[]> {
    return this.#eachWindow(uri, (_server, watch, resources) => watch.readAll(resources));
  }

  /** A server that is slow or fails costs its own windows only. */
  async #eachWindow<T>(
    uri: string | undefined,
    show: (server: ManagedServer, watch: WindowWatch, resources: readonly WindowResource[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const shown = [...this.managed.values()].map(async (server) => {
      if (!server.windows) return []; // Nobody starts a server to look through its windows.
      const deadline = new Deadline(this.limits.listTimeout * 2, 'looking at the windows');
      try {
        return await server.use({ deadline }, async () => {
          const resources = (await server.windows?.list()) ?? [];
          const wanted = resources.filter((resource) => uri === undefined || resource.uri === uri);
          return server.windows ? show(server, server.windows, wanted) : [];
        });
      } catch (error) {
        const message = `its windows could not be listed: ${(error as Error).message}`;
        this.tell('warning', { server: server.name, message });
        return [];
      } finally {
        deadline.release();
      }
    });
    return (await Promise.all(shown)).flat();
  }

  // ── Everything else MCP has ──

  listResources(server: string, options?: RequestOptions): Promise<readonly JsonObject[]> {
    return this.#list(server, 'resources', options);
  }

  listResourceTemplates(server: string, options?: RequestOptions): Promise<readonly JsonObject[]> {
    return this.#list(server, 'resourceTemplates', options);
  }

  listPrompts(server: string, options?: RequestOptions): Promise<readonly JsonObject[]> {
    return this.#list(server, 'prompts', options);
  }

  readResource(server: string, uri: string, options?: CallOptions): Promise<JsonObject> {
    return this.request(server, 'resources/read', { uri }, options);
  }

  /** Hear of changes of resources, as `updated`, until the returned function is called; also after a lost connection. */
  async follow(server: string, uris: readonly string[], options: RequestOptions = {}): Promise<() => void> {
    const managed = this.get(server);
    const deadline = this.#deadline(managed, options, 'following resources');
    try {
      return await managed.follow(uris, { deadline });
    } finally {
      deadline.release();
    }
  }

  getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: CallOptions,
  ): Promise<JsonObject> {
    return this.request(server, 'prompts/get', { name, arguments: { ...args } }, options);
  }

  /** Any request, and its result as it came. */
  async request(
    server: string,
    method: string,
    params: JsonObject = {},
    options: CallOptions = {},
  ): Promise<JsonObject> {
    const managed = this.get(server);
    const deadline = this.#deadline(managed, options, method);
    try {
      const meta = options.meta && { _meta: { ...(isRecord(params._meta) && params._meta), ...options.meta } };
      return await managed.request(method, { ...params, ...meta }, { ...options, deadline });
    } finally {
      deadline.release();
    }
  }

  async notify(server: string, method: string, params: JsonObject = {}): Promise<void> {
    const managed = this.get(server);
    const deadline = this.#deadline(managed, {}, method);
    try {
      await managed.use({ deadline }, (connection) => connection.notify(method, params));
    } finally {
      deadline.release();
    }
  }

  async #list(server: string, list: keyof typeof LISTS, options: RequestOptions = {}): Promise<readonly JsonObject[]> {
    const managed = this.get(server);
    const deadline = this.#deadline(managed, options, LISTS[list].method);
    const limits = { pages: this.limits.listPages, items: Number.POSITIVE_INFINITY };
    const warn = (message: string) => this.tell('warning', { server, message });
    try {
      const items = await managed.use({ deadline }, (connection) =>
        listAll(connection, LISTS[list], limits, deadline.signal, warn),
      );
      return items.filter(isRecord) as JsonObject[];
    } finally {
      deadline.release();
    }
  }

  #deadline({ config }: ManagedServer, { timeout, signal }: RequestOptions, what: string): Deadline {
    return new Deadline(timeout ?? config.timeouts.timeout ?? this.limits.callTimeout, what, signal);
  }
}
