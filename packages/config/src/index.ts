/**
 * Reads MCP configuration files of all common formats into one model, checks trust, resolves inputs and placeholders,
 * and converts between formats. Start with `loadConfig` or `readConfig`.
 *
 * @packageDocumentation
 */

export {
  CLIENT_NAMES,
  CLIENT_TITLES,
  type ClientFile,
  type ClientName,
  clientFiles,
  type Machine,
  thisMachine,
} from './clients/client-files.js';
export { type ImportedServer, type ImportOptions, type ImportResult, importServers } from './clients/import-servers.js';
export {
  formatProxyEntry,
  PROXY_CLIENTS,
  type ProxyClient,
  type ProxyProgram,
  proxyEntry,
} from './clients/proxy-entry.js';
export { checkLogPaths, checkPatterns, checkPrograms, findProgram, howToFind } from './files/check-start.js';
export { isInsideFolder } from './files/inside-folder.js';
export {
  type ConfigSource,
  DISCOVERED_FILES,
  type LoadedConfig,
  type LoadOptions,
  loadConfig,
  loadRequiredConfig,
  type SourceFile,
} from './files/load-config.js';
export { makePrivateFolder, readIfPresent } from './files/private-file.js';
export { type HeldLock, type LockOptions, ProcessLock, SHORT_WORK_MS, whileLocked } from './files/process-lock.js';
export { type FileContent, FileError, MAX_CONFIG_BYTES, readFileOf, readFileSafely } from './files/read-file-safely.js';
export { type ReplaceFileOptions, replaceFile, replaceFolder, TEMPORARY_FILE } from './files/replace-file.js';
export { skillFolder, userCacheFolder, userConfigFolder, userStateFolder } from './files/user-folder.js';
export {
  InputError,
  type InputProvider,
  InputResolver,
  type InputResolverOptions,
} from './inputs/input-resolver.js';
export { InputStore, type InputStoreOptions, type SecretStore, type StoredInputs } from './inputs/input-store.js';
export type { JsonObject, JsonPath, JsonValue } from './json/json-value.js';
export { BASELINE_ENV, childEnvironment, NETWORK_ENV } from './model/child-environment.js';
export { CONFIG_FORMATS, type ConfigFormat, WRITABLE_FORMATS, type WritableFormat } from './model/formats.js';
export {
  type CommandInput,
  environmentNames,
  environmentNameWithValue,
  type InputBase,
  type InputDefinition,
  type InputOption,
  isOption,
  type PickStringInput,
  type PromptStringInput,
} from './model/input-definition.js';
export { MASK, maskConfig, maskInput, maskServer, maskUrl } from './model/mask-config.js';
export type { ClientConfig, MCPConfig, ProxySettings, ReadResult, Root } from './model/mcp-config.js';
export { OAUTH_GRANTS, OAUTH_SECRETS, type OAuthGrant, type OAuthSettings } from './model/oauth-settings.js';
export { isLongSecret, isPathList, secretValues, withEncodings } from './model/secrets.js';
export type {
  ConnectionMode,
  EncodingErrorHandler,
  HttpTransport,
  Origin,
  PinChoice,
  SandboxSettings,
  ServerConfig,
  SseTransport,
  StdioTransport,
  StdoutLog,
  StreamableHttpTransport,
  Timeouts,
  ToolMeta,
  Transport,
  TransportType,
  UnixTransport,
} from './model/server-config.js';
export { parseSocketUrl, type SocketUrl } from './model/socket-url.js';
export {
  expandPlaceholders,
  type InputSource,
  MAX_PLACEHOLDER_DEPTH,
  type PlaceholderContext,
  PlaceholderError,
} from './placeholders/expand.js';
export { insertedValues } from './placeholders/inserted-values.js';
export { type ResolveContext, ResolveError, resolveServer } from './placeholders/resolve-server.js';
export { mapTexts, replacePlaceholders } from './placeholders/syntax.js';
export { ConfigError, formatProblem, nearest, type Problem } from './problems.js';
export { type ReadOptions, readConfig } from './readers/read-config.js';
export { MAX_SERVERS, type VrlCheck } from './readers/reader.js';
export { jsonSchema, SCHEMA_NAMES, type SchemaName } from './schemas/json-schemas.js';
export { describeStart, MAX_REVIEWED, shownText, unreviewable } from './settings/describe-start.js';
export { bundleIdOf, withOwnBundleId } from './settings/own-bundle-id.js';
export {
  type GateAnswer,
  type PendingServer,
  recordAnswer,
  type ScopeServerOptions,
  type ScopeServers,
  scopeServers,
} from './settings/scope-servers.js';
export {
  type Approval,
  type ApprovalLists,
  approvalLists,
  type DeclaredMarketplace,
  marketplaceRefusal,
  type ScopedSettings,
  type ScopeOptions,
  scopedSettings,
} from './settings/scopes.js';
export {
  changeSettings,
  policyFolder,
  readSettings,
  settingsFile,
  type UserSettings,
} from './settings/settings.js';
export { type AddressClass, classifyAddress } from './trust/ip-rules.js';
export {
  formatRefusal,
  type Refusal,
  TrustError,
  type TrustPolicy,
  type TrustRule,
  UNTRUSTED,
} from './trust/policy.js';
export { type ApprovedTarget, type ResolveHost, TrustGuard } from './trust/trust-guard.js';
export { policyFor, TrustStore } from './trust/trust-store.js';
export { type Conversion, convertConfig } from './writers/convert.js';
export { formatLoss, type Loss } from './writers/losses.js';
