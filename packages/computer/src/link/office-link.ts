import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  type ComputerEvent,
  canonicalName,
  type Dialect,
  eventCategory,
  handshakeHint,
  PROTOCOL_VERSION,
  parseAnswer,
  type RequestEvent,
  readErrorAnswer,
  readVersionRefusal,
  SMCP_NAMESPACE,
  SmcpError,
  VERSION_QUERY,
  wireName,
} from '@a2c/protocol';
import { io, type Socket } from 'socket.io-client';
import type { Computer } from '../computer.js';
import { defaultLogger, type Logger } from '../logger.js';
import { Announcer } from './announcer.js';
import { BlobStore } from './blobs.js';
import { dialledUrl, LINK_LIMITS, type LinkLimits, type LinkOptions } from './link-options.js';
import { RequestServer } from './serve-request.js';

export type LinkState = 'disconnected' | 'connecting' | 'connected';

export interface LinkEvents {
  state: [state: LinkState];
  /** Joined, also again after an absence; null when it has left. */
  office: [office: string | null];
  /** The Server will not have us, and asking again would not help. The link is down for good. */
  refused: [error: SmcpError];
}

type Ack = (...args: unknown[]) => void;

/** Codes that do not get better by trying again. */
const FINAL_CODES: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/**
 * A Computer's seat in an office. It serves requests from the moment it is connected, comes back after a loss, takes its seat
 * again and tells what may have changed. What runs meanwhile goes on; its result waits for whoever asks again.
 */
