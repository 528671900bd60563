import type { ClientConfig } from '@a2c/config';
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
} from '@modelcontextprotocol/client';

/** What a server asks of the person or the model behind us. */
export interface QuestionContext {
  readonly server: string;
  readonly signal: AbortSignal;
  /** What the server calls its question; only those of the newer generation do. */
  readonly key?: string;
}
export type ElicitHandler = (params: ElicitRequest['params'], context: QuestionContext) => Promise<ElicitResult>;
export type SampleHandler = (
  params: CreateMessageRequest['params'],
  context: QuestionContext,
) => Promise<CreateMessageResult>;
export type RootsHandler = (context: QuestionContext) => Promise<ListRootsResult>;

/** Who answers what servers ask. */
export interface Answerers {
  readonly onElicit?: ElicitHandler | undefined;
  readonly onSample?: SampleHandler | undefined;
  readonly onRoots?: RootsHandler | undefined;
}

/** How we present ourselves to every server. */
export interface OurSide extends Answerers {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly client: ClientConfig | null;
}

/**
 * A client that declares what we can do and answers what servers ask. Without a handler the capability is not declared,
 * and a server that asks nevertheless is told that there is no such method.
 */
export function createClient(
  server: string,
  ours: OurSide,
  negotiation: ConstructorParameters<typeof Client>[1],
): Client {
  const { client, onElicit, onSample, onRoots } = ours;
  const capabilities: ClientCapabilities = {
    ...(client?.capabilities as ClientCapabilities | null),
    ...(onRoots && { roots: { ...(client?.capabilities?.roots as object | undefined) } }),
    ...(onElicit && { elicitation: { form: {}, url: {} } }),
    ...(onSample && { sampling: {} }),
  };
  const mcp = new Client(ours.clientInfo, { ...negotiation, capabilities, jsonSchemaValidator: NO_VALIDATION });
  const asked = ({ mcpReq }: ClientContext) => ({ server, signal: mcpReq.signal });
  if (onRoots) mcp.setRequestHandler('roots/list', (_request, context) => onRoots(asked(context)));
  if (onElicit) {
    mcp.setRequestHandler('elicitation/create', ({ params }, context) => onElicit(params, asked(context)));
  }
  if (onSample) {
    mcp.setRequestHandler('sampling/createMessage', ({ params }, context) => onSample(params, asked(context)));
  }
  return mcp;
}

/** The roots of a configuration, for whoever asks. */
export function configuredRoots(client: ClientConfig | null): RootsHandler | undefined {
  if (!client?.roots) return undefined;
  const roots = client.roots.map(({ uri, name }) => ({ uri, ...(name !== null && { name }) }));
  return async () => ({ roots });
}

/** The SDK would compile every output schema with a validator whose generated code is never freed. We pass results on. */
const NO_VALIDATION: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};
