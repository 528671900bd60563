/**
 * The web console: the page, and the operator interface over HTTP and server-sent events. Start with `createConsole`.
 *
 * @packageDocumentation
 */

export type { AuthenticateOperator, OperatorIdentity } from './access.js';
export { type Console, type ConsoleOptions, createConsole, type OperatorAuditRecord } from './console.js';
export { type ListeningConsole, listenConsole } from './listen.js';
