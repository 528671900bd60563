import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { ResumableCall, type WorkOptions } from '../src/serve/input-required.js';
import type { ServerRequest } from '../src/toolbox.js';

const NEVER = { reason: undefined, onAbort: () => () => {} } as never;
const question = (message: string, more: Partial<ServerRequest> = {}): ServerRequest => ({
  method: 'elicitation/create',
  params: { message },
  ...more,
});

/** The messages of the questions that a client is asked, by key. */
async function asked(call: ResumableCall<unknown>): Promise<Record<string, unknown>> {
  const step = await call.next(NEVER);
  if (step.kind === 'done') throw new Error('the call has ended');
  return Object.fromEntries(Object.entries(step.inputRequests).map(([key, { params }]) => [key, params?.message]));
}

type Ask = NonNullable<WorkOptions['onServerRequest']>;
const running = (work: (ask: Ask) => Promise<unknown>, responses?: Record<string, unknown>) =>
  new ResumableCall(({ onServerRequest }) => work(onServerRequest as Ask), { responses });

describe('the answer to a question of one call', () => {
  verifies('SEC-ASK-07', 'is never taken for the answer to another one, whatever key a server chooses', async () => {
    const answers: Record<string, unknown> = {};
    let askConsent = () => {};
    const call = running(async (ask) => {
      const units = ask(question('units?', { key: 'question-1' }));
      const consent = new Promise<void>((resolve) => {
        askConsent = resolve;
      }).then(() => ask(question('pay?')));
      [answers.units, answers.consent] = await Promise.all([units, consent]);
    });
    expect(await asked(call)).toEqual({ 'question-1': 'units?' });
    askConsent();
    await Promise.resolve();
    call.respond({ 'question-1': { action: 'accept' } });
    const [[key = '', message] = []] = Object.entries(await asked(call));
    expect([key === 'question-1', message]).toEqual([false, 'pay?']);
    call.respond({ [key]: { action: 'decline' } });
    expect((await call.next(NEVER)).kind).toBe('done');
    expect(answers).toEqual({ units: { action: 'accept' }, consent: { action: 'decline' } });
  });

  verifies('SEC-ASK-07', 'that was withdrawn is dropped', async () => {
    const withdrawn = new AbortController();
    const call = running(async (ask) => {
      await ask(question('password?', { signal: withdrawn.signal })).catch(() => undefined);
      return ask(question('weather?', { key: 'question-1' }));
    });
    expect(await asked(call)).toEqual({ 'question-1': 'password?' });
    withdrawn.abort(new Error('cancelled'));
    await new Promise(setImmediate);
    call.respond({ 'question-1': { action: 'accept', content: { password: 'of the first' } } });
    expect(Object.values(await asked(call))).toEqual(['weather?']);
    call.cancel(new Error('the test ends'));
  });

  verifies('SEC-ASK-07', 'counts before the question was asked only for keys that the server has chosen', async () => {
    const accepted = { action: 'accept' };
    const call = running((ask) => Promise.all([ask(question('name?', { key: 'name' })), ask(question('consent?'))]), {
      name: accepted,
      'question-1': accepted,
      'question-2': accepted,
    });
    expect(Object.values(await asked(call))).toEqual(['consent?']);
    call.cancel(new Error('the test ends'));
  });
});
