import type { RequestOptions } from '@a2c/link';
import type { AgentRequest } from '../repeated-request.js';
import { readList } from './list-answers.js';
import { readUnprovenResult } from './unproven-result.js';

/**
 * How the answer to a request is read; undefined where the usual parser does it.
 *
 * @param isOfA2C Whether the Computer is one of a2c: these have an epoch.
 */
export function answerReader<E extends AgentRequest>(event: E, isOfA2C: boolean): RequestOptions<E>['parse'] {
  const reader = readerOf(event, isOfA2C);
  return reader as RequestOptions<E>['parse'];
}

function readerOf(event: AgentRequest, isOfA2C: boolean) {
  switch (event) {
    case 'client:get_tools':
    case 'client:get_resources':
    case 'client:get_skills':
      return readList(event);
    case 'client:tool_call':
      return isOfA2C ? undefined : readUnprovenResult;
    default:
      return undefined;
  }
}
