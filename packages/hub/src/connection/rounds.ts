import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@a2c/config';
import {
  type InputRequest,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { HubError } from '../errors.js';
import type { Answerers, QuestionContext } from './our-side.js';

/** A server that is still asking after so many rounds will never be content. */
const MOST_ROUNDS = 20;
/** Before asking again where the server only wants to be asked later. */
const PAUSE_MS = 250;

/**
 * The newer generation does not ask in the middle of a request: it ends the request with its questions, and is sent it again with the
 * answers. Done here and not by the SDK, because only here is it known whose request it was.
 */
export async function inRounds(
  send: (params: JsonObject) => Promise<JsonObject>,
  params: JsonObject,
  answerers: Answerers,
  context: QuestionContext,
): Promise<JsonObject> {
  let result = await send(params);
  for (let round = 1; isInputRequiredResult(result); round++) {
    if (round > MOST_ROUNDS) {
      const message = `server "${context.server}" still has questions after ${MOST_ROUNDS} rounds of answers`;
      throw new HubError('upstream', message, { server: context.server });
    }
    const answers = await answersTo(result, answerers, context);
    result = await send({ ...params, ...answers });
  }
  return result;
}

async function answersTo(
  { inputRequests = {}, requestState }: InputRequiredResult,
  answerers: Answerers,
  context: QuestionContext,
): Promise<JsonObject> {
  const questions = Object.entries(inputRequests);
  if (questions.length === 0) await delay(PAUSE_MS, undefined, { signal: context.signal });
  const answers = await Promise.all(
    questions.map(async ([key, question]) => [key, await answer(question, answerers, { ...context, key })]),
  );
  return {
    ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
    ...(requestState !== undefined && { requestState }),
  };
}

async function answer(
  { method, params }: InputRequest,
  { onElicit, onSample, onRoots }: Answerers,
  context: QuestionContext,
): Promise<unknown> {
  if (method === 'elicitation/create' && onElicit) return onElicit(params, context);
  if (method === 'sampling/createMessage' && onSample) return onSample(params, context);
  if (method === 'roots/list' && onRoots) return onRoots(context);
  throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `nobody here answers ${method}`);
}
