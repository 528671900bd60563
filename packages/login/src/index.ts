/**
 * OAuth login to MCP servers: discovery, flows, the vault, and one token refresh per expiry across processes. Start
 * with `ServerLogin`.
 *
 * @packageDocumentation
 */

export { LoginError, type LoginErrorKind } from './errors.js';
export type { LogInOptions, LoginWay } from './flows/plan.js';
export { ServerLogin } from './server-login.js';
export { DEFAULT_ACCOUNT, isUnattended, type LoginHttp, type LoginTarget } from './target.js';
export { openKeychain } from './vault/keychain.js';
export type { LoginKey, LoginSecrets, StoredLogin } from './vault/stored-login.js';
export { Vault, VaultError, type VaultPlace } from './vault/vault.js';
