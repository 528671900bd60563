import { LINK_LIMITS, type LinkLimits, type ServerOptions } from '@a2c/link';
import type { Logger } from '@a2c/log';
import { QUERY_LIMITS, type QueryLimits } from './query-queue.js';

/** Limits of an `OfficeLink`: times in milliseconds, sizes in bytes. */
export interface OfficeLinkLimits extends LinkLimits, QueryLimits {
  /** Changes of one kind within this time are sent as one notification. */
  readonly announceMs: number;
  /** The largest message, if the Server does not announce one. */
  readonly messageBytes: number;
  /** The total size of the blobs that wait to be fetched. The oldest are removed first. */
  readonly blobBytes: number;
  /** How long a blob is kept after its last chunk was read, so that a lost answer can be requested again. */
  readonly blobReadMs: number;
}

/** Default limits. `connectMs` is also how long `connect` retries. */
export const OFFICE_LINK_LIMITS: OfficeLinkLimits = {
  ...LINK_LIMITS,
  ...QUERY_LIMITS,
  connectMs: 10_000,
  announceMs: 100,
  messageBytes: 1_000_000,
  blobBytes: 256 * 2 ** 20,
  blobReadMs: 60_000,
};

/** Options of an `OfficeLink`. */
export interface OfficeLinkOptions extends ServerOptions {
  readonly limits?: Partial<OfficeLinkLimits>;
  readonly logger?: Logger;
}
