// The public API of the package.

export type { LogInOptions, LoginWay } from '@a2c/login';
export { LoginError, Vault } from '@a2c/login';
export type { ArgumentProblem, CallOptions, CallToolResult, ContentBlock, Progress } from '@a2c/protocol';
export {
  type CallerOptions,
  type ConsentHandler,
  type ConsentRequest,
  callerOf,
  type HubCallOptions,
  type RequestOptions,
} from './calls/call-options.js';
export { type Caller, CallQueue, type CallQueueLimits } from './calls/call-queue.js';
export { signatureOf } from './calls/signature.js';
export { type Cancellation, Canceller, cancellationOf } from './cancellation.js';
export { BaseMCPClient } from './clients/base-client.js';
export { type ClientFactories, type CustomServer, createClient, customServer } from './clients/client-factory.js';
export type {
  ClientHandlers,
  ElicitHandler,
  RootsHandler,
  SampleHandler,
  ServerRequestContext,
  ServerRequestHandlers,
} from './clients/client-handlers.js';
export { checkElicitedUrl } from './clients/elicited-url.js';
export {
  type ClientFactory,
  type ClientRequestOptions,
  MCP_VERSIONS,
  type MCPClientOptions,
  type MCPClientProtocol,
  type ProtocolEra,
} from './clients/mcp-client.js';
export { isTaskResult } from './clients/sent-messages.js';
export { capabilityKey, type ServedClient } from './clients/served-client.js';
export { withValidFields } from './clients/valid-fields.js';
export { HubError, type HubErrorKind, type HubErrorOptions, ToolNameDuplicatedError } from './errors.js';
export { HUB_LIMITS, type HubLimits } from './limits.js';
export { MCPServerManager } from './manager.js';
export type { AddOptions, HubEvents, ManagerOptions } from './options.js';
export { PinStore, type SeenChange } from './pins/pin-store.js';
export type { PinnedTool } from './pins/pinned-tool.js';
export type { PinMode, PinOptions } from './pins/server-pins.js';
export { fullText, type ToolChange } from './pins/tool-change.js';
export { CoalescedTask } from './serial-queue.js';
export type { StartPolicy } from './servers/managed-server.js';
export type { ServerState } from './servers/state-machine.js';
export type { ConnectionStatus, ServerStatus } from './servers/status.js';
export type { ListedTool } from './tools/parse-tool.js';
export type { AvailableTool, NameForm } from './tools/tool-table.js';
export { proxyAgent } from './transports/http/tunnel-agent.js';
export { type LineEncoding, LineTransport } from './transports/line-transport.js';
export type {
  AnyTransport,
  ServerTransport,
  TransportDiagnostics,
  TransportLimits,
} from './transports/server-transport.js';
export { type SocketEndpoint, SocketTransport } from './transports/socket-transport.js';
export { type Envelope, EnvelopeScanner } from './transports/wire/envelope-scanner.js';
export { LineReader, type LineReaderOptions, type LineSink } from './transports/wire/line-reader.js';
export { mapInTurns } from './turn-budget.js';
export { VERSION } from './version.js';
