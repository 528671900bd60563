import type { ServedClient } from '@a2c/hub';
import { isRecord } from '@a2c/protocol';
import { MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { displayName } from '../text/one-line.js';
import type { MCPRequest, ServerConnection, Toolbox, ToolboxCallOptions, ToolboxServer } from '../toolbox.js';
import type { ConnectedClient } from './connected-client.js';
import { RELATED_TASK } from './lenient-server.js';

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

/** Of the tasks of clients without sessions: any client with the id may use them. */
const ANYONE = {};

/**
 * The tasks of all clients of an endpoint, and whose they are. A client knows a task by an id that names its server, so
 * that no server can answer for the task of another one, also after a restart of the proxy.
 */
export class TaskTable {
  readonly #toolbox: Toolbox;
  readonly #maxTasks: number;
  /**
   * The clients that may use each task, with the connection on which it began. None: they have left. Ids may be easy to
   * guess, so no other client may.
   */
  readonly #owners = new Map<string, Map<object, ServerConnection | undefined>>();

  constructor(toolbox: Toolbox, maxTasks: number) {
    this.#toolbox = toolbox;
    this.#maxTasks = maxTasks;
  }

  /** Remembers the task that a call has begun. Returns the result for the client. */
  add<T extends Fields>(
    begun: T,
    { server, connection }: { readonly server: string; readonly connection?: ServerConnection | undefined },
    client: ConnectedClient | undefined,
  ): T {
    const result = showTasks(server, begun);
    const { taskId } = isRecord(result.task) ? result.task : result;
    if (typeof taskId !== 'string') return result;
    const owners = this.#owners.get(taskId) ?? new Map();
    // Two connections to one server may count their tasks from 1. A server that was restarted gives out its ids again.
    for (const [owner, other] of owners) if (other && (other === connection || !other.isOpen)) owners.delete(owner);
    owners.set(!client || client.isStateless ? ANYONE : client, connection);
    if (this.#owners.size >= this.#maxTasks) this.#forget();
    this.#owners.set(taskId, owners);
    return result;
  }

  /** Forgets the oldest task of the owner with the most: an owner does not lose its tasks by those of others. */
  #forget(): void {
    const counts = new Map<object | undefined, number>();
    for (const owners of this.#owners.values()) {
      const owner = ownerIn(owners);
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    const [oldest] = [...this.#owners].find(([, owners]) => counts.get(ownerIn(owners)) === most) ?? [];
    if (oldest !== undefined) this.#owners.delete(oldest);
  }

  /** The client has left. */
  release(client: object): void {
    for (const owners of this.#owners.values()) owners.delete(client);
  }

  /** Whether a message about a task is for this client. */
  isFor(taskId: unknown, client: object): boolean {
    return this.#owners.get(taskId as string)?.has(client) === true;
  }

  /**
   * Sends a request about one task to its server. For clients without sessions, the id alone identifies a task: the
   * server may know one that no call here has begun.
   *
   * @throws ProtocolError that names the task when the client has no such task, or its server does not know it.
   */
  async send({ method, params = {} }: MCPRequest, options: ToolboxCallOptions): Promise<Fields> {
    const shown = String(params.taskId);
    const task = taskOf(shown);
    const owners = this.#owners.get(shown);
    const { client, onLog } = options;
    const mayUse = owners
      ? owners.has(ANYONE) || (client !== undefined && owners.has(client))
      : client?.isStateless === true && task !== undefined && this.#servers().includes(task.server);
    if (!task || !mayUse) throw client && lacksExtension(client) ? MISSING_EXTENSION : notFound(shown);
    const { server, taskId } = task;
    try {
      const result = await this.#toolbox.request(
        server,
        { method, params: { ...params, taskId } },
        {
          ...options,
          signal: options.signal,
          ...(method === 'tasks/result' && { timeout: RESULT_TIMEOUT_SECONDS }),
          ...(onLog && { onLog: (log) => onLog(showTasks(server, log)) }),
        },
      );
      return showTasks(server, result);
    } catch (error) {
      throw owners || !isUnknownTask(error) ? error : notFound(shown);
    }
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
      if (Array.isArray(result.tasks))
        tasks.push(...result.tasks.filter(isRecord).map((task) => showTasks(server, task)));
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

/** Undefined: they have left. */
const ownerIn = (owners: ReadonlyMap<object, unknown>): object | undefined => owners.keys().next().value;

/** The id of a task as clients know it. */
const shownTask = (server: string, taskId: string): string => `${encodeURIComponent(server)}:${taskId}`;

/** The task that a client means. */
function taskOf(shown: string): { readonly server: string; readonly taskId: string } | undefined {
  const end = shown.indexOf(':');
  try {
    return end < 0 ? undefined : { server: decodeURIComponent(shown.slice(0, end)), taskId: shown.slice(end + 1) };
  } catch {
    return undefined; // No id of this proxy.
  }
}

/** A message of a server with the ids of tasks as clients know them. */
export function showTasks<T extends Fields>(server: string, message: T): T {
  return withTasks(message, (taskId) => shownTask(server, taskId));
}

/** A message of a client with the ids of tasks as their servers know them. */
export function ownTasks<T extends Fields>(message: T): T {
  return withTasks(message, (taskId) => taskOf(taskId)?.taskId ?? taskId);
}

function withTasks<T extends Fields>(message: T, idOf: (taskId: string) => string): T {
  const { taskId, task, _meta: meta } = message;
  const related = isRecord(meta) ? meta[RELATED_TASK] : undefined;
  return {
    ...message,
    ...(typeof taskId === 'string' && { taskId: idOf(taskId) }),
    ...(isRecord(task) && { task: withTasks(task, idOf) }),
    ...(isRecord(related) && { _meta: { ...(meta as Fields), [RELATED_TASK]: withTasks(related, idOf) } }),
  };
}

/** Whether a server answered that it has no such task. After any other failure, it may have the task. */
function isUnknownTask(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  // Servers of MCP 2025 have no `tasks/update`.
  return code === ProtocolErrorCode.InvalidParams || code === ProtocolErrorCode.MethodNotFound;
}

/** Whether a client of MCP 2026 uses tasks without declaring it. */
function lacksExtension({ era, capabilities = {} }: ServedClient): boolean {
  return era === 'modern' && capabilities.extensions?.[TASKS_EXTENSION] === undefined;
}

const MISSING_EXTENSION = new MissingRequiredClientCapabilityError({
  requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
});

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
