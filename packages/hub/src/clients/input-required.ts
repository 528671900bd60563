import type { JsonObject } from '@a2c/config';
import { delay, isRecord } from '@a2c/protocol';
import {
  type InputRequest,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { HubError } from '../errors.js';
import type { ServerRequestContext, ServerRequestHandlers } from './client-handlers.js';
import { checkElicitedUrl } from './elicited-url.js';
import { WaitingRequests } from './waiting-requests.js';

const MAX_ROUNDS = 20;
/** The delay before the request is repeated when the server requires no input. */
const RETRY_DELAY_MS = 250;

/**
 * Goes on with a request of the modern generation: as long as the result is `input_required`, answers the server
 * requests in it and repeats the request with the answers. The SDK could do this too, but it does not know the handlers
 * of this request.
 */
export async function repeatWithInput(
  first: JsonObject,
  send: (params: JsonObject) => Promise<JsonObject>,
  params: JsonObject,
  handlers: ServerRequestHandlers,
  context: ServerRequestContext,
): Promise<JsonObject> {
  let result = first;
  for (let round = 1; isInputRequiredResult(result); round++) {
    if (round > MAX_ROUNDS) {
      const message = `server "${context.server}" still requires input after ${MAX_ROUNDS} rounds`;
      throw new HubError('upstream', message, { server: context.server });
    }
    const answers = await answerAll(result, handlers, context);
    result = await send({ ...params, ...answers });
  }
  return result;
}

/** Answers the server requests in a result. Returns the parameters that carry the answers. */
export async function answerAll(
  { inputRequests = {}, requestState }: InputRequiredResult,
  handlers: ServerRequestHandlers,
  context: ServerRequestContext,
): Promise<JsonObject> {
  const requests = checkedRequests(inputRequests, context.server);
  if (requests.length === 0) await delay(RETRY_DELAY_MS, context.signal);
  const waiting = new WaitingRequests();
  const answers = await Promise.all(
    requests.map(async ([key, request]) => {
      const { method, params } = request;
      return [key, await waiting.answer(method, params, () => answer(request, handlers, { ...context, key }))];
    }),
  );
  return {
    ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
    ...(requestState !== undefined && { requestState }),
  };
}

function checkedRequests(requests: unknown, server: string): readonly (readonly [string, InputRequest])[] {
  const entries = isRecord(requests) ? Object.entries(requests) : [];
  const isValid = (request: unknown) =>
    isRecord(request) && (isRecord(request.params) || request.method === 'roots/list');
  if (isRecord(requests) && entries.every(([, request]) => isValid(request)))
    return entries as [string, InputRequest][];
  throw new HubError('upstream', `server "${server}" requires input, but its inputRequests are not MCP`, { server });
}

async function answer(
  { method, params }: InputRequest,
  { onElicit, onSample, onRoots }: ServerRequestHandlers,
  context: ServerRequestContext,
): Promise<unknown> {
  if (method === 'elicitation/create' && onElicit) {
    checkElicitedUrl(params);
    return onElicit(params, context);
  }
  if (method === 'sampling/createMessage' && onSample) return onSample(params, context);
  if (method === 'roots/list' && onRoots) return onRoots(context);
  throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `this client has no handler for ${method}`);
}
