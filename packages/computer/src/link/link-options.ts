import type { Logger } from '@a2c/log';
import type { Dialect } from '@a2c/protocol';

export interface LinkLimits {
  /** How long the first connection may take. */
  readonly connectMs: number;
  /** How long the Server may take to answer a join or a leave. */
  readonly answerMs: number;
  readonly reconnectFirstMs: number;
  readonly reconnectMaxMs: number;
  /** Changes of one kind within this time are announced once. */
  readonly announceMs: number;
  /** The largest message, where the Server does not say. */
  readonly messageBytes: number;
  /** What the large parts of results may weigh together until they are pulled. */
  readonly blobBytes: number;
  /** How long a part is kept after its last piece was read: whoever lost that answer asks again. */
  readonly blobReadMs: number;
}

export const LINK_LIMITS: LinkLimits = {
  connectMs: 10_000,
  answerMs: 10_000,
  reconnectFirstMs: 500,
  reconnectMaxMs: 15_000,
  announceMs: 100,
  messageBytes: 1_000_000,
  blobBytes: 256 * 2 ** 20,
  blobReadMs: 60_000,
};

/** PEM texts. */
export interface LinkTls {
  /** Authorities to believe instead of the system's. */
  readonly ca?: string;
  /** Our certificate and its key, where the Server demands one. */
  readonly cert?: string;
  readonly key?: string;
}

export interface LinkOptions {
  /** The Server: `https://host[:port]`. A path means that Socket.IO is mounted there instead of `/socket.io/`. */
  readonly url: string;
  /** Sent in Socket.IO's handshake, such as `api_key` or `token`. */
  readonly auth?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which names the five events with two names are sent under; both are understood. Default `spec`. */
  readonly dialect?: Dialect;
  readonly tls?: LinkTls;
  /** Credentials may pass in the clear to other hosts. Default false. */
  readonly allowInsecure?: boolean;
  /** Default: long polling first, because only there a refusal can be read, then websocket. */
  readonly transports?: readonly ('polling' | 'websocket')[];
  readonly limits?: Partial<LinkLimits>;
  readonly logger?: Logger;
}
