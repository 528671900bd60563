import { MCPProxy, type MCPRequest, type ServerConnection, type ToolboxServer, type ToolCall } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { atEnd, DOORS, enter, serving } from './doors.js';
import { MemoryToolbox } from './memory-toolbox.js';

const RELATED = 'io.modelcontextprotocol/related-task';
const ANY = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) } };
type Fields = Record<string, unknown>;

/** Two servers that give every task the same id. */
class Tasks extends MemoryToolbox {
  readonly requests: string[] = [];
  connection: ServerConnection | undefined;

  constructor() {
    const capabilities = {
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    };
    super(
      ['good', 'evil'].map((name): ToolboxServer => {
        const tools = [{ name: `do_${name}`, inputSchema: { type: 'object' } }];
        return { name, state: 'ready', tools, capabilities };
      }),
    );
    this.answer = () => ({ task: { taskId: '1', status: 'working' } }) as never;
  }

  override call(call: ToolCall) {
    if (this.connection) call.onSent?.(this.connection);
    return super.call(call);
  }

  override async request(server = '', { method, params }: MCPRequest = { method: '' }): Promise<Fields> {
    this.requests.push(`${method} ${String(params?.taskId)} ${server}`);
    if (params?.taskId !== undefined && params.taskId !== '1') throw Object.assign(new Error('no'), { code: -32_602 });
    if (method === 'tasks/list') return { tasks: [{ taskId: '1', status: server }] };
    if (method === 'tasks/get') return { taskId: '1', status: server };
    return { content: [{ type: 'text', text: server }], _meta: { [RELATED]: { taskId: '1' } } };
  }
}

const send = async (client: Client, method: string, params: Fields = {}) =>
  (await client.request({ method, params }, ANY)) as Fields;
const begin = async (client: Client, server: string) => {
  const { task } = await send(client, 'tools/call', { name: `do_${server}`, arguments: {}, task: { ttl: 60_000 } });
  return String((task as Fields).taskId);
};
/** A client of MCP 2025 with a session. */
async function connected(url: URL): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  atEnd(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}
const passThrough = { serve: { passThrough: true } };

verifies('SEC-TASK-01', 'a server cannot take over the task of another one by its id', async () => {
  const toolbox = new Tasks();
  const proxy = new MCPProxy(toolbox);
  const url = await serving(proxy, { passThrough: true });
  const [client, other] = [await connected(url), await connected(url)];
  const own = await begin(client, 'good');
  const ofOther = await begin(other, 'good');
  const forged = [await begin(client, 'evil'), await begin(other, 'evil')];
  expect([own, ofOther, ...forged]).toEqual(['good:1', 'good:1', 'evil:1', 'evil:1']);
  for (const each of [client, other]) {
    expect(await send(each, 'tasks/get', { taskId: own })).toMatchObject({ taskId: own, status: 'good' });
    const result = await send(each, 'tasks/result', { taskId: own });
    expect(result).toMatchObject({ content: [{ text: 'good' }], _meta: { [RELATED]: { taskId: own } } });
    await send(each, 'tasks/cancel', { taskId: own });
    expect((await send(each, 'tasks/list')).tasks).toEqual([
      { taskId: 'good:1', status: 'good' },
      { taskId: 'evil:1', status: 'evil' },
    ]);
  }
  expect(toolbox.requests.filter((request) => request.startsWith('tasks/cancel'))).toEqual([
    'tasks/cancel 1 good',
    'tasks/cancel 1 good',
  ]);
  await expect(send(client, 'tasks/get', { taskId: '1' })).rejects.toMatchObject({ code: -32_602 });
});

verifies('SEC-TASK-01', 'after a restart, only the server of a task is asked for it', async () => {
  const toolbox = new Tasks();
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const client = await enter(new MCPProxy(toolbox), DOORS[3], { ...passThrough, capabilities });
  expect(await send(client, 'tasks/get', { taskId: 'evil:1' })).toMatchObject({ status: 'evil' });
  for (const taskId of ['good:2', 'none:1', '1', '%:1']) {
    await expect(send(client, 'tasks/get', { taskId })).rejects.toMatchObject({
      message: expect.stringContaining(`Task not found: ${taskId}`),
    });
  }
  expect(toolbox.requests).toEqual(['tasks/get 1 evil', 'tasks/get 2 good']);
});

verifies('SEC-TASK-01', 'an id that a server gives out again belongs to the client of the new task only', async () => {
  const toolbox = new Tasks();
  const url = await serving(new MCPProxy(toolbox), { passThrough: true });
  const [first, second, third] = [await connected(url), await connected(url), await connected(url)];
  const denied = { code: -32_602, message: expect.stringContaining('Task not found') };
  const shared = { isOpen: true };
  toolbox.connection = shared;
  const taskId = await begin(first, 'good');
  toolbox.connection = { isOpen: true }; // A connection of its own, with tasks of its own.
  expect(await begin(second, 'good')).toBe(taskId);
  expect(await send(first, 'tasks/get', { taskId })).toMatchObject({ taskId });
  shared.isOpen = false; // The server is restarted.
  toolbox.connection = { isOpen: true };
  expect(await begin(third, 'good')).toBe(taskId);
  await expect(send(first, 'tasks/result', { taskId })).rejects.toMatchObject(denied);
  expect((await send(first, 'tasks/list')).tasks).toEqual([]);
  expect(await send(second, 'tasks/get', { taskId })).toMatchObject({ taskId });
  await begin(first, 'good');
  await expect(send(third, 'tasks/get', { taskId })).rejects.toMatchObject(denied);
});

verifies('SEC-TASK-01', 'the state of a task on the connection of one client goes to that client only', async () => {
  const toolbox = new Tasks();
  const url = await serving(new MCPProxy(toolbox), { passThrough: true });
  const clients = [await connected(url), await connected(url)];
  const calls: ToolCall[] = [];
  const answer = toolbox.answer;
  toolbox.answer = (call) => {
    calls.push(call);
    return answer(call);
  };
  const seen: unknown[][] = [[], []];
  for (const [index, client] of clients.entries()) {
    client.fallbackNotificationHandler = async ({ params }) => void seen[index]?.push(params?.statusMessage);
    await begin(client, 'good');
  }
  const report = (statusMessage: string, client?: object) =>
    toolbox.events.emit('taskStatus', {
      server: 'good',
      params: { taskId: '1', status: 'working', statusMessage },
      client,
    });
  report('own', calls[1]?.client);
  report('shared');
  await expect.poll(() => seen).toEqual([['shared'], ['own', 'shared']]);
});

verifies('SEC-TASK-01', 'a client that begins very many tasks forgets its own', async () => {
  const toolbox = new Tasks();
  let count = 0;
  toolbox.answer = () => ({ task: { taskId: String(++count), status: 'working' } }) as never;
  const url = await serving(new MCPProxy(toolbox, { limits: { tasks: 5 } }), { passThrough: true });
  const [victim, other] = [await connected(url), await connected(url)];
  const taskId = await begin(victim, 'good');
  for (let n = 0; n < 12; n++) await begin(other, 'good');
  expect(await send(victim, 'tasks/get', { taskId })).toMatchObject({ taskId });
  await expect(send(other, 'tasks/get', { taskId })).rejects.toMatchObject({ code: -32_602 });
});
