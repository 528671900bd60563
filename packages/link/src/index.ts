// Public exports of the package, by name.

export { ConnectionLost, NoAnswer } from './connection.js';
export { EncodedAnswer } from './encoded-answer.js';
export type { IncomingRequest, LinkEvents, LinkNotification, LinkState } from './events.js';
export { Link } from './link.js';
export {
  type Auth,
  type AuthSource,
  type ConnectOptions,
  type DisconnectOptions,
  type JoinOptions,
  LINK_LIMITS,
  type LinkLimits,
  type LinkOptions,
  type NotifyOptions,
  type ReceivedAnswer,
  type RequestOptions,
  type RetryOptions,
  type ServerOptions,
  type TlsOptions,
  type Transport,
} from './options.js';
export { randomId } from './random-id.js';
export { isFinal, isSeatTaken } from './refusals.js';
export { OptionsError, type ServerUrl } from './server-url.js';
