import type { MCPRequest, Toolbox, ToolboxCallOptions } from '../toolbox.js';
import { readErrorRank, resourceNotFound } from './rpc-error.js';

/** The result of one of several servers. */
export interface ServerAnswer {
  readonly server: string;
  readonly result: Record<string, unknown>;
}

/**
 * Sends a request that only reads to one server after the other and returns the first result. A server that has not
 * answered after `nextServerMs` does not delay the next one, and its answer still counts. Requests without use are
 * cancelled.
 */
export async function firstAnswer(
  toolbox: Toolbox,
  servers: readonly string[],
  request: MCPRequest,
  nextServerMs: number,
  options: ToolboxCallOptions,
): Promise<ServerAnswer> {
  const decided = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, decided.signal]) : decided.signal;
  let failure: unknown;
  const ask = async (server: string): Promise<ServerAnswer> => {
    try {
      return { server, result: await toolbox.request(server, request, { ...options, signal }) };
    } catch (error) {
      if (failure === undefined || readErrorRank(error) > readErrorRank(failure)) failure = error;
      throw error;
    }
  };
  const asked: Promise<ServerAnswer>[] = [];
  try {
    for (const server of servers) {
      const answer = ask(server);
      asked.push(answer);
      const found = await soonest(asked, answer, nextServerMs);
      if (found) return found;
      options.signal?.throwIfAborted();
    }
    return await Promise.any(asked);
  } catch (error) {
    throw options.signal?.aborted ? error : (failure ?? resourceNotFound(request.params?.uri));
  } finally {
    decided.abort();
  }
}

/** The first answer of those asked; undefined if the last one asked fails, or no server answers in time. */
async function soonest(
  asked: readonly Promise<ServerAnswer>[],
  last: Promise<ServerAnswer>,
  nextServerMs: number,
): Promise<ServerAnswer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, nextServerMs, undefined);
  });
  const failed = last.then(
    (answer) => answer,
    () => undefined,
  );
  const any = Promise.any(asked).catch(() => undefined);
  try {
    return await Promise.race([any, failed, late]);
  } finally {
    clearTimeout(timer);
  }
}
