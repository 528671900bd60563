import { HubError } from '@a2c/hub';
import { type CallToolResult, Emitter } from '@a2c/protocol';
import type { Toolbox, ToolboxEvents, ToolboxServer, ToolCall } from '@a2c/proxy';

/** A toolbox without connections: servers as data, and a function that answers calls. */
export class MemoryToolbox implements Toolbox {
  /** The calls that ran. */
  readonly calls: ToolCall[] = [];
  readonly events = new Emitter<ToolboxEvents>();
  #servers: readonly ToolboxServer[];
  answer: (call: ToolCall) => CallToolResult | Promise<CallToolResult> = () => ({ content: [] });

  constructor(servers: readonly ToolboxServer[]) {
    this.#servers = servers;
  }

  servers(): readonly ToolboxServer[] {
    return this.#servers;
  }

  /** Replaces the servers and emits the change. */
  become(servers: readonly ToolboxServer[]): void {
    this.#servers = servers;
    this.events.emit('serversChanged');
  }

  async call(call: ToolCall): Promise<CallToolResult> {
    const { server, arguments: args, consent } = call;
    const tool = this.#servers.find(({ name }) => name === server)?.tools.find(({ name }) => name === call.tool);
    if (tool && consent && !(await consent({ server, tool, arguments: args }))) {
      throw new HubError('consent-denied', 'consent was not given');
    }
    this.calls.push(call);
    return this.answer(call);
  }

  request(): Promise<Record<string, unknown>> {
    return Promise.reject(new Error('this toolbox has only tools'));
  }

  subscribe(): Promise<() => void> {
    return Promise.reject(new Error('this toolbox has only tools'));
  }

  on<E extends keyof ToolboxEvents>(event: E, listener: (value: ToolboxEvents[E]) => void): () => void {
    return this.events.on(event, listener);
  }
}
