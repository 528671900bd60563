// Public exports of the package, by name.

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

export type { ConfirmCallback, ConfirmContext } from './calls/confirmation.js';
export type { OnceOnlyLimits } from './calls/once-only.js';
export type { ExecuteOptions } from './calls/tool-calls.js';
export { Computer, type ComputerEvents, type DesktopRequest } from './computer.js';
export type { ToolCallRecord } from './history/call-history.js';
export type { HistoryFileOptions } from './history/history-file.js';
export { OfficeLink, type OfficeLinkEvents, type OfficeLinkState } from './link/office-link.js';
export { OFFICE_LINK_LIMITS, type OfficeLinkLimits, type OfficeLinkOptions } from './link/office-link-options.js';
export { defaultLogger, type Logger } from './logger.js';
export { COMPUTER_LIMITS, type ComputerLimits, type ComputerOptions } from './options.js';
