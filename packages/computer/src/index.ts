// The package's door: everything public, by name.

export type { ConfirmCallback, ConfirmContext } from './calls/confirmation.js';
export type { OnceOnlyLimits } from './calls/once-only.js';
export type { ExecuteOptions } from './calls/tool-calls.js';
export { Computer, type ComputerEvents, type DesktopRequest } from './computer.js';
export type { ToolCallRecord } from './history/call-history.js';
export type { HistoryFileOptions } from './history/history-file.js';
export { LINK_LIMITS, type LinkLimits, type LinkOptions, type LinkTls } from './link/link-options.js';
export { type LinkEvents, type LinkState, OfficeLink } from './link/office-link.js';
export { defaultLogger, type Logger } from './logger.js';
export { COMPUTER_LIMITS, type ComputerLimits, type ComputerOptions } from './options.js';
