import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallOptions, Progress, Question } from '../toolbox.js';
import { canElicit, guarded } from './client-questions.js';
import { Conversation, type WorkOptions } from './conversation.js';
import { looseResult } from './loose.js';
import { PATIENCE_MS, type WaitingRoom } from './waiting-room.js';

const underWay = new WeakMap<Server, number>();

/** Whether somebody at the other end waits for an answer. */
export function isBusy(server: Server): boolean {
  return (underWay.get(server) ?? 0) > 0;
}

/**
 * Runs work for one request so that the client can cancel it, watch it and be asked by it, whichever generation of MCP it speaks. `about`
 * is what the request asks for: answers that come back with another request are not taken.
 */
export async function runFor<T>(
  server: Server,
  ctx: ServerContext,
  room: WaitingRoom,
  about: unknown,
  work: (options: CallOptions) => Promise<T>,
): Promise<T | InputRequiredResult> {
  underWay.set(server, (underWay.get(server) ?? 0) + 1);
  try {
    return await answerFor(server, ctx, room, about, work);
  } finally {
    underWay.set(server, (underWay.get(server) ?? 0) - 1);
  }
}

async function answerFor<T>(
  server: Server,
  ctx: ServerContext,
  room: WaitingRoom,
  about: unknown,
  work: (options: CallOptions) => Promise<T>,
): Promise<T | InputRequiredResult> {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const capabilities = declared ?? server.getClientCapabilities();
  const workFor = ({ ask, ...options }: WorkOptions) =>
    work({ ...options, client: server, ask: guarded(ask, capabilities), canConsent: canElicit('form', capabilities) });
  if (declared) return runInTurns(ctx, room, JSON.stringify([ctx.mcpReq.method, about]), workFor);
  const { signal } = ctx.mcpReq;
  return workFor({ signal, onProgress: progressTo(ctx), ask: (question) => askDirectly(ctx, question) });
}

/** 2025: the connection has a way back, and the question goes over it. */
async function askDirectly(
  ctx: ServerContext,
  { method, params, signal: withdrawn }: Question,
): Promise<Record<string, unknown>> {
  const signal = withdrawn ? AbortSignal.any([ctx.mcpReq.signal, withdrawn]) : ctx.mcpReq.signal;
  const answer = ctx.mcpReq.send({ method, ...(params && { params }) }, looseResult, { signal, timeout: PATIENCE_MS });
  return answer as Promise<Record<string, unknown>>;
}

/** 2026: the answer to the request is the question, and the client's next request carries the answer. */
async function runInTurns<T>(
  ctx: ServerContext,
  room: WaitingRoom,
  about: string,
  work: (options: WorkOptions) => Promise<T>,
): Promise<T | InputRequiredResult> {
  const state = ctx.mcpReq.requestState<string>();
  const conversation = state === undefined ? new Conversation<T>(work) : room.leave<T>(state, about);
  if (state !== undefined) conversation.answer(ctx.mcpReq.inputResponses ?? {});
  conversation.onProgress = progressTo(ctx);
  const turn = await conversation.next(ctx.mcpReq.signal);
  if (turn.kind === 'done') return turn.result;
  return inputRequired({
    inputRequests: turn.questions as InputRequests,
    requestState: room.enter(conversation, about),
  });
}

function progressTo(ctx: ServerContext): (progress: Progress) => void {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  return (progress) => {
    if (progressToken === undefined) return;
    const sent = ctx.mcpReq.notify({ method: 'notifications/progress', params: { ...progress, progressToken } });
    sent.catch(() => {}); // progress towards a client that has gone
  };
}
