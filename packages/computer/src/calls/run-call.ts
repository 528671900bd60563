import type { JsonObject, JsonValue } from '@a2c/config';
import { type AvailableTool, HubError, type MCPServerManager } from '@a2c/hub';
import type { CallToolResult } from '@a2c/protocol';
import { askForConsent, type ConfirmCallback } from './confirmation.js';
import type { ConsentFailure } from './failures.js';
import { withoutForeignHandles } from './foreign-handles.js';

export interface CallToRun {
  readonly manager: MCPServerManager;
  readonly confirm: ConfirmCallback | undefined;
  readonly reqId: string;
  readonly agent: string | null;
  readonly tool: AvailableTool;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly timeout: number;
  readonly meta: Readonly<Record<string, JsonValue>> | undefined;
  readonly signal: AbortSignal;
}

/** How a call ended. */
export type CallOutcome = { readonly ms: number } & (
  | { readonly end: 'result'; readonly result: CallToolResult }
  | { readonly end: 'no-consent'; readonly why: ConsentFailure }
  | { readonly end: 'cancelled'; readonly reason: string }
  | { readonly end: 'timeout' }
  | { readonly end: 'failed'; readonly error: HubError }
);

type Ending<O = CallOutcome> = O extends unknown ? Omit<O, 'ms'> : never;

/** Consent, then the tool, within one deadline: time spent on the question is gone for the answer. */
export async function runCall(call: CallToRun): Promise<CallOutcome> {
  const started = performance.now();
  const ending = await endingOf(call, started);
  return { ...ending, ms: performance.now() - started };
}

async function endingOf(call: CallToRun, started: number): Promise<Ending> {
  const { manager, confirm, reqId, agent, tool, parameters, timeout, meta, signal } = call;
  const timeLeft = () => timeout * 1_000 - (performance.now() - started);
  const refusal = await askForConsent(confirm, { reqId, agent, tool, parameters, timeoutMs: timeLeft(), signal });
  if (signal.aborted) return cancelled(signal);
  if (refusal !== undefined) return { end: 'no-consent', why: refusal };
  if (timeLeft() <= 0) return { end: 'timeout' };
  try {
    const result = await manager.callTool(tool.server, tool.name, parameters as JsonObject, {
      timeout: timeLeft() / 1_000,
      signal,
      ...(meta && { meta: meta as JsonObject }),
    });
    return { end: 'result', result: withoutForeignHandles(result) };
  } catch (thrown) {
    if (signal.aborted) return cancelled(signal);
    if (!(thrown instanceof HubError)) throw thrown;
    return thrown.kind === 'timeout' ? { end: 'timeout' } : { end: 'failed', error: thrown };
  }
}

function cancelled({ reason }: AbortSignal): Ending {
  return { end: 'cancelled', reason: String(reason) };
}
