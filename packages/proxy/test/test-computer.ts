import { HubError, type MCPServerManager } from '@a2c/hub';
import {
  type ErrorName,
  errorAnswer,
  SMCPError,
  type SMCPTool,
  type ToolCallReq,
  toSMCPTool,
  writeToolResult,
} from '@a2c/protocol';
import { io, type Socket } from 'socket.io-client';
import { atEnd } from './doors.js';

export interface Behaviour {
  readonly tools: () => readonly SMCPTool[];
  readonly run: (call: ToolCallReq, signal: AbortSignal) => Promise<object>;
}

export interface Seat {
  readonly url: string;
  readonly office?: string;
  readonly name?: string;
  readonly apiKey?: string;
  /** The protocol version it announces. */
  readonly version?: string;
}

/** A minimal Computer: joins an office, lists tools, runs and cancels calls. */
export class TestComputer {
  readonly name: string;
  readonly socket: Socket;
  readonly calls: ToolCallReq[] = [];
  readonly #running = new Map<string, AbortController>();

  private constructor({ url, name = 'pc', apiKey, version }: Seat, behaviour: Behaviour) {
    this.name = name;
    const auth = apiKey === undefined ? {} : { api_key: apiKey };
    this.socket = io(`${url}/smcp`, {
      forceNew: true,
      reconnection: false,
      auth,
      ...(version && { query: { a2c_version: version } }),
    });
    atEnd(() => this.leave());
    this.socket.on('client:get_tools', ({ req_id }, ack) => ack({ tools: behaviour.tools(), req_id }));
    this.socket.on('client:tool_call', async (call: ToolCallReq, ack) => {
      const stop = new AbortController();
      this.#running.set(call.req_id, stop);
      this.calls.push(call);
      ack(await behaviour.run(call, stop.signal).catch((error) => errorAnswer(asSMCPError(error))));
      this.#running.delete(call.req_id);
    });
    this.socket.on('notify:tool_call_cancel', ({ req_id }) => this.#running.get(req_id)?.abort());
  }

  static async join(seat: Seat, behaviour: Behaviour): Promise<TestComputer> {
    const computer = new TestComputer(seat, behaviour);
    const request = { role: 'computer', name: computer.name, office_id: seat.office ?? 'demo' };
    const [ok, reason] = await new Promise<[boolean, string]>((resolve) =>
      computer.socket.emit('server:join_office', request, (...ack: [boolean, string]) => resolve(ack)),
    );
    if (!ok) throw new Error(reason);
    return computer;
  }

  announceTools(): void {
    this.socket.emit('server:update_tool_list', { computer: this.name });
  }

  leave(): void {
    this.socket.disconnect();
  }
}

/** A Computer with the servers of a hub; its tools name their server. */
export async function hubComputer(seat: Seat, hub: MCPServerManager): Promise<TestComputer> {
  const computer = await TestComputer.join(seat, {
    tools: () => hub.availableTools().map(({ tool, meta, server }) => toSMCPTool(tool as never, meta, server)),
    run: async ({ tool_name, params }, signal) => {
      const entry = hub.availableTools().find(({ displayName }) => displayName === tool_name);
      if (!entry) throw new SMCPError('ToolNotFound', `Tool '${tool_name}' not found in any active server`);
      return writeToolResult((await hub.callTool(entry.server, tool_name, params as never, { signal })) as never);
    },
  });
  hub.on('tools', () => computer.announceTools());
  return computer;
}

const KINDS: Readonly<Record<string, ErrorName>> = {
  'invalid-arguments': 'BadRequest',
  'unknown-tool': 'ToolNotFound',
};

function asSMCPError(error: unknown): SMCPError {
  if (!(error instanceof HubError)) return SMCPError.from(error);
  const { kind, message, problems } = error;
  return new SMCPError(
    KINDS[kind] ?? 'ToolExecutionFailed',
    message,
    problems.length > 0 ? { details: { problems } } : {},
  );
}
