// An MCP server of 2026-07-28 with the tools that the conformance suite expects for the extension for tasks, over
// Streamable HTTP. Prints its URL.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const ask = (message, properties) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required: Object.keys(properties) } });

/** The SDK has no tasks on the side of a server: it rejects results of this type. */
class TaskServer extends Server {
  _wrapHandler(method, handler) {
    return method === 'tools/call' ? handler : super._wrapHandler(method, handler);
  }
}

/** A task, and its responses by the key of the input request. */
class Task {
  state = { taskId: randomUUID(), status: 'working', ttlMs: 600_000, pollIntervalMs: 100, createdAt: now() };
  #inputs = {};
  #responses = {};
  #answered = () => {};

  constructor(work) {
    work(this).then(
      (result) => this.#end({ status: 'completed', result }),
      ({ message }) => this.#end({ status: 'failed', error: { code: ProtocolErrorCode.InternalError, message } }),
    );
  }

  get detailed() {
    const inputs = Object.keys(this.#inputs).length > 0;
    const asked = inputs && { status: 'input_required', inputRequests: this.#inputs };
    return { ...this.state, lastUpdatedAt: now(), ...asked };
  }

  input(inputRequests) {
    this.#inputs = inputRequests;
    return new Promise((resolve) => {
      this.#answered = resolve;
    });
  }

  respond(responses = {}) {
    for (const [key, response] of Object.entries(responses)) {
      if (!this.#inputs[key]) continue;
      this.#responses[key] = response;
      const { [key]: _, ...others } = this.#inputs;
      this.#inputs = others;
    }
    if (Object.keys(this.#inputs).length === 0) this.#answered(this.#responses);
  }

  #end(end) {
    if (this.state.status === 'working') this.state = { ...this.state, ...end };
  }

  cancel() {
    this.#inputs = {};
    this.#end({ status: 'cancelled' });
  }
}

const now = () => new Date().toISOString();
const after = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** `begin` runs before a task exists and may require input. */
const TOOLS = {
  greet: { run: ({ name }) => text(`Hello, ${name}!`) },
  slow_compute: {
    properties: { seconds: { type: 'number' } },
    task: async ({ seconds = 0 }) => {
      await after(seconds);
      return text('computed');
    },
  },
  failing_job: {
    isRequired: true,
    task: async () => {
      await after(0.5);
      return { ...text('it did not work'), isError: true };
    },
  },
  protocol_error_job: {
    task: async () => {
      throw new Error('broken');
    },
  },
  confirm_delete: {
    task: async (_args, task) => {
      const { answer } = await task.input({ answer: ask('Delete?', { confirm: { type: 'boolean' } }) });
      return text(answer.action);
    },
  },
  multi_input: {
    task: async (_args, task) => {
      await task.input({
        first: ask('First?', { a: { type: 'string' } }),
        second: ask('Second?', { b: { type: 'string' } }),
      });
      return text('both');
    },
  },
  test_tool_with_task: {
    isRequired: true,
    begin: ({ user_name }) =>
      user_name
        ? undefined
        : inputRequired({ inputRequests: { user_name: ask('Who?', { name: { type: 'string' } }) } }),
    task: async (_args, _task, { user_name }) => text(`Hello, ${user_name.content.name}!`),
  },
};

const tasks = new Map();

function taskServer() {
  const server = new TaskServer(
    { name: 'tasks', version: '1.0.0' },
    { capabilities: { tools: {}, extensions: { [EXTENSION]: {} } } },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(TOOLS).map(([name, { properties = {} }]) => ({
      name,
      description: `The tool ${name}`,
      inputSchema: { type: 'object', properties },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
    const tool = TOOLS[name];
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    if (tool.run) return tool.run(args);
    const inputs = mcpReq.inputResponses ?? {};
    const question = tool.begin?.(inputs);
    if (question) return question;
    if (tool.isRequired) requireExtension(mcpReq);
    const task = new Task((made) => tool.task(args, made ?? task, inputs));
    if (!hasExtension(mcpReq)) return ended(task);
    tasks.set(task.state.taskId, task);
    return { resultType: 'task', ...task.state, lastUpdatedAt: now() };
  });
  const handle = (method, answer) =>
    server.setRequestHandler(method, { params: ANY }, ({ taskId }, { mcpReq }) => {
      requireExtension(mcpReq);
      const task = tasks.get(taskId);
      if (!task) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown task');
      return answer(task, mcpReq) ?? {};
    });
  handle('tasks/get', (task) => task.detailed);
  handle('tasks/update', (task, { inputResponses }) => task.respond(inputResponses));
  handle('tasks/cancel', (task) => task.cancel());
  return server;
}

const ANY = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };

async function ended(task) {
  while (task.state.status === 'working') await after(0.02);
  return task.state.result ?? { ...text('failed'), isError: true };
}

const hasExtension = ({ envelope }) => envelope?.[CLIENT_CAPABILITIES_META_KEY]?.extensions?.[EXTENSION] !== undefined;

function requireExtension(mcpReq) {
  if (hasExtension(mcpReq)) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [EXTENSION]: {} } } });
}

const handler = toNodeHandler(createMcpHandler(taskServer, { legacy: 'reject' }));
const http = createServer((request, response) => void handler(request, response));
http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
