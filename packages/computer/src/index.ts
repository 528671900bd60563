// The public API of the package.

export {
  type Auth,
  type AuthSource,
  type JoinOptions,
  type LinkLimits,
  OptionsError,
  type RetryOptions,
  type ServerOptions,
  type ServerUrl,
  type TlsOptions,
  type Transport,
} from '@a2c/link';
export { createLogger, type Logger, type RecordFileOptions } from '@a2c/log';
export { type ConfirmCallback, type ConfirmRequest, consentKey } from './calls/consent.js';
export type { OnceOnlyLimits } from './calls/once-only.js';
export type { ExecuteOptions } from './calls/tool-calls.js';
export { Computer, type DesktopRequest } from './computer.js';
export type { ComputerEvents } from './events.js';
export type { ToolCallRecord } from './history/call-history.js';
export { OfficeLink, type OfficeLinkEvents, type OfficeLinkState } from './link/office-link.js';
export { OFFICE_LINK_LIMITS, type OfficeLinkLimits, type OfficeLinkOptions } from './link/office-link-options.js';
export {
  ComputerOperator,
  type ComputerOperatorOptions,
  type ToolPresentation,
} from './operator/computer-operator.js';
export { type ConsentAnswer, ConsentQuestions } from './operator/consent-questions.js';
export { COMPUTER_LIMITS, type ComputerLimits, type ComputerOptions } from './options.js';
export { GitError } from './plugins/git.js';
export type { MarketplaceRecord } from './plugins/ledgers.js';
export { type EnabledServers, enabledServers } from './plugins/plugin-servers.js';
export {
  type EnableOptions,
  type MarketplaceFailure,
  type MarketplaceOptions,
  type PluginState,
  PluginStore,
  type PluginStoreOptions,
  PluginTrustError,
} from './plugins/plugin-store.js';
export type { ResourcePage } from './resources.js';
export { type SkillFile, SkillLibrary, type SkillLibraryOptions, type SkillOptions } from './skills/skill-library.js';
export type { LandingLimits } from './uploads/landing-store.js';
