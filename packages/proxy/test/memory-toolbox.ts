import type { CallToolResult, Toolbox, ToolboxEvent, ToolboxServer, ToolCall } from '@a2c/proxy';

/** Servers as data, for rules that need no wire. */
export class MemoryToolbox implements Toolbox {
  readonly calls: ToolCall[] = [];
  readonly #listeners = new Set<(event: ToolboxEvent) => void>();
  #servers: readonly ToolboxServer[];
  answer: (call: ToolCall) => CallToolResult | Promise<CallToolResult> = () => ({ content: [] });

  constructor(servers: readonly ToolboxServer[]) {
    this.#servers = servers;
  }

  servers(): readonly ToolboxServer[] {
    return this.#servers;
  }

  /** Swaps the servers and tells everybody. */
  become(servers: readonly ToolboxServer[]): void {
    this.#servers = servers;
    for (const listener of this.#listeners) listener({ kind: 'changed', what: 'tools' });
  }

  async call(call: ToolCall): Promise<CallToolResult> {
    this.calls.push(call);
    return this.answer(call);
  }

  request(): Promise<Record<string, unknown>> {
    return Promise.reject(new Error('this toolbox has nothing but tools'));
  }

  follow(): Promise<() => void> {
    return Promise.reject(new Error('this toolbox has nothing but tools'));
  }

  subscribe(listener: (event: ToolboxEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