export class OfficeLink extends EventEmitter<LinkEvents> {
  readonly url: URL;
  readonly #computer: Computer;
  readonly #options: LinkOptions;
  readonly #limits: LinkLimits;
  readonly #logger: Logger;
  readonly #dialect: Dialect;
  /** By which a Server knows a reconnect of ours from somebody who borrows our name. */
  readonly #instance = randomUUID();
  readonly #requests: RequestServer;
  #announcer: Announcer | undefined;
  #socket: Socket | undefined;
  /** The office to be in, joined or not. */
  #wanted: string | undefined;
  #office: string | undefined;
  /** The office of a join that is under way. */
  #joining: string | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(computer: Computer, options: LinkOptions) {
    super();
    this.url = dialledUrl(options);
    this.#computer = computer;
    this.#options = options;
    this.#limits = { ...LINK_LIMITS, ...options.limits };
    this.#logger = options.logger ?? defaultLogger();
    this.#dialect = options.dialect ?? 'spec';
    this.#requests = new RequestServer(computer, new BlobStore(this.#limits.blobBytes), (event, err) =>
      this.#logger.error({ err, event }, 'a request failed inside'),
    );
  }

  get state(): LinkState {
    if (!this.#socket) return 'disconnected';
    return this.#socket.connected ? 'connected' : 'connecting';
  }

  /** The office it sits in; undefined while it does not. */
  get office(): string | undefined {
    return this.#office;
  }

  /** The connection's id at the Server. */
  get sid(): string | undefined {
    return this.#socket?.id;
  }

  /** Resolves when connected. Names the office that will be joined, so that a balancer can choose the right node at once. */
  async connect(office?: string): Promise<void> {
    if (this.#socket) throw new SmcpError('BadRequest', 'already connected; disconnect first');
    const socket = this.#open(office);
    this.#socket = socket;
    this.#announcer = new Announcer(this.#computer, this.#limits.announceMs, (event) => this.#announce(event));
    this.emit('state', 'connecting');
    try {
      await this.#connected(socket);
    } catch (error) {
      this.disconnect();
      throw error;
    }
  }

  /** Takes a seat, leaving any other. On failure it sits where it sat before: nowhere. */
  async joinOffice(office: string, name: string = this.#computer.name): Promise<void> {
    if (!this.#socket) throw new SmcpError('BadRequest', 'connect first');
    const formerName = this.#computer.name;
    if (this.#office === office && name !== formerName) await this.leaveOffice();
    this.#computer.rename(name);
    this.#wanted = office;
    try {
      await this.#join(office);
    } catch (error) {
      this.#wanted = undefined;
      this.#computer.rename(formerName);
      throw error;
    }
  }

  async leaveOffice(): Promise<void> {
    const office = this.#office ?? this.#wanted;
    if (office === undefined) throw new SmcpError('NotInRoom', 'in no office');
    this.#wanted = undefined;
    clearTimeout(this.#retry);
    const seated = this.#office !== undefined;
    this.#sits(undefined);
    const { name } = this.#computer;
    if (seated) await this.#ask('server:leave_office', { office_id: office, role: 'computer', name });
  }

  /** Leaves and hangs up. */
  disconnect(): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = undefined;
    this.#wanted = undefined;
    clearTimeout(this.#retry);
    this.#announcer?.stop();
    this.#announcer = undefined;
    this.#sits(undefined);
    socket.disconnect();
    this.emit('state', 'disconnected');
  }

  /** Tells the office that the configuration changed, whether or not it did. False outside an office. */
  notifyUpdate(): boolean {
    if (this.#office === undefined) return false;
    this.#announce('server:update_config');
    return true;
  }

  #open(office: string | undefined): Socket {
    const { auth, headers, tls, transports = ['polling', 'websocket'], path } = this.#options;
    const socket = io(`${this.url.origin}${SMCP_NAMESPACE}`, {
      forceNew: true,
      transports: [...transports],
      ...(path !== undefined && { path }),
      auth: { ...auth, ...handshakeHint(this.#dialect), instance: this.#instance },
      query: this.#query(office),
      ...(headers && { extraHeaders: { ...headers } }),
      ...tls,
      reconnectionDelay: this.#limits.reconnectFirstMs,
      reconnectionDelayMax: this.#limits.reconnectMaxMs,
    });
    socket.onAny((name: string, ...args: unknown[]) => this.#received(socket, name, args));
    socket.on('connect', () => this.#onConnect());
    socket.on('disconnect', (reason) => this.#onDisconnect(reason));
    socket.on('connect_error', (error) => this.#onConnectError(socket, error));
    return socket;
  }

  #query(office: string | undefined): Record<string, string> {
    return { role: 'computer', [VERSION_QUERY]: PROTOCOL_VERSION, ...(office !== undefined && { office }) };
  }

  #connected(socket: Socket): Promise<void> {
    return new Promise((resolve, reject) => {
      const tooLate = () =>
        done(new SmcpError('Timeout', `${this.url.origin} did not answer within ${this.#limits.connectMs / 1_000} s`));
      const timer = Number.isFinite(this.#limits.connectMs) ? setTimeout(tooLate, this.#limits.connectMs) : undefined;
      const onRefused = (error: SmcpError) => done(error);
      const onState = (state: LinkState) => {
        if (state === 'disconnected') done(new SmcpError('Unavailable', 'disconnected while connecting'));
      };
      const onConnect = () => done();
      const done = (error?: SmcpError) => {
        clearTimeout(timer);
        this.off('refused', onRefused).off('state', onState);
        socket.off('connect', onConnect);
        if (error) reject(error);
        else resolve();
      };
      this.on('refused', onRefused).on('state', onState);
      socket.on('connect', onConnect);
    });
  }

  #onConnect(): void {
    this.#logger.info({ url: this.url.origin }, 'connected');
    this.emit('state', 'connected');
    // The first join is the caller's to make; this one is to take the seat back.
    if (this.#wanted !== undefined && this.#office === undefined && this.#joining === undefined)
      void this.#rejoin(this.#wanted);
  }

  #onDisconnect(reason: string): void {
    if (!this.#socket) return;
    this.#logger.warn({ reason }, 'disconnected');
    this.#sits(undefined);
    // The Server ended it on purpose: a newer connection has our seat, or the credentials ran out.
    if (reason === 'io server disconnect')
      this.#refuse(new SmcpError('Forbidden', 'the Server ended the connection; another Computer may have this name'));
    else this.emit('state', 'connecting');
  }

  /** The body of a refused handshake can only be read here and now; Socket.IO wipes it afterwards. */
  #onConnectError(socket: Socket, error: Error): void {
    const { context, data } = error as Error & { context?: { responseText?: unknown }; data?: unknown };
    const refusal = readVersionRefusal(parsed(context?.responseText)) ?? readErrorAnswer(data);
    if (refusal && FINAL_CODES.has(refusal.code)) {
      this.#refuse(refusal);
      return;
    }
    this.#logger.warn({ url: this.url.origin, reason: refusal?.message ?? error.message }, 'not connected');
    // Refused by the namespace rather than on the way there: Socket.IO leaves trying again to us.
    if (refusal && !socket.active) this.#later(() => socket.connect());
  }

  #refuse(error: SmcpError): void {
    this.#logger.error({ code: error.code, details: error.details }, error.message);
    this.emit('refused', error);
    this.disconnect();
  }

  async #join(office: string): Promise<void> {
    this.#joining = office;
    try {
      await this.#askToJoin(office).catch(async (error: unknown) => {
        if (!(error instanceof SmcpError && isWrongNode(error))) throw error;
        await this.#moveNode(office);
        await this.#askToJoin(office);
      });
      this.#sits(office);
    } finally {
      this.#joining = undefined;
    }
  }

  async #askToJoin(office: string): Promise<void> {
    await this.#ask('server:join_office', { role: 'computer', name: this.#computer.name, office_id: office });
  }

  /** A balancer looks at the query's office, which only a new connection can change. */
  async #moveNode(office: string): Promise<void> {
    const socket = this.#socket as Socket;
    socket.disconnect();
    socket.io.opts.query = this.#query(office);
    const connected = this.#connected(socket);
    socket.connect();
    await connected;
  }

  async #rejoin(office: string, attempt = 0): Promise<void> {
    try {
      await this.#join(office);
      this.#announcer?.announceAll();
    } catch (error) {
      this.#logger.warn({ office, reason: (error as Error).message }, 'the seat is not ours again yet');
      this.#later(() => {
        if (this.#wanted === office && this.#office === undefined && this.state === 'connected')
          void this.#rejoin(office, attempt + 1);
      }, attempt);
    }
  }

  #later(action: () => void, attempt = 0): void {
    const { reconnectFirstMs, reconnectMaxMs } = this.#limits;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(action, Math.min(reconnectFirstMs * 2 ** attempt, reconnectMaxMs));
  }

  /** With all arguments of the acknowledgement: the reason of a refusal is the second. */
  #ask(event: RequestEvent, payload: object): Promise<unknown> {
    const socket = this.#socket;
    if (!socket?.connected) throw new SmcpError('Unavailable', 'not connected to the Server at present');
    return new Promise((resolve, reject) => {
      const name: string = wireName(event, this.#dialect);
      const lost = () => done(new SmcpError('Unavailable', `the connection was lost during ${name}`));
      const timer = setTimeout(
        () => done(new SmcpError('Timeout', `the Server did not answer ${name} in time`)),
        this.#limits.answerMs,
      );
      const done = (error: unknown, result?: unknown) => {
        clearTimeout(timer);
        socket.off('disconnect', lost);
        if (error) reject(error);
        else resolve(result);
      };
      socket.on('disconnect', lost);
      socket.emit(name, payload, (...ack: unknown[]) => {
        try {
          done(undefined, parseAnswer(event, ack));
        } catch (error) {
          done(error);
        }
      });
    });
  }

  #announce(event: ComputerEvent): void {
    if (this.#office === undefined || !this.#socket?.connected) return;
    this.#socket.emit(wireName(event, this.#dialect), { computer: this.#computer.name });
  }

  #received(socket: Socket, name: string, args: unknown[]): void {
    const ack = typeof args.at(-1) === 'function' ? (args.pop() as Ack) : undefined;
    const [payload] = args;
    // Requests may arrive before the acknowledgement of the join does.
    const office = this.#joining ?? this.#office ?? '';
    if (eventCategory(name) === 'notify') {
      this.#notified(name, payload, office);
      return;
    }
    const { id: sid = '' } = socket;
    void this.#requests.answer(name, payload, { office, sid, messageBytes: this.#messageBytes }).then((answer) => {
      // On another connection this number would acknowledge somebody else's request.
      if (ack && socket.connected && socket.id === sid) ack(...answer);
    });
  }

  #notified(name: string, payload: unknown, office: string): void {
    if (canonicalName(name) !== 'notify:tool_call_cancel') return;
    try {
      this.#requests.cancel(payload, office);
    } catch (error) {
      this.#logger.warn({ event: name, reason: (error as Error).message }, 'a notification made no sense');
    }
  }

  #sits(office: string | undefined): void {
    if (office === this.#office) return;
    this.#office = office;
    if (office !== undefined) this.#logger.info({ office, computer: this.#computer.name }, 'joined');
    this.emit('office', office ?? null);
  }

  /** Engine.IO tells every client the Server's limit, but has no public field for it. */
  get #messageBytes(): number {
    const told = (this.#socket?.io.engine as { _maxPayload?: number } | undefined)?._maxPayload;
    return told !== undefined && told > 0 ? told : this.#limits.messageBytes;
  }
}

function isWrongNode({ kind, message }: SmcpError): boolean {
  return kind === 'Unavailable' && message.startsWith('wrong node');
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a proxy's page, not an answer of ours
  }
}
