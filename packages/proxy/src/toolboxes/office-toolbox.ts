import type { Agent, AgentOptions, RemoteComputer } from '@a2c/agent';
import { HubError } from '@a2c/hub';
import { type CallToolResult, Emitter, MAX_TOOLS, withFailureText } from '@a2c/protocol';
import type { MCPRequest, ServerState, Toolbox, ToolboxEvents, ToolboxServer, ToolCall } from '../toolbox.js';
import { failureText, hubErrorFrom } from './office-errors.js';
import { OfficeSeat } from './office-seat.js';
import { areSame, type OfficeServer, officeServers } from './office-servers.js';
import { OfficeSkills } from './office-skills.js';

/** A person at the Computer may have to be asked first. */
const CALL_SECONDS = 120;

/** A shorter loss of the connection is not reported. */
const WAIT_MS = 5_000;

/** What is left for a call at least, when its proxy has joined again. */
const MIN_CALL_SECONDS = 1;

const METHOD_NOT_FOUND = -32601;

/** Options of `OfficeToolbox`: those of its Agent, and the times for calls. */
export interface OfficeOptions extends AgentOptions {
  /** Timeout of a call in seconds, if the call itself has none. Default 120. */
  readonly callSeconds?: number | undefined;
  /** How long joining or reconnecting may take before the office counts as unavailable. Calls wait as long. */
  readonly waitMs?: number | undefined;
  /** Receives problems that no call reports, such as lost connections and failed list requests. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * The MCP servers of all Computers in an office, each as `computer/server`. Joins the office as an Agent, of which an
 * office has one at a time, and re-joins by itself. An office supports tool calls and skills: no resources, prompts or
 * server requests.
 *
 * @example
 * ```ts
 * const toolbox = new OfficeToolbox({ url: 'https://smcp.example.org', office: 'demo', name: 'desk' });
 * await toolbox.settled();
 * serveStdio(new MCPProxy(toolbox));
 * ```
 */
export class OfficeToolbox implements Toolbox {
  readonly skills: OfficeSkills;
  readonly #office: string;
  readonly #callSeconds: number;
  readonly #onWarning: (message: string) => void;
  /** The Computers with too many tools that were reported. */
  readonly #reported = new Set<string>();
  readonly #seat: OfficeSeat;
  readonly #events = new Emitter<ToolboxEvents>();
  readonly #waiting = new Set<() => void>();
  /** The servers as last reported by the office. */
  #known: readonly OfficeServer[] = [];
  #servers: readonly ToolboxServer[];

  /**
   * Joins in the background.
   *
   * @throws {OptionsError} The options are invalid, so that joining can never succeed.
   */
  constructor({ callSeconds, waitMs, onWarning = () => {}, ...agent }: OfficeOptions) {
    this.#office = agent.office;
    this.#onWarning = onWarning;
    this.#callSeconds = callSeconds ?? CALL_SECONDS;
    this.#servers = [this.#officeItself('starting')];
    this.#seat = new OfficeSeat({
      agent,
      waitMs: waitMs ?? WAIT_MS,
      onChange: () => this.#update(),
      onWarning,
    });
    this.skills = new OfficeSkills((signal) => this.#seated(signal));
    this.#seat.join();
  }

  servers(): readonly ToolboxServer[] {
    return this.#servers;
  }

  async call({ server, tool, arguments: args, signal, timeout, onProgress }: ToolCall): Promise<CallToolResult> {
    const startedAt = performance.now();
    const agent = await this.#seated(signal);
    const known = this.#known.find((each) => each.server.name === server);
    if (!known) throw new HubError('unknown-server', `there is no "${server}" in the office`);
    const { computer, bundleId } = known;
    const seconds = timeout ?? this.#callSeconds;
    // The time without a seat is part of the call.
    const left = Math.max(MIN_CALL_SECONDS, Math.ceil(seconds - (performance.now() - startedAt) / 1_000));
    try {
      const result = await agent.callTool(computer, tool, { ...args }, { timeout: left, signal, onProgress, bundleId });
      const text = failureText(result, { computer, tool });
      return onlyResult(text === undefined ? result : withFailureText(result, text));
    } catch (error) {
      throw signal?.aborted ? cancelled() : hubErrorFrom(error, { computer, tool, seconds });
    }
  }

