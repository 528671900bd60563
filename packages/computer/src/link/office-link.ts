import { EventEmitter } from 'node:events';
import { createLogger, type Logger } from '@a2c/log';
import {
  Backoff,
  type ComputerEvent,
  canonicalName,
  checkHeaders,
  eventCategory,
  isFinal,
  isOwnDeparture,
  isWrongNode,
  readServerUrl,
  type ServerUrl,
  SMCPError,
} from '@a2c/protocol';
import type { Computer } from '../computer.js';
import { Announcer } from './announcer.js';
import { BlobStore } from './blob-store.js';
import { LINK_LIMITS, type LinkLimits, type LinkOptions } from './link-options.js';
import { RequestServer } from './serve-request.js';
import { ServerConnection } from './server-connection.js';

export type LinkState = 'disconnected' | 'connecting' | 'connected';

export interface LinkEvents {
  state: [state: LinkState];
  /** Joined, also again after an absence; null when it has left. */
  office: [office: string | null];
  /** The Server will not have us, and asking again would not help. The link is down for good. */
  refused: [error: SMCPError];
}

/**
 * A Computer's seat in an office. It serves requests from the moment it is connected, comes back after a loss, takes its seat
 * again and tells what may have changed. What runs meanwhile goes on; its result waits for whoever asks again.
 */
export class OfficeLink extends EventEmitter<LinkEvents> {
  readonly url: ServerUrl;
  readonly #computer: Computer;
  readonly #options: LinkOptions;
  readonly #limits: LinkLimits;
  readonly #logger: Logger;
  readonly #requests: RequestServer;
  #connection: ServerConnection | undefined;
  #announcer: Announcer | undefined;
  /** The office to be in, joined or not. */
  #wanted: string | undefined;
  #office: string | undefined;
  /** The office of a join that is under way. */
  #joining: string | undefined;
  #retry: NodeJS.Timeout | undefined;
  /** The last thing heard was that we have left: with it a Server announces that our seat is another's. */
  #toldToGo = false;

  constructor(computer: Computer, options: LinkOptions) {
    super();
    this.url = readServerUrl(options.url, options.allowInsecure);
    checkHeaders(options.headers);
    this.#computer = computer;
    this.#options = options;
    this.#limits = { ...LINK_LIMITS, ...options.limits };
    this.#logger = options.logger ?? createLogger('a2c-computer');
    this.#requests = new RequestServer(
      computer,
      new BlobStore(this.#limits.blobBytes, this.#limits.blobReadMs),
      (event, err) => this.#logger.error({ err, event }, 'a request failed inside'),
    );
  }

