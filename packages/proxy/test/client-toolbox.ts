import {
  type CallOptions,
  type CallResult,
  type McpRequest,
  type Progress,
  type Question,
  type Toolbox,
  ToolboxError,
  type ToolboxEvent,
  type ToolboxServer,
  type ToolboxTool,
  type ToolCall,
} from '@a2c/proxy';
import { Client, ProtocolError, SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const loose = {
  '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) },
};

const QUESTIONS = ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const;

export interface ServerSpec {
  readonly name: string;
  readonly transport: () => Transport;
  /** Tools whose owner wants to be asked. */
  readonly ask?: readonly string[];
}

/** A child process that speaks MCP on its standard streams. */
export function child(name: string, script: string, ...args: string[]): ServerSpec {
  return {
    name,
    transport: () => new StdioClientTransport({ command: process.execPath, args: [script, ...args], stderr: 'ignore' }),
  };
}

interface Connection {
  readonly client: Client;
  /** Calls that may be asked through; a question goes to the latest of them. */
  readonly asking: Set<CallOptions>;
}

/** A toolbox made of plain SDK clients, the least that can stand behind the proxy: real servers, real wires. */
export class ClientToolbox implements Toolbox {
  #servers: readonly ToolboxServer[] = [];
  readonly #connections = new Map<string, Connection>();
  readonly #listeners = new Set<(event: ToolboxEvent) => void>();

  static async connect(...specs: readonly ServerSpec[]): Promise<ClientToolbox> {
    const toolbox = new ClientToolbox();
    await Promise.all(specs.map((spec) => toolbox.add(spec)));
    return toolbox;
  }

  async add(spec: ServerSpec): Promise<void> {
    const client = new Client(
      { name: 'toolbox', version: '1.0.0' },
      { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } },
    );
    const asking = new Set<CallOptions>();
    for (const method of QUESTIONS)
      client.setRequestHandler(method, (({ params }: McpRequest) => ask(asking, method, params)) as never);
    client.setNotificationHandler('notifications/message', ({ params }) =>
      this.#emit({ kind: 'log', server: spec.name, params: params as Record<string, unknown> }),
    );
    client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) =>
      this.#emit({ kind: 'resource-updated', server: spec.name, uri }),
    );
    client.setNotificationHandler('notifications/tools/list_changed', () => this.#list(spec));
    client.setNotificationHandler('notifications/prompts/list_changed', () =>
      this.#emit({ kind: 'changed', what: 'prompts' }),
    );
    this.#connections.set(spec.name, { client, asking });
    client.onclose = () => this.#put({ name: spec.name, state: 'failed', cause: 'the process ended', tools: [] });
    try {
      await client.connect(spec.transport());
      await this.#list(spec);
    } catch (error) {
      this.#put({ name: spec.name, state: 'failed', cause: (error as Error).message, tools: [] });
    }
  }

  servers(): readonly ToolboxServer[] {
    return this.#servers;
  }

  async call({ server, tool, arguments: args, ...options }: ToolCall): Promise<CallResult> {
    const result = await this.request(
      server,
      { method: 'tools/call', params: { name: tool, arguments: args } },
      options,
    );
    return result as unknown as CallResult;
  }

  async request(server: string, request: McpRequest, options: CallOptions): Promise<Record<string, unknown>> {
    const connection = this.#connections.get(server);
    if (!connection) throw new ToolboxError('server-not-found', `no server ${server}`);
    connection.asking.add(options);
    try {
      const { signal, onProgress } = options;
      const answer = await connection.client.request(
        request as { method: string; params?: Record<string, unknown> },
        loose,
        {
          timeout: 60_000,
          ...(signal && { signal }),
          ...(onProgress && { onprogress: (progress) => onProgress(progress as Progress) }),
        },
      );
      return answer as Record<string, unknown>;
    } catch (error) {
      throw asToolboxError(error);
    } finally {
      connection.asking.delete(options);
    }
  }

  subscribe(listener: (event: ToolboxEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await Promise.all([...this.#connections.values()].map(({ client }) => client.close()));
  }

  async #list({ name, ask: owned = [] }: ServerSpec): Promise<void> {
    const client = this.#connections.get(name)?.client as Client;
    const capabilities = client.getServerCapabilities() ?? {};
    const { tools } = (await client.request({ method: 'tools/list' }, loose)) as { tools: ToolboxTool[] };
    if (capabilities.logging) await client.request({ method: 'logging/setLevel', params: { level: 'debug' } }, loose);
    const instructions = client.getInstructions();
    this.#put({
      name,
      state: 'ready',
      capabilities,
      ...(instructions && { instructions }),
      tools: tools.map((tool) => (owned.includes(tool.name) ? { ...tool, autoApply: false } : tool)),
    });
  }

  #put(server: ToolboxServer): void {
    this.#servers = [...this.#servers.filter(({ name }) => name !== server.name), server];
    this.#emit({ kind: 'changed', what: 'tools' });
  }

  #emit(event: ToolboxEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

async function ask(
  asking: ReadonlySet<CallOptions>,
  method: Question['method'],
  params: McpRequest['params'],
): Promise<Record<string, unknown>> {
  const last = [...asking].findLast((options) => options.ask)?.ask;
  if (last) return last({ method, ...(params && { params }) });
  if (method === 'elicitation/create') return { action: 'cancel' };
  const requiredCapabilities = { [method === 'roots/list' ? 'roots' : 'sampling']: {} };
  throw new ProtocolError(-32021, `nobody can answer ${method}`, { requiredCapabilities });
}

function asToolboxError(error: unknown): Error {
  if (error instanceof ProtocolError) {
    return new ToolboxError('failed', error.message, { rpc: { code: error.code, data: error.data } });
  }
  if (error instanceof SdkError && [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected].includes(error.code)) {
    return new ToolboxError('unavailable', 'not connected');
  }
  return error as Error;
}
