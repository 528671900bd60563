import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import type { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, inject } from 'vitest';
import { started } from './conformance-suite.js';
import { atEnd, DOORS, type Door, enter } from './doors.js';
import { proxyOver } from './hub-over.js';
import { directly, everything } from './real-servers.js';

const passThrough = { serve: { passThrough: true } };
const ANY = {
  '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value: value as Fields }) },
};
type Fields = Record<string, unknown>;

const send = async (client: Client, method: string, params: object) =>
  (await client.request({ method, params: { ...params } }, ANY)) as Fields;

async function begin(client: Client): Promise<string> {
  const { task } = await send(client, 'tools/call', { ...research, task: { ttl: 60_000 } });
  return String((task as Fields).taskId);
}

const research = { name: 'simulate-research-query', arguments: { topic: 'python', ambiguous: true } };

/** A server with the extension for tasks of MCP 2026-07-28. */
const extended = {
  name: 'extended',
  entry: async () => {
    const server = await started([join(inject('commands'), 'tasks-server.js')], {}, /^(http.*)$/);
    atEnd(() => server[Symbol.asyncDispose]());
    return { type: 'http', url: server.url };
  },
};

const doorsOf = (generation: string) => DOORS.filter((door) => door.generation === generation);

verifies('BRIDGE-TASK-01', 'a call runs as a task of the server, which only its client can see', async () => {
  const proxy = await proxyOver(everything());
  const direct = await directly(everything());
  const other = await enter(proxy, DOORS[2], passThrough);
  const run = async (door: Door) => {
    const client = await enter(proxy, door, { ...passThrough, capabilities: { elicitation: { form: {} } } });
    expect(client.getServerCapabilities()?.tasks).toEqual(direct.getServerCapabilities()?.tasks);
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params._meta);
      return { action: 'accept', content: { interpretation: 'snake' } };
    });
    const states: unknown[] = [];
    client.setNotificationHandler('notifications/tasks/status', { params: ANY }, (params) => {
      states.push((params as Fields).status);
    });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === research.name)?.execution).toEqual({ taskSupport: 'required' });

    const taskId = await begin(client);
    const status = expect.stringMatching(/^(working|input_required)$/); // The server asks after a second.
    expect(await send(client, 'tasks/get', { taskId })).toMatchObject({ taskId, status });
    expect((await send(client, 'tasks/list', {})).tasks).toEqual([expect.objectContaining({ taskId })]);
    await expect(send(other, 'tasks/get', { taskId })).rejects.toMatchObject({ code: -32_602 });
    const result = await send(client, 'tasks/result', { taskId });
    const related = { 'io.modelcontextprotocol/related-task': { taskId } };
    expect(result).toMatchObject({ content: [{ text: expect.stringContaining('python (snake)') }], _meta: related });
    expect(asked).toEqual([expect.objectContaining(related)]);
    await expect.poll(() => states).toContain('completed');
  };
  await Promise.all(doorsOf('2025-11-25').map(run));
  expect((await send(other, 'tasks/list', {})).tasks).toEqual([]);
  const leaving = await enter(proxy, DOORS[2], passThrough);
  const left = await begin(leaving);
  await (leaving.transport as StreamableHTTPClientTransport).terminateSession();
  await leaving.close();
  await expect(send(other, 'tasks/get', { taskId: left })).rejects.toMatchObject({
    message: expect.stringMatching('Task not found'),
  });
  await expect(send(other, 'tasks/get', { taskId: 'guessed' })).rejects.toMatchObject({ code: -32_602 });

  await other.listTools();
  const taskId = await begin(other);
  await send(other, 'tasks/cancel', { taskId });
  expect(await send(other, 'tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
  const failures = [other, direct].map((each) => send(each, 'tools/call', research).catch(({ code }) => code));
  expect(await failures[0]).toEqual(await failures[1]);
});

