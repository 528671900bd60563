import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject, ServerConfig } from '@a2c/config';
import { Backoff } from '@a2c/protocol';
import {
  type Client,
  type Implementation,
  type McpSubscription,
  type Progress,
  SdkError,
  SdkErrorCode,
  type ServerCapabilities,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client';
import { LONGEST_TIMER_MS, raceSignal } from '../deadline.js';
import { HubError } from '../errors.js';
import { Lane } from '../lane.js';
import { CLOSED_HERE, type ServerTransport, type TransportDiagnostics } from '../transports/server-transport.js';
import { explainFailure } from './failures.js';
import { LOOSE_RESULT } from './loose-result.js';
import { type Answerers, createClient, type OurSide } from './our-side.js';
import { inRounds } from './rounds.js';

export type Era = 'legacy' | 'modern';

export interface ConnectionOptions {
  readonly ours: OurSide;
  readonly probeMs: number;
  /** A fresh way to the server; asked again when a server does not survive the question which generation it speaks. */
  readonly openTransport: () => Promise<ServerTransport>;
  /** What an earlier run learnt; null asks the server. */
  readonly knownEra: Era | null;
  readonly onNotification: (connection: Connection, method: string, params: JsonObject) => void;
  /** Takes out of a text what only we and the server know. */
  readonly withoutSecrets: (text: string) => string;
  /** Something that does not stop the connection. */
  readonly onWarning: (error: Error) => void;
  /** The connection ended and nobody here asked for it. */
  readonly onLost: (connection: Connection, error: HubError) => void;
}

export interface ConnectionRequest {
  readonly signal: AbortSignal;
  /** For transports that have headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Whoever made the request, where that is somebody who can be asked. */
  readonly answerers?: Answerers | undefined;
}

/** One live connection to one MCP server, whatever the transport and the generation. */
export class Connection {
  readonly server: ServerConfig;
  readonly #client: Client;
  readonly #transport: ServerTransport;
  readonly #ours: OurSide;
  readonly #onNotification: ConnectionOptions['onNotification'];
  readonly #onLost: (error: unknown) => void;
  readonly #withoutSecrets: ConnectionOptions['withoutSecrets'];
  readonly #listening = new Lane();
  #subscription: McpSubscription | undefined;
  #listenedTo: readonly string[] = [];
  /** Never begun again: a server that ends every subscription is asked less and less. */
  readonly #relistening = new Backoff(LISTEN_AGAIN_MS, LISTEN_AGAIN_AT_MOST_MS);
  #pending = 0;
  #onIdle: (() => void) | undefined;
  #ended = false;

  /** `server` is resolved: it holds secrets and lives as long as the connection. */
  static async open(server: ServerConfig, signal: AbortSignal, options: ConnectionOptions): Promise<Connection> {
    const first = firstGeneration(server, options);
    try {
      return await Connection.#attempt(server, first, signal, options);
    } catch (error) {
      // Some servers end at the first message they do not know. They are asked again, in the way they do know.
      if (first !== 'auto' || signal.aborted || !isNegotiationFailure(error)) throw error;
      return await Connection.#attempt(server, 'legacy', signal, options);
    }
  }

  static async #attempt(
    server: ServerConfig,
    mode: 'auto' | 'legacy',
    signal: AbortSignal,
    options: ConnectionOptions,
  ): Promise<Connection> {
    const version = options.ours.client?.protocol_version;
    const client = createClient(server.name, options.ours, {
      versionNegotiation: { mode, probe: { timeoutMs: options.probeMs } },
      ...(version && mode === 'legacy' && { supportedProtocolVersions: [version] }),
    });
    const transport = await options.openTransport();
    const connection = new Connection(server, client, transport, options);
    try {
      // The SDK does not look at the signal while it asks which generation the server speaks.
      await raceSignal(client.connect(transport, { signal, timeout: LONGEST_TIMER_MS }), signal);
      // Before anything is listed, so that no change can fall in between.
      if (connection.era === 'modern') await raceSignal(connection.#listenAtFirst(options, signal), signal);
      return connection;
    } catch (error) {
      connection.#ended = true;
      const told = signal.aborted ? withJunk(signal.reason, transport) : withEnding(error, transport); // Before we close it ourselves.
      await transport.close();
      throw told;
    }
  }

  private constructor(server: ServerConfig, client: Client, transport: ServerTransport, options: ConnectionOptions) {
    this.server = server;
    this.#client = client;
    this.#transport = transport;
    this.#ours = options.ours;
    this.#onNotification = options.onNotification;
    this.#withoutSecrets = options.withoutSecrets;
    client.fallbackNotificationHandler = async ({ method, params }) => {
      options.onNotification(this, method, (params ?? {}) as JsonObject);
    };
    client.onclose = () => this.#lose(undefined, options);
    // Late answers, junk and the like: nothing anyone can act on, and nothing that harms the connection.
    client.onerror = () => {};
    this.#onLost = (error) => this.#lose(error, options);
  }

  #lose(error: unknown, options: ConnectionOptions): void {
    if (this.#ended) return;
    this.#ended = true;
    const cause = withEnding(error ?? new SdkError(SdkErrorCode.ConnectionClosed, 'it was closed'), this.#transport);
    options.onLost(this, this.#inWords(cause));
  }

  get alive(): boolean {
    return !this.#ended;
  }

  get era(): Era {
    return this.#client.getProtocolEra() ?? 'legacy';
  }

  get protocolVersion(): string | null {
    return this.#client.getNegotiatedProtocolVersion() ?? null;
  }

  get capabilities(): ServerCapabilities {
    return this.#client.getServerCapabilities() ?? {};
  }

  get serverInfo(): Implementation | null {
    return this.#client.getServerVersion() ?? null;
  }

  get instructions(): string | null {
    return this.#client.getInstructions() ?? null;
  }

  get diagnostics(): TransportDiagnostics {
    return this.#transport.diagnostics();
  }

  /** Any request; the answer as it came. Throws `HubError`, or the signal's own reason. */
  async request(method: string, params: JsonObject, request: ConnectionRequest): Promise<JsonObject> {
    const { signal, onProgress, headers, answerers } = request;
    const isModern = this.era === 'modern';
    const options = {
      signal,
      timeout: LONGEST_TIMER_MS,
      ...(onProgress && { onprogress: onProgress }),
      ...(isModern && { allowInputRequired: true, ...(headers && { headers }) }),
    };
    const send = async (sent: JsonObject) =>
      (await this.#client.request({ method, params: sent }, LOOSE_RESULT, options)) as JsonObject;
    this.#pending++;
    try {
      if (!isModern) return await send(params);
      return await inRounds(send, params, asked(answerers, this.#ours), { server: this.server.name, signal });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw this.#explain(error);
    } finally {
      if (--this.#pending === 0) this.#onIdle?.();
    }
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    try {
      await this.#client.notification({ method, params });
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** A failure of the way itself ends the connection here too, so that the next request finds a new one. */
  #explain(error: unknown): HubError {
    const explained = this.#inWords(withEnding(error, this.#transport));
    if (explained.kind === 'connection-lost') this.#onLost(error);
    return explained;
  }

  /** Fit to be shown to anybody: a server may repeat its token in an error, or in its last words. */
  #inWords(error: unknown): HubError {
    return explainFailure(error, this.server.name).mapTexts(this.#withoutSecrets);
  }

  /** True once the server has given us a session it may forget. */
  get hasSession(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  /** Hear of the changes of a resource (the older generation; the newer one names all it wants in `listen`). */
  async subscribe(uri: string, signal: AbortSignal): Promise<void> {
    await this.request('resources/subscribe', { uri }, { signal });
  }

  async unsubscribe(uri: string, signal: AbortSignal): Promise<void> {
    await this.request('resources/unsubscribe', { uri }, { signal });
  }

  /** Hear of the changes of lists and of these resources (the newer generation): a new set replaces the old subscription. */
  async listen(uris: readonly string[]): Promise<void> {
    try {
      await this.#listening.run(() => this.#listen(uris));
    } catch (error) {
      throw this.#inWords(error);
    }
  }

  /** What fails because the start was given up is no news. */
  async #listenAtFirst({ onWarning }: ConnectionOptions, signal: AbortSignal): Promise<void> {
    await this.listen([]).catch((error: Error) => {
      if (!signal.aborted) onWarning(error);
    });
  }

  async #listen(uris: readonly string[]): Promise<void> {
    const { tools, prompts, resources } = this.capabilities;
    const filter: SubscriptionFilter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
      ...(resources?.subscribe && uris.length > 0 && { resourceSubscriptions: [...uris] }),
    };
    if (Object.keys(filter).length === 0) return;
    // No signal: the SDK would end the subscription with it, however long ago it was opened.
    const opened = await this.#client.listen(filter, { timeout: LISTEN_MS });
    const previous = this.#subscription;
    this.#subscription = opened;
    this.#listenedTo = uris;
    await previous?.close();
    void opened.closed.then((by) => (by === 'local' ? undefined : this.#listenAgain(opened)));
  }

  /** A subscription that its server ended is opened anew, unless there is another by then; what changed meanwhile is learnt by looking. */
  async #listenAgain(ended: McpSubscription): Promise<void> {
    while (this.alive && this.#subscription === ended) {
      await delay(this.#relistening.next(), undefined, { ref: false });
      try {
        await this.#listening.run(async () => {
          if (!this.alive || this.#subscription !== ended) return;
          await this.#listen(this.#listenedTo);
          for (const list of ['tools', 'resources', 'prompts']) {
            this.#onNotification(this, `notifications/${list}/list_changed`, {});
          }
          for (const uri of this.#listenedTo) this.#onNotification(this, 'notifications/resources/updated', { uri });
        });
      } catch {
        // Still away. The connection's own requests tell whoever needs to know; here there is only waiting.
      }
    }
  }

  /** Closes once the requests under way have their answers, or when it is closed. */
  async retired(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      if (this.#pending === 0 || this.#ended) resolve();
    });
    await this.close();
  }

  async close(): Promise<void> {
    this.#ended = true;
    await this.#client.close();
    // A client that never finished connecting has no transport to close.
    await this.#transport.close();
  }
}

/** Who answers a question whose request is known: whoever made it, else we ourselves. Configured roots are the configuration's. */
function asked(caller: Answerers | undefined, { client, onElicit, onSample, onRoots }: OurSide): Answerers {
  return {
    onElicit: caller?.onElicit ?? onElicit,
    onSample: caller?.onSample ?? onSample,
    onRoots: client?.roots ? onRoots : (caller?.onRoots ?? onRoots),
  };
}

function firstGeneration(server: ServerConfig, { knownEra, ours }: ConnectionOptions): 'auto' | 'legacy' {
  const version = ours.client?.protocol_version;
  // HTTP with SSE is a thing of the older generation only.
  const isOld = server.transport.type === 'sse' || knownEra === 'legacy' || (version && version < FIRST_MODERN_VERSION);
  return isOld ? 'legacy' : 'auto';
}

const FIRST_MODERN_VERSION = '2026';

function isNegotiationFailure(error: unknown): boolean {
  return (
    error instanceof SdkError && [SdkErrorCode.EraNegotiationFailed, SdkErrorCode.ConnectionClosed].includes(error.code)
  );
}

/** When the far side is gone, what it left behind says more than "closed". */
function withEnding(error: unknown, transport: ServerTransport): unknown {
  const { ended, stderr } = transport.diagnostics();
  const isClosing = error instanceof SdkError && CLOSING.includes(error.code);
  if (ended === null || ended === CLOSED_HERE || !isClosing) return error;
  const words = lastWords(stderr);
  return new SdkError(error.code, words ? `${ended}; its last words: ${words}` : ended, error.data);
}

/** Silence has a likely reason where the far side has said something else. */
function withJunk(error: unknown, transport: ServerTransport): unknown {
  const { junkLines } = transport.diagnostics();
  if (junkLines === 0 || !(error instanceof HubError) || error.kind !== 'timeout') return error;
  const lines = junkLines === 1 ? 'a line to its output that is' : `${junkLines} lines to its output that are`;
  return error.mapTexts((text) => `${text}; it wrote ${lines} no JSON-RPC`);
}

const CLOSING = [
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
  SdkErrorCode.SendFailed,
  SdkErrorCode.EraNegotiationFailed,
];

/** The last line that says something: not a frame of a stack, not a caret, not the banner of Node. */
function lastWords(stderr: string): string | undefined {
  const lines = stderr.split('\n').map((line) => line.trimEnd());
  const telling = lines.filter((line) => /\w/.test(line) && !/^\s+at |^Node\.js v\d/.test(line));
  return telling.at(-1)?.trim().slice(0, LAST_WORDS);
}

const LAST_WORDS = 300;
const LISTEN_MS = 10_000;
const LISTEN_AGAIN_MS = 1_000;
const LISTEN_AGAIN_AT_MOST_MS = 60_000;
