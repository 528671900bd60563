/**
 * The web console: the page, and the operator interface over HTTP and server-sent events. Start with `createConsole`.
 *
 * @packageDocumentation
 */

export type { AuthenticateOperator, OperatorIdentity } from './access.js';
export type { OperatorAuditRecord } from './audit-record.js';
export { type Console, type ConsoleOptions, createConsole } from './console.js';
export { type ListeningConsole, listenConsole, listenOnOtherLoopback } from './listen.js';
