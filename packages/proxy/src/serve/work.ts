import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Ask, CallOptions, Progress, Question } from '../toolbox.js';
import { guarded } from './client-questions.js';
import { Conversation } from './conversation.js';
import { looseResult } from './loose.js';
import { PATIENCE_MS, type WaitingRoom } from './waiting-room.js';

/**
 * Runs work for one request so that the client can cancel it, watch it and be asked by it, whichever generation of MCP it speaks.
 */
export async function runFor<T>(
  server: Server,
  ctx: ServerContext,
  room: WaitingRoom,
  work: (options: CallOptions) => Promise<T>,
): Promise<T | InputRequiredResult> {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  if (declared) return runInTurns(ctx, room, declared, work);
  const ask = guarded((question) => askDirectly(ctx, question), server.getClientCapabilities());
  const { signal } = ctx.mcpReq;
  return work({ signal, onProgress: progressTo(ctx), ...(ask && { ask }) });
}

/** 2025: the connection has a way back, and the question goes over it. */
async function askDirectly(ctx: ServerContext, { method, params }: Question): Promise<Record<string, unknown>> {
  const { signal } = ctx.mcpReq;
  const answer = ctx.mcpReq.send({ method, ...(params && { params }) }, looseResult, { signal, timeout: PATIENCE_MS });
  return answer as Promise<Record<string, unknown>>;
}

/** 2026: the answer to the request is the question, and the client's next request carries the answer. */
async function runInTurns<T>(
  ctx: ServerContext,
  room: WaitingRoom,
  capabilities: ClientCapabilities,
  work: (options: CallOptions) => Promise<T>,
): Promise<T | InputRequiredResult> {
  const state = ctx.mcpReq.requestState<string>();
  const conversation =
    state === undefined ? new Conversation<T>((options) => work(withAsk(options, capabilities))) : room.leave<T>(state);
  if (state !== undefined) conversation.answer(ctx.mcpReq.inputResponses ?? {});
  conversation.onProgress = progressTo(ctx);
  const turn = await conversation.next(ctx.mcpReq.signal);
  if (turn.kind === 'done') return turn.result;
  return inputRequired({ inputRequests: turn.questions as InputRequests, requestState: room.enter(conversation) });
}

function withAsk(
  { ask, ...options }: CallOptions & { readonly ask: Ask },
  capabilities: ClientCapabilities,
): CallOptions {
  const possible = guarded(ask, capabilities);
  return { ...options, ...(possible && { ask: possible }) };
}

function progressTo(ctx: ServerContext): (progress: Progress) => void {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  return (progress) => {
    if (progressToken === undefined) return;
    const sent = ctx.mcpReq.notify({ method: 'notifications/progress', params: { ...progress, progressToken } });
    sent.catch(() => {}); // progress towards a client that has gone
  };
}
