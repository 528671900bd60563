import type { ClientConfig, JsonObject } from '@a2c/config';
import { META_KEYS } from '@a2c/protocol';
import {
  Client,
  type ClientCapabilities,
  type ClientContext,
  type CreateMessageRequest,
  type CreateMessageResult,
  type ElicitRequest,
  type ElicitResult,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type ListRootsResult,
  ProtocolError,
} from '@modelcontextprotocol/client';
import { declaredCapabilities } from './declared-capabilities.js';
import { checkElicitedUrl } from './elicited-url.js';
import type { ProtocolEra } from './mcp-client.js';
import { WaitingRequests } from './waiting-requests.js';

/** The context of a server request. */
export interface ServerRequestContext {
  /** The name of the server. */
  readonly server: string;
  /** Aborted when the server no longer waits for the answer. */
  readonly signal: AbortSignal;
  /** The key of the request within an `input_required` result. A legacy server may send it in `_meta`. */
  readonly key?: string;
}

/** Answers `elicitation/create`. */
export type ElicitHandler = (params: ElicitRequest['params'], context: ServerRequestContext) => Promise<ElicitResult>;

/** Answers `sampling/createMessage`. */
export type SampleHandler = (
  params: CreateMessageRequest['params'],
  context: ServerRequestContext,
) => Promise<CreateMessageResult>;

/** Answers `roots/list`. */
export type RootsHandler = (context: ServerRequestContext) => Promise<ListRootsResult>;

/**
 * The handlers of server requests. A capability without a handler is not declared. An error with a number `legacyCode`
 * is sent to legacy servers with that code.
 */
export interface ServerRequestHandlers {
  readonly onElicit?: ElicitHandler | undefined;
  readonly onSample?: SampleHandler | undefined;
  readonly onRoots?: RootsHandler | undefined;
}

/** The client side of every connection: client info, configured capabilities and handlers. */
export interface ClientHandlers extends ServerRequestHandlers {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly client: ClientConfig | null;
  /** Extensions to declare if `capabilities` is absent. */
  readonly extensions?: ClientCapabilities['extensions'];
  /** Capabilities to declare besides the configured ones. Without them, those that have a handler are declared. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** The generation to speak with a server that speaks both. Default: modern. */
  readonly preferredEra?: ProtocolEra | undefined;
}

/** The SDK's client, with the envelope that it adds to messages. */
export class HubSdkClient extends Client {
  /** What a modern connection adds to `_meta` of every message. */
  get envelope(): JsonObject | undefined {
    return this._outboundMetaEnvelope() as JsonObject | undefined;
  }
}

/** Creates an SDK client that declares our capabilities and answers server requests with the handlers. */
export function createSdkClient(
  server: string,
  handlers: ClientHandlers,
  negotiation: ConstructorParameters<typeof Client>[1],
): HubSdkClient {
  const { onElicit, onSample, onRoots } = handlers;
  const capabilities = declaredCapabilities(handlers);
  const sdkClient = new HubSdkClient(handlers.clientInfo, {
    ...negotiation,
    capabilities,
    jsonSchemaValidator: NO_VALIDATION,
  });
  const waiting = new WaitingRequests();
  const contextOf = ({ mcpReq }: ClientContext) => {
    const key = mcpReq._meta?.[META_KEYS.inputKey];
    return { server, signal: mcpReq.signal, ...(typeof key === 'string' && { key }) };
  };
  if (onRoots && capabilities.roots) {
    sdkClient.setRequestHandler('roots/list', ({ method, params }, context) =>
      waiting.answer(method, params, () => onRoots(contextOf(context))).catch(throwLegacy),
    );
  }
  if (onElicit && capabilities.elicitation) {
    sdkClient.setRequestHandler('elicitation/create', ({ method, params }, context) => {
      checkElicitedUrl(params);
      return waiting.answer(method, params, () => onElicit(params, contextOf(context))).catch(throwLegacy);
    });
  }
  if (onSample && capabilities.sampling) {
    sdkClient.setRequestHandler('sampling/createMessage', ({ method, params }, context) =>
      waiting.answer(method, params, () => onSample(params, contextOf(context))).catch(throwLegacy),
    );
  }
  return sdkClient;
}

/** Only legacy servers send requests. An error may have a code of its own for them, as `legacyCode`. */
function throwLegacy(error: Error & { readonly legacyCode?: number }): never {
  throw error.legacyCode === undefined ? error : new ProtocolError(error.legacyCode, error.message);
}

/**
 * By default the SDK compiles every output schema to code that is never freed. The hub passes results on unvalidated.
 */
const NO_VALIDATION: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};