verifies('BRIDGE-TASK-02', 'the extension for tasks passes to clients on every transport', async () => {
  const extensions = { 'io.modelcontextprotocol/tasks': {} };
  const capabilities = { extensions, elicitation: { form: {} } };
  const proxy = await proxyOver(extended);
  for (const door of doorsOf('2026-07-28')) {
    const client = await enter(proxy, door, { ...passThrough, capabilities });
    expect(client.getServerCapabilities()?.extensions, door.door).toEqual(extensions);
    // The SDK does not accept the result of a call that has begun a task.
    const failure = await send(client, 'tools/call', { name: 'confirm_delete' }).catch((error) => error);
    expect(failure, door.door).toMatchObject({ data: { resultType: 'task' } });
  }
});

const TASK_REQUESTS = {
  '2025-11-25': ['tasks/get', 'tasks/result', 'tasks/cancel'],
  '2026-07-28': ['tasks/get', 'tasks/update', 'tasks/cancel'],
};
verifies(
  'BRIDGE-TASK-05',
  'in both generations, a request about an unknown task fails and names the task',
  async () => {
    const proxy = await proxyOver(everything(), extended);
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    for (const door of DOORS) {
      const client = await enter(proxy, door, { ...passThrough, capabilities });
      for (const method of TASK_REQUESTS[door.generation]) {
        const answer = send(client, method, { taskId: 'gone-7', inputResponses: {} });
        await expect(answer, `${method} of ${door.generation} on ${door.door}`).rejects.toMatchObject({
          code: -32_602,
          message: expect.stringContaining('Task not found: gone-7'),
        });
      }
    }
  },
);

verifies('BRIDGE-TASK-02', 'a tool that runs only as a task returns its result to clients without tasks', async () => {
  const proxy = await proxyOver(everything());
  const args = { topic: 'bees' };
  const newer = await enter(proxy, DOORS[3], passThrough);
  const twoTools = await enter(proxy, DOORS[0]);
  const exec = { server_name: 'everything', tool_name: research.name, arguments: args };
  const results = await Promise.all([
    newer.callTool({ ...research, arguments: args }),
    twoTools.callTool({ name: 'exec', arguments: exec }),
  ]);
  for (const { content } of results) {
    expect(content).toMatchObject([{ text: expect.stringContaining('Research Report: bees') }]);
  }
});

const waiting = [
  { client: 'of 2025 on stdio', door: DOORS[0], direct: true },
  { client: 'of 2025 on http', door: DOORS[2], direct: true },
  { client: 'of 2025 with the two tools', door: DOORS[0], direct: false },
  { client: 'of 2026 with the two tools', door: DOORS[3], direct: false },
];
verifies('BRIDGE-TASK-04', 'clients without the 2026 extension get the results of its tasks', async () => {
  const proxy = await proxyOver(extended);
  const getResults = async ({ client: kind, door, direct }: (typeof waiting)[number]) => {
    const capabilities = { elicitation: { form: {} } };
    const serve = { passThrough: direct };
    const client = await enter(proxy, door, { serve, capabilities });
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
      asked.push(message);
      return { action: 'accept', content: { confirm: true, name: 'ann' } };
    });
    const call = (name: string) => {
      const exec = { server_name: 'extended', tool_name: name, arguments: {} };
      return client.callTool(direct ? { name, arguments: {} } : { name: 'exec', arguments: exec });
    };
    expect(await call('failing_job'), kind).toMatchObject({ content: [{ text: 'it did not work' }], isError: true });
    expect(await call('confirm_delete'), kind).toMatchObject({ content: [{ text: 'accept' }] });
    expect(await call('test_tool_with_task'), kind).toMatchObject({ content: [{ text: 'Hello, ann!' }] });
    const title = direct ? '' : 'The MCP server "extended" asks: ';
    expect(asked, kind).toEqual([`${title}Delete?`, `${title}Who?`]);
    const broken = await call('protocol_error_job').catch((error) => error);
    expect(JSON.stringify([broken, broken.message]), kind).toContain('broken');
  };
  await Promise.all(waiting.map(getResults));
});
