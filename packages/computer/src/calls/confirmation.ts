import type { AvailableTool } from '@a2c/hub';
import { timerMs } from '@a2c/protocol';
import type { ConsentFailure } from './failures.js';

/** What else a person may want to know before saying yes. */
export interface ConfirmContext {
  /** Who asks; null for a call of this machine's own. */
  readonly agent: string | null;
  /** The tool as its server describes it, hints such as `readOnlyHint` among its annotations. */
  readonly tool: AvailableTool['tool'];
  /** The name it is listed under. */
  readonly displayName: string;
  /** Aborted when the answer comes too late or the call is cancelled. */
  readonly signal: AbortSignal;
}

/** True lets the call happen. Throwing a `TimeoutError` means that nobody answered in time. */
export type ConfirmCallback = (
  reqId: string,
  server: string,
  tool: string,
  parameters: Readonly<Record<string, unknown>>,
  context: ConfirmContext,
) => boolean | Promise<boolean>;

export interface ConsentRequest {
  readonly reqId: string;
  readonly agent: string | null;
  readonly tool: AvailableTool;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What is left of the call's time. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Undefined means yes. Only a literal `auto_apply: true` spares the question. */
export async function askForConsent(
  confirm: ConfirmCallback | undefined,
  { reqId, agent, tool, parameters, timeoutMs, signal }: ConsentRequest,
): Promise<ConsentFailure | undefined> {
  if (tool.meta?.auto_apply === true) return undefined;
  if (!confirm) return 'no-callback';
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timerMs(timeoutMs));
  const both = AbortSignal.any([signal, deadline.signal]);
  const tooLate = new Promise<'timeout'>((resolve) => {
    if (both.aborted) resolve('timeout');
    both.addEventListener('abort', () => resolve('timeout'), { once: true });
  });
  const context = { agent, tool: tool.tool, displayName: tool.displayName, signal: both };
  try {
    const asked = Promise.resolve(confirm(reqId, tool.server, tool.name, parameters, context));
    const answer = await Promise.race([asked, tooLate]);
    asked.catch(() => {}); // an answer after the deadline concerns nobody, a failure neither
    if (answer === 'timeout') return 'timeout';
    return answer === true ? undefined : 'refused';
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return error.name === 'TimeoutError' ? 'timeout' : { thrown: error.message };
  } finally {
    clearTimeout(timer);
  }
}
