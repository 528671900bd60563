// The public API of the package.

export type { ConfirmCallback, ConfirmRequest } from './calls/consent.js';
export type { OnceOnlyLimits } from './calls/once-only.js';
export type { ExecuteOptions } from './calls/tool-calls.js';
export { Computer, type DesktopRequest } from './computer.js';
export type { ComputerEvents } from './events.js';
export type { ToolCallRecord } from './history/call-history.js';
export type { RecordFileOptions } from './history/record-file.js';
export { LINK_LIMITS, type LinkLimits, type LinkOptions, type LinkTls } from './link/link-options.js';
export { type LinkEvents, type LinkState, OfficeLink } from './link/office-link.js';
export { createLogger, type Logger } from './logger.js';
export { COMPUTER_LIMITS, type ComputerLimits, type ComputerOptions } from './options.js';