  get state(): LinkState {
    if (!this.#connection) return 'disconnected';
    return this.#connection.isConnected ? 'connected' : 'connecting';
  }

  /** The office it sits in; undefined while it does not. */
  get office(): string | undefined {
    return this.#office;
  }

  /** The connection's id at the Server. */
  get sid(): string | undefined {
    return this.#connection?.sid;
  }

  /** Resolves when connected. Name the office that will be joined, so that a balancer can choose the right node at once. */
  async connect(office?: string): Promise<void> {
    if (this.#connection) throw new SMCPError('BadRequest', 'already connected; disconnect first');
    const { url } = this;
    const connection = new ServerConnection(
      { url, options: this.#options, limits: this.#limits, logger: this.#logger, listener: this.#listener },
      office,
    );
    this.#connection = connection;
    this.#announcer = new Announcer(this.#computer, this.#limits.announceMs, (event) => this.#announce(event));
    this.emit('state', 'connecting');
    try {
      await connection.open();
    } catch (error) {
      this.disconnect();
      throw error;
    }
  }

  /** Takes a seat, leaving any other. When it cannot be had, everything is as it was. */
  async joinOffice(office: string, name: string = this.#computer.name): Promise<void> {
    if (!this.#connection) throw new SMCPError('BadRequest', 'connect first');
    const former = { office: this.#wanted, name: this.#computer.name };
    if (this.#office === office && name !== former.name) await this.leaveOffice();
    this.#computer.rename(name);
    this.#wanted = office;
    try {
      await this.#join(office);
    } catch (error) {
      // Whoever has left meanwhile, or gone elsewhere, wants neither this seat nor the former one.
      if (this.#wanted === office) {
        this.#computer.rename(former.name);
        this.#wanted = former.office;
        this.#takeSeatAgain();
      }
      throw error;
    }
  }

  async leaveOffice(): Promise<void> {
    const office = this.#office ?? this.#wanted;
    if (office === undefined) throw new SMCPError('NotInRoom', 'in no office');
    const seated = this.#office !== undefined;
    this.#giveUpSeat();
    if (seated) await this.#askToLeave(office);
  }

  /** Leaves and hangs up. */
  disconnect(): void {
    const connection = this.#connection;
    if (!connection) return;
    this.#connection = undefined;
    this.#announcer?.stop();
    this.#giveUpSeat();
    connection.close();
    this.emit('state', 'disconnected');
  }

  /** Tells the office that the configuration changed, whether or not it did. False outside an office. */
  notifyUpdate(): boolean {
    return this.#announce('server:update_config');
  }

  readonly #listener = {
    onConnect: () => {
      this.emit('state', 'connected');
      this.#takeSeatAgain();
    },
    onLost: (deliberate: boolean) => {
      const office = this.#office;
      this.#sits(undefined);
      // Coming back would take the seat from our successor, which would come back in turn.
      if (deliberate && this.#toldToGo) this.#end(takenOver(this.#computer.name, office));
      else this.emit('state', 'connecting');
    },
    onRefused: (error: SMCPError) => this.#end(error),
    onEvent: (name: string, payload: unknown, answer: (...args: unknown[]) => void) => {
      this.#toldToGo = isOwnDeparture('computer', this.#computer.name, name, payload);
      const connection = this.#connection;
      // Requests may arrive before the acknowledgement of the join does.
      const office = this.#joining ?? this.#office ?? '';
      if (eventCategory(name) === 'notify') this.#notified(name, payload, office);
      else if (connection) {
        const { sid = '', messageBytes } = connection;
        void this.#requests.answer(name, payload, { office, sid, messageBytes }).then((args) => answer(...args));
      }
    },
  };

  #end(error: SMCPError): void {
    this.#logger.error({ code: error.code, details: error.details }, error.message);
    this.emit('refused', error);
    this.disconnect();
  }

  async #join(office: string): Promise<void> {
    this.#joining = office;
    try {
      await this.#askToJoin(office).catch(async (error: unknown) => {
        if (!(error instanceof SMCPError && isWrongNode(error))) throw error;
        this.#sits(undefined);
        await this.#connection?.moveTo(office);
        await this.#askToJoin(office);
      });
      if (this.#wanted !== office) throw await this.#unwanted(office);
      this.#sits(office);
    } finally {
      this.#joining = undefined;
    }
  }

  /** The seat came after it was given up. A Server moves whoever joins elsewhere; who only left must leave again. */
  async #unwanted(office: string): Promise<SMCPError> {
    if (this.#wanted === undefined) await this.#askToLeave(office);
    return new SMCPError('NotInRoom', `left office "${office}" on the way into it`);
  }

  async #askToLeave(office: string): Promise<void> {
    const payload = { office_id: office, role: 'computer', name: this.#computer.name };
    await this.#connection?.ask('server:leave_office', payload);
  }

  async #askToJoin(office: string): Promise<void> {
    const payload = { role: 'computer', name: this.#computer.name, office_id: office };
    await this.#connection?.ask('server:join_office', payload);
  }

  /** After a loss. A first join, or one that is under way, is its caller's. */
  #takeSeatAgain(backoff = new Backoff(this.#limits.reconnectFirstMs, this.#limits.reconnectMaxMs)): void {
    const office = this.#wanted;
    const isIdle = this.state === 'connected' && this.#joining === undefined && this.#office === undefined;
    if (office === undefined || !isIdle) return;
    this.#join(office).then(
      () => this.#announcer?.announceAll(),
      (error: unknown) => {
        if (this.#wanted !== office) return;
        const refusal = SMCPError.from(error);
        // A name that another has now may be free again; nothing else that is refused will be granted later.
        if (isFinal(refusal) && refusal.code !== 403) return this.#end(refusal);
        this.#logger.warn({ office, reason: refusal.message }, 'the seat is not ours again yet');
        this.#retry = setTimeout(() => this.#takeSeatAgain(backoff), backoff.next());
      },
    );
  }

  #giveUpSeat(): void {
    clearTimeout(this.#retry);
    this.#wanted = undefined;
    this.#sits(undefined);
  }

  #sits(office: string | undefined): void {
    if (office === this.#office) return;
    this.#office = office;
    if (office !== undefined) {
      this.#logger.info({ office, computer: this.#computer.name }, 'joined');
      this.#announcer?.announceUntold();
    }
    this.emit('office', office ?? null);
  }

  /** False when there is nobody to tell. */
  #announce(event: ComputerEvent): boolean {
    const { name: computer } = this.#computer;
    return this.#office !== undefined && this.#connection?.announce(event, { computer }) === true;
  }

  /** Of all there is to hear in an office, only a cancel concerns a Computer. */
  #notified(name: string, payload: unknown, office: string): void {
    if (canonicalName(name) !== 'notify:tool_call_cancel') return;
    try {
      this.#requests.cancel(payload, office);
    } catch (error) {
      this.#logger.warn({ event: name, reason: (error as Error).message }, 'a notification made no sense');
    }
  }
}

function takenOver(computer: string, office = ''): SMCPError {
  return new SMCPError(
    'Forbidden',
    `a newer connection of the same owner is Computer "${computer}" in office "${office}" now, and this one stays away; give one of them another name`,
    { details: { computer, office } },
  );
}
