import type { Generation, NotificationEvent, NotificationOf, SMCPError } from '@a2c/protocol';

/**
 * - `disconnected`: no connection, and none is attempted
 * - `connecting`: a connection is attempted, for the first time or after a loss
 * - `connected`: connected, in no office
 * - `joined`: in an office
 */
export type LinkState = 'disconnected' | 'connecting' | 'connected' | 'joined';

/** A notification of the Server, parsed. `office` is the present office, or the one whose join is pending. */
export type LinkNotification = {
  [E in NotificationEvent]: { readonly event: E; readonly payload: NotificationOf<E>; readonly office: string };
}[NotificationEvent];

/** Events of a `Link`. */
export interface LinkEvents {
  readonly state: LinkState;
  /** The name changed, by a join under another name or because that join failed. */
  readonly name: string;
  /** The office was joined; `isRejoin` after a lost connection. */
  readonly joined: { readonly office: string; readonly isRejoin: boolean };
  /** The seat was left or lost. */
  readonly left: { readonly office: string };
  /** The connection was lost. The link reconnects. */
  readonly lost: { readonly reason: string };
  /** An attempt to connect or join failed. The next one follows. */
  readonly attemptFailed: SMCPError;
  /** A final refusal after a lost connection, or a takeover. The link is disconnected. */
  readonly ended: SMCPError;
  readonly notification: LinkNotification;
  /** A notification that cannot be parsed. */
  readonly warning: SMCPError;
}

/** A request of the Server to this member. */
export interface IncomingRequest {
  /** The event as it was sent. It may be unknown. */
  readonly name: string;
  readonly payload: unknown;
  /** The office the request belongs to. It may arrive before the join is acknowledged. */
  readonly office: string;
  /** The id of the connection at the Server. */
  readonly sid: string;
  /** How the Server speaks. It may name that of the Agent in the payload, as `agent_generation`. */
  readonly generation: Generation;
  /** The version that the Server stated when it acknowledged the join. Only Servers of a2c do. */
  readonly serverVersion: string | undefined;
  /** The largest message the Server accepts, if it announced one. */
  readonly maxMessageBytes: number | undefined;
}
