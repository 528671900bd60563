// The public API of the package.

export { createLogger, type Logger, type RecordFileOptions } from '@a2c/log';
export type { ConfirmCallback, ConfirmRequest } from './calls/consent.js';
export type { OnceOnlyLimits } from './calls/once-only.js';
export type { ExecuteOptions } from './calls/tool-calls.js';
export { Computer, type ComputerEvents, type DesktopRequest } from './computer.js';
export type { ToolCallRecord } from './history/call-history.js';
export { LINK_LIMITS, type LinkLimits, type LinkOptions, type LinkTls } from './link/link-options.js';
export { type LinkEvents, type LinkState, OfficeLink } from './link/office-link.js';
export { COMPUTER_LIMITS, type ComputerLimits, type ComputerOptions } from './options.js';
