// The public API of the package.

export type { Logger, RecordFile, RecordFileOptions } from '@a2c/log';
export type { Role, VersionPolicy } from '@a2c/protocol';
export { isLoopback } from './access/allowed-hosts.js';
export { type AuthFileOptions, apiKey, authFile, hashApiKey, keyFileLog } from './access/auth-file.js';
export {
  ANONYMOUS,
  type Authenticator,
  allowAnonymous,
  firstOf,
  type Handshake,
  type Identity,
} from './access/identity.js';
export { type JwtOptions, jwt } from './access/jwt.js';
export { addKey, type KeyEntry, type NewApiKey, newApiKey } from './access/new-key.js';
export type { ClusterOptions } from './cluster/redis-cluster.js';
export { type Listening, type ListenOptions, listen, type TlsFiles } from './listen.js';
export { AuditFile, type AuditLog, type AuditRecord } from './operation/audit.js';
export type { ServerMetrics } from './operation/metrics.js';
export { handleOperatorRequest, OPERATOR_PATHS } from './operation/operator-endpoints.js';
export type { ServerSession } from './operation/operators.js';
export { SERVER_LIMITS, type ServerLimits, type ServerOptions } from './options.js';
export type { OfficePolicy, SeatPolicy } from './rooms/registry.js';
export { createServer, type SMCPServer } from './server.js';