  request(server: string, { method }: MCPRequest): Promise<Record<string, unknown>> {
    const message = `${method}: "${server}" is reached through an office, which has tools only`;
    return Promise.reject(new HubError('upstream', message, { code: METHOD_NOT_FOUND }));
  }

  async subscribe(server: string): Promise<() => void> {
    await this.request(server, { method: 'resources/subscribe' });
    return () => {};
  }

  on<E extends keyof ToolboxEvents>(event: E, listener: (value: ToolboxEvents[E]) => void): () => void {
    return this.#events.on(event, listener);
  }

  /** Resolves when the servers of the office are known, the office is unavailable, or the signal aborts. */
  async settled(signal?: AbortSignal): Promise<void> {
    const isOver = () => signal?.aborted || !this.#servers.some(({ state }) => state === 'starting');
    await this.#until(isOver, signal);
  }

  /** Leaves the office. Pending calls are cancelled. */
  async close(): Promise<void> {
    await this.#seat.close();
  }

  /** The Agent, once joined. Waits while it joins; fails if the office is unavailable. */
  async #seated(signal: AbortSignal | undefined): Promise<Agent> {
    await this.#until(() => signal?.aborted || this.#seat.status.kind !== 'joining', signal);
    if (signal?.aborted) throw cancelled();
    const { status } = this.#seat;
    if (status.kind === 'unavailable') throw new HubError('not-connected', status.cause);
    return this.#seat.agent;
  }

  #until(isOver: () => boolean | undefined, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isOver()) return;
        this.#waiting.delete(look);
        signal?.removeEventListener('abort', look);
        resolve();
      };
      this.#waiting.add(look);
      signal?.addEventListener('abort', look);
      look();
    });
  }

  /** Replaces the servers and emits an event if they differ. */
  #update(): void {
    const servers = this.#present();
    if (!areSame(servers, this.#servers)) {
      this.#servers = servers;
      this.#events.emit('serversChanged');
    }
    for (const look of this.#waiting) look();
  }

  /**
   * Servers of an unavailable office stay in the catalogue with the reason, so that a model does not look for others.
   */
  #present(): readonly ToolboxServer[] {
    const { status, agent } = this.#seat;
    if (status.kind === 'joined') {
      this.#reportTooMany(agent.computers.values());
      this.#known = officeServers(agent.computers.values());
    }
    const servers = this.#known.map(({ server }) => server);
    if (status.kind === 'unavailable') {
      const { cause } = status;
      if (servers.length === 0) return [this.#officeItself('failed', cause)];
      return servers.map((server) => ({ ...server, state: 'failed', cause }));
    }
    if (servers.length > 0) return servers;
    if (status.kind === 'joining') return [this.#officeItself('starting')];
    return [this.#officeItself('stopped', 'no Computer is in this office at present')];
  }

  #reportTooMany(computers: Iterable<RemoteComputer>): void {
    for (const { name, tools } of computers) {
      if (tools.length < MAX_TOOLS) this.#reported.delete(name);
      else if (!this.#reported.has(name)) {
        this.#reported.add(name);
        this.#onWarning(`the Computer "${name}" has ${MAX_TOOLS} tools or more; the first ${MAX_TOOLS} are listed`);
      }
    }
  }

  /** The entry in the catalogue while the office has no Computer. */
  #officeItself(state: ServerState, cause?: string): ToolboxServer {
    return { name: this.#office, state, ...(cause !== undefined && { cause }), tools: [] };
  }
}

/** The result of a tool without the fields by which a Computer would ask the client in the name of a2c. */
function onlyResult({ content, structuredContent, isError, _meta }: CallToolResult): CallToolResult {
  return {
    content,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError !== undefined && { isError }),
    ...(_meta !== undefined && { _meta }),
  };
}

function cancelled(): HubError {
  return new HubError('cancelled', 'the call was cancelled');
}
