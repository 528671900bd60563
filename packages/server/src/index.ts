// The package's door: everything public, by name.

export type { Logger } from '@a2c/log';
export { type AuthFileOptions, apiKey, authFile, hashApiKey } from './access/auth-file.js';
export {
  ANONYMOUS,
  type Authenticator,
  allowAnonymous,
  firstOf,
  type HandshakeFacts,
  type Identity,
} from './access/identity.js';
export { type JwtOptions, jwt } from './access/jwt.js';
export type { ClusterOptions } from './cluster/redis-cluster.js';
export { type Listening, type ListenOptions, listen, type TlsFiles } from './listen.js';
export { AuditFile, type AuditLog, type AuditRecord } from './operation/audit.js';
export { answerOperator } from './operation/endpoints.js';
export type { Metrics } from './operation/metrics.js';
export {
  DEFAULT_LIMITS,
  SERVER_GRACE_SECONDS,
  type ServerLimits,
  type ServerOptions,
} from './options.js';
export { createServer, type SMCPServer } from './server.js';
