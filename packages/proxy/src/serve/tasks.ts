import { isRecord } from '@a2c/protocol';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { displayName } from '../text/one-line.js';
import type { MCPRequest, Toolbox, ToolboxCallOptions, ToolboxServer } from '../toolbox.js';
import type { ConnectedClient } from './connected-client.js';

type Fields = Readonly<Record<string, unknown>>;

/** The extension of MCP 2026-07-28 for tasks. Before it, they were a capability of their own. */
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The requests about one task, named by `taskId`. */
export const TASK_METHODS = {
  legacy: ['tasks/get', 'tasks/result', 'tasks/cancel'],
  modern: ['tasks/get', 'tasks/update', 'tasks/cancel'],
} as const;

/** The result of a task may take as long as the client waits for it. */
const RESULT_TIMEOUT_SECONDS = 86_400;

interface KnownTask {
  readonly server: string;
  /** Only this client may use the task. Undefined if it has no session: any client with the id may. */
  readonly owner: object | undefined;
}

/** The owner of the tasks of clients that have left. Ids may be easy to guess, so no other client may use them. */
const LEFT = {};

/** The tasks of all clients of an endpoint: which server runs each, and whose it is. */
export class TaskTable {
  readonly #toolbox: Toolbox;
  readonly #maxTasks: number;
  readonly #tasks = new Map<string, KnownTask>();

  constructor(toolbox: Toolbox, maxTasks: number) {
    this.#toolbox = toolbox;
    this.#maxTasks = maxTasks;
  }

  /** Remembers the task that a call has begun. */
  add(result: Fields, server: string, client: ConnectedClient | undefined): void {
    const { taskId } = isRecord(result.task) ? result.task : result;
    if (typeof taskId !== 'string') return;
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size >= this.#maxTasks && oldest !== undefined) this.#tasks.delete(oldest);
    this.#tasks.set(taskId, { server, owner: client?.isStateless ? undefined : client });
  }

  /** The client has left. */
  release(client: object): void {
    for (const [id, { server, owner }] of this.#tasks) {
      if (owner === client) this.#tasks.set(id, { server, owner: LEFT });
    }
  }

  /** Whether a message about a task is for this client. */
  isFor(taskId: unknown, client: object): boolean {
    return this.#tasks.get(String(taskId))?.owner === client;
  }

  /**
   * Sends a request about one task to its server. For clients without sessions, the id alone identifies a task: any
   * server may know one that no call here has begun.
   *
   * @throws ProtocolError that names the task when the client has no such task, or no server knows it.
   */
  async send(request: MCPRequest, options: ToolboxCallOptions): Promise<Fields> {
    const taskId = String(request.params?.taskId);
    const known = this.#tasks.get(taskId);
    const isAnyones = known ? known.owner === undefined : options.client?.isStateless === true;
    if (!isAnyones && (!known || known.owner !== options.client)) throw notFound(taskId);
    const timeout = request.method === 'tasks/result' ? { timeout: RESULT_TIMEOUT_SECONDS } : {};
    const ask = (server: string) => this.#toolbox.request(server, request, { ...options, ...timeout });
    if (known) return ask(known.server);
    let failure: unknown = notFound(taskId);
    for (const server of this.#servers()) {
      try {
        return await ask(server);
      } catch (error) {
        if (options.signal?.aborted) throw error;
        if (!isUnknownTask(error)) failure = error;
      }
    }
    throw failure;
  }

  /** The tasks of a client on all servers. A server that fails is left out. */
  async list(options: ToolboxCallOptions, maxPages: number): Promise<readonly unknown[]> {
    const lists = this.#servers().map((server) => this.#listOf(server, options, maxPages).catch(() => []));
    const isOwn = (task: unknown) =>
      isRecord(task) && options.client !== undefined && this.isFor(task.taskId, options.client);
    return (await Promise.all(lists)).flat().filter(isOwn);
  }

  async #listOf(server: string, options: ToolboxCallOptions, maxPages: number): Promise<readonly unknown[]> {
    const tasks: unknown[] = [];
    let cursor: unknown;
    for (let page = 0; page < maxPages; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await this.#toolbox.request(server, { method: 'tasks/list', params }, options);
      if (Array.isArray(result.tasks)) tasks.push(...result.tasks);
      cursor = result.nextCursor;
      if (typeof cursor !== 'string') break;
    }
    return tasks;
  }

  #servers(): readonly string[] {
    const hasTasks = ({ state, capabilities = {} }: ToolboxServer) =>
      state === 'ready' &&
      (capabilities.tasks !== undefined ||
        (isRecord(capabilities.extensions) && capabilities.extensions[TASKS_EXTENSION] !== undefined));
    return this.#toolbox
      .servers()
      .filter(hasTasks)
      .map(({ name }) => name);
  }
}

/** Whether a server answered that it has no such task. After any other failure, it may have the task. */
function isUnknownTask(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  // Servers of MCP 2025 have no `tasks/update`.
  return code === ProtocolErrorCode.InvalidParams || code === ProtocolErrorCode.MethodNotFound;
}

function notFound(taskId: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Task not found: ${displayName(taskId)}`);
}

const ALL_TASKS: Fields = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

/** What the servers declare besides the capabilities that a proxy always has. */
export function declaredByServers(
  servers: readonly ToolboxServer[],
  era: ConnectedClient['era'],
): {
  readonly tasks?: Record<string, unknown>;
  readonly extensions?: Record<string, never>;
  readonly experimental?: Record<string, never>;
} {
  const all = servers.map(({ capabilities = {} }) => capabilities);
  // A server that is starting may have tasks, and a client learns it only once.
  const starting = servers.some(({ state }) => state === 'starting') ? [ALL_TASKS] : [];
  const tasks = all.flatMap((each) => (isRecord(each.tasks) ? [each.tasks] : starting)).reduce(merged, {});
  const extensions: Fields = Object.assign({}, ...all.map((each) => each.extensions).toReversed());
  const experimental = Object.assign({}, ...all.map((each) => each.experimental).toReversed());
  const { [TASKS_EXTENSION]: _, ...others } = extensions;
  const shown = era === 'modern' ? extensions : others;
  return {
    ...(era === 'legacy' && Object.keys(tasks).length > 0 && { tasks }),
    ...(Object.keys(experimental).length > 0 && { experimental }),
    ...(Object.keys(shown).length > 0 && { extensions: shown as Record<string, never> }),
  };
}

function merged(one: Fields, other: Fields): Fields {
  const both = Object.entries(other).map(([key, value]) => {
    const known = one[key];
    return [key, isRecord(known) && isRecord(value) ? merged(known, value) : value];
  });
  return { ...one, ...Object.fromEntries(both) };
}
