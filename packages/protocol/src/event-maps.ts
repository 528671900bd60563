import type {
  AgentEvent,
  ComputerEvent,
  MemberEvent,
  NotificationEvent,
  RelayedEvent,
  RequestEvent,
  WireName,
} from './events.js';
import type { AckOf, NotificationOf, RequestOf } from './messages.js';

/**
 * Socket.IO's typed event maps: `Socket<ServerToAgentEvents, AgentToServerEvents>` makes every name, payload and
 * acknowledgement a compile-time contract, under both names where an event has two.
 */

/** Announcements, which need no answer, may be sent without asking for an acknowledgement. */
type RequestHandler<E extends RequestEvent> =
  readonly [] extends AckOf<E>
    ? (payload: RequestOf<E>, ack?: (...args: AckOf<E>) => void) => void
    : (payload: RequestOf<E>, ack: (...args: AckOf<E>) => void) => void;

type RequestMap<Events extends RequestEvent> = { [E in Events as WireName<E>]: RequestHandler<E> };

type NotificationMap = { [E in NotificationEvent as WireName<E>]: (payload: NotificationOf<E>) => void };

export type AgentToServerEvents = RequestMap<RelayedEvent | MemberEvent | AgentEvent>;
export type ComputerToServerEvents = RequestMap<MemberEvent | ComputerEvent>;
export type ServerToAgentEvents = NotificationMap;
export type ServerToComputerEvents = RequestMap<RelayedEvent> & NotificationMap;

/** What a Server, which serves both roles on one namespace, may receive and send. */
export type ClientToServerEvents = AgentToServerEvents & ComputerToServerEvents;
export type ServerToClientEvents = ServerToComputerEvents;
