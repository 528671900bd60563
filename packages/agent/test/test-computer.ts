import {
  errorAnswer,
  GENERATIONS,
  type Generation,
  handshakeHint,
  META_KEYS,
  SMCPError,
  type SMCPTool,
  type ToolCallReq,
  VERSION_QUERY,
  wireName,
  wireNames,
} from '@a2c/protocol';
import { io, type Socket } from 'socket.io-client';
import { onTestFinished } from 'vitest';

export function tool(name: string, fields: Partial<SMCPTool> = {}): SMCPTool {
  return {
    name,
    description: `does ${name}`,
    params_schema: { type: 'object', properties: { text: { type: 'string' } } },
    return_schema: null,
    meta: {},
    ...fields,
  };
}

export const text = (content: string, isError = false) => ({ content: [{ type: 'text', text: content }], isError });

export interface ComputerOptions {
  readonly name?: string;
  readonly office?: string;
  readonly dialect?: Generation;
  readonly tools?: readonly SMCPTool[];
  readonly apiKey?: string;
  /** As Computers of a2c do. */
  readonly adapts?: boolean;
}

/** A Computer over raw Socket.IO: runs each `(agent, req_id)` once, supports cancellation, reports changes. */
export class TestComputer {
  readonly name: string;
  readonly office: string;
  readonly dialect: Generation;
  readonly socket: Socket;
  tools: readonly SMCPTool[];
  /** The request ids that were run, in order. */
  readonly runs: string[] = [];
  /** Every received request. */
  readonly heard: { event: string; payload: Record<string, unknown> }[] = [];
  /** The request ids that were cancelled. */
  readonly stopped: string[] = [];
  readonly #results = new Map<string, Promise<object>>();
  readonly #running = new Map<string, (result: object) => void>();

  constructor(
    url: string,
    { name = 'pc', office = 'o', dialect = '0.4', tools = [tool('echo')], apiKey, adapts = true }: ComputerOptions,
  ) {
    this.name = name;
    this.office = office;
    this.dialect = dialect;
    this.tools = tools;
    this.socket = io(`${url}/smcp`, {
      forceNew: true,
      reconnection: false,
      transports: ['websocket'],
      auth: { ...handshakeHint(dialect), adapts, ...(apiKey && { api_key: apiKey }) },
      query: { [VERSION_QUERY]: GENERATIONS[dialect].version, office },
    });
    onTestFinished(() => void this.socket.disconnect());
    this.socket.onAny((event, payload) => this.heard.push({ event, payload }));
    this.socket.on('client:tool_call', async (call: ToolCallReq, ack) => ack(await this.#once(call)));
    this.socket.on('client:get_tools', ({ req_id }, ack) => ack({ tools: this.tools, req_id }));
    this.socket.on('client:get_desktop', ({ req_id, desktop_size = 2, window }, ack) =>
      ack({ desktops: window ? [window] : ['window://one', 'window://two'].slice(0, desktop_size), req_id }),
    );
    for (const event of wireNames('client:get_config')) {
      this.socket.on(event, (_request, ack) => ack({ servers: { files: { type: 'stdio' } }, inputs: [{ id: 'key' }] }));
    }
    this.socket.on('notify:tool_call_cancel', ({ agent, req_id }) => {
      this.stopped.push(req_id);
      this.#running.get(`${agent} ${req_id}`)?.({
        ...text('Tool call cancelled', true),
        meta: { [META_KEYS.cancelled]: true },
      });
    });
  }

  static async join(url: string, options: ComputerOptions = {}): Promise<TestComputer> {
    const computer = new TestComputer(url, options);
    const join = { role: 'computer', name: computer.name, office_id: computer.office };
    const [ok, reason] = await new Promise<[boolean, string]>((resolve) =>
      computer.socket.emit('server:join_office', join, (...ack: [boolean, string]) => resolve(ack)),
    );
    if (!ok) throw new Error(reason);
    return computer;
  }

  announce(event: 'server:update_config' | 'server:update_tool_list' | 'server:update_desktop'): void {
    this.socket.emit(wireName(event, this.dialect), { computer: this.name });
  }

  /** Completes every call that waits in the tool `gate`. */
  openGate(): void {
    for (const answer of this.#running.values()) answer(text('through'));
  }

  get waiting(): number {
    return this.#running.size;
  }

  #once(call: ToolCallReq): Promise<object> {
    const key = `${call.agent} ${call.req_id}`;
    if (!this.#results.has(key)) this.#results.set(key, this.#run(key, call));
    return this.#results.get(key) as Promise<object>;
  }

  async #run(key: string, { tool_name, params, req_id }: ToolCallReq): Promise<object> {
    this.runs.push(req_id);
    if (tool_name === 'echo') return text(String(params.text));
    if (tool_name === 'fail') return text('it broke', true);
    if (tool_name === 'deny') return errorAnswer(new SMCPError('ToolDisabled', 'switched off'));
    if (tool_name === 'silent') return new Promise(() => {});
    const answer = await new Promise<object>((resolve) => this.#running.set(key, resolve));
    this.#running.delete(key);
    return answer;
  }
}
