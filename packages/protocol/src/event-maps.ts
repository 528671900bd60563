import type {
  AgentEvent,
  ComputerEvent,
  MemberEvent,
  NotificationEvent,
  RelayedEvent,
  RequestEvent,
  WireName,
} from './events.js';
import type { AckOf, NotificationOf, RequestOf } from './messages/contract.js';

// The typed event maps of Socket.IO: with `Socket<ServerToAgentEvents, AgentToServerEvents>` a wrong name, payload or
// acknowledgement is a compile error. Events with two names are listed under both.

/** The listener of a request. The acknowledgement is optional for announcements, which need no answer. */
export type RequestHandler<E extends RequestEvent> =
  readonly [] extends AckOf<E>
    ? (payload: RequestOf<E>, ack?: (...args: AckOf<E>) => void) => void
    : (payload: RequestOf<E>, ack: (...args: AckOf<E>) => void) => void;

/** The event map of some requests. */
export type RequestMap<Events extends RequestEvent> = { [E in Events as WireName<E>]: RequestHandler<E> };

/** The event map of all notifications. */
export type NotificationMap = { [E in NotificationEvent as WireName<E>]: (payload: NotificationOf<E>) => void };

/** What an Agent sends. */
export type AgentToServerEvents = RequestMap<RelayedEvent | MemberEvent | AgentEvent>;
/** What a Computer sends. */
export type ComputerToServerEvents = RequestMap<MemberEvent | ComputerEvent>;
/** What an Agent receives. */
export type ServerToAgentEvents = NotificationMap;
/** What a Computer receives. */
export type ServerToComputerEvents = RequestMap<RelayedEvent> & NotificationMap;

/** What a Server receives. It serves both roles on one namespace. */
export type ClientToServerEvents = AgentToServerEvents & ComputerToServerEvents;
/** What a Server sends. */
export type ServerToClientEvents = ServerToComputerEvents;
