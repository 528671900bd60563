import type { ProtocolEra, ServedClient } from '@a2c/hub';
import { raceSignal } from '@a2c/protocol';
import type { ClientCapabilities } from '@modelcontextprotocol/server';
import type { ServerRequest, ServerRequestHandler } from '../toolbox.js';
import { withinCapabilities } from './client-capabilities.js';

/** The levels of log messages, least severe first. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** URLs of one client that are remembered; the oldest are forgotten first. */
const MAX_URLS = 1_000;

/** One client of the proxy, as the toolbox sees it. */
export class ConnectedClient implements ServedClient {
  readonly era: ProtocolEra;
  readonly isStateless: boolean;
  readonly isDirect: boolean;
  /** Declared in `initialize`, or with each request. */
  capabilities: ClientCapabilities = {};
  /** Requested with `logging/setLevel`, or with each request. */
  logLevel: string | undefined;
  /** Sends a request of a server that belongs to no call. Only the older generation has such requests. */
  readonly #asking: Promise<ServerRequestHandler>;
  /** Call this when the client can be asked: servers may start, and ask, before its handshake has ended. */
  canBeAsked: (ask: ServerRequestHandler) => void = () => {};
  /** The ids of the URLs that it was asked to open. */
  readonly #urls = new Set<string>();
  /** Created when it is asked for: a stateless client lives for one request. */
  #closing: AbortController | undefined;

  readonly address: string | undefined;

  /** `isDirect`: it sees the tools, resources and prompts of the servers themselves. */
  constructor(era: ProtocolEra, isStateless: boolean, isDirect: boolean, address?: string) {
    this.era = era;
    this.address = address;
    this.isDirect = isDirect;
    this.isStateless = isStateless;
    this.#asking = new Promise((resolve) => {
      this.canBeAsked = resolve;
    });
  }

  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  get #closed(): AbortController {
    this.#closing ??= new AbortController();
    return this.#closing;
  }

  /** Call this when the client has disconnected. */
  close(): void {
    this.#closed.abort(new Error('the client has disconnected'));
  }

  /**
   * Whether it wants a log message, by the level of a request of MCP 2026 or that of the connection. Without a level,
   * newer clients want none and older ones all.
   */
  wantsLog({ level }: Readonly<Record<string, unknown>>, requested?: string): boolean {
    const wanted = this.era === 'modern' ? requested : this.logLevel;
    if (wanted === undefined) return this.era === 'legacy';
    return LEVELS.indexOf(level as string) >= LEVELS.indexOf(wanted);
  }

  /** Remembers the URL that a question asks the client to open: its server reports when a person has finished. */
  asked({ elicitationId }: Readonly<Record<string, unknown>> = {}): void {
    if (typeof elicitationId !== 'string') return;
    this.#urls.add(elicitationId);
    const [oldest = ''] = this.#urls;
    if (this.#urls.size > MAX_URLS) this.#urls.delete(oldest);
  }

  /** Whether it was asked to open the URL with this id. */
  wasAsked(elicitationId: unknown): boolean {
    return this.#urls.has(elicitationId as string);
  }

  /** Answers `elicitation/create` outside of calls. */
  readonly onElicit = (params: object, { server, signal }: { readonly server: string; readonly signal: AbortSignal }) =>
    this.#answer({ method: 'elicitation/create', server, params: { ...params }, signal }) as never;

  /** Answers `sampling/createMessage` outside of calls. */
  readonly onSample = (params: object, { server, signal }: { readonly server: string; readonly signal: AbortSignal }) =>
    this.#answer({ method: 'sampling/createMessage', server, params: { ...params }, signal }) as never;

  /** Answers `roots/list` outside of calls. */
  readonly onRoots = ({ signal }: { readonly signal: AbortSignal }) =>
    this.#answer({ method: 'roots/list', signal }) as never;

  async #answer(request: ServerRequest): Promise<Record<string, unknown>> {
    if (this.era === 'modern') throw new Error('the client can only be asked during a call');
    const ask = await raceSignal(raceSignal(this.#asking, this.signal), request.signal);
    return withinCapabilities(ask, this.capabilities)(request);
  }
}
