import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { elicitOnTerminal } from '../src/computer/shell/terminal/elicitation.js';
import { createView } from '../src/computer/shell/view.js';

const view = createView({ language: 'en', colour: false });

verifies('SEC-ASK-03', 'a question whose call has ended is closed with a line, and nothing more is asked', async () => {
  const ended = new AbortController();
  const questions: string[] = [];
  const printed: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    if (questions.length === 1) return 'Ann';
    ended.abort();
    return undefined;
  };
  const field = { type: 'string' as const };
  const elicit = elicitOnTerminal(view, ask, (text) => printed.push(text));
  const answer = await elicit(
    { message: 'Who?', requestedSchema: { type: 'object', properties: { a: field, b: field, c: field } } },
    { server: 'mail', signal: ended.signal },
  );
  expect(answer).toEqual({ action: 'cancel' });
  expect(questions).toHaveLength(2);
  expect(printed.at(-1)).toBe('The question expired: the call ended without an answer');
});

verifies('SEC-ASK-03', 'a choice shows its title, and a default is followed by a colon', async () => {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question.trim());
    return '';
  };
  const hero = { type: 'string' as const, oneOf: [{ const: 'h1', title: 'Superman' }], default: 'h1' };
  const elicit = elicitOnTerminal(view, ask, () => {});
  await elicit(
    { message: 'Who?', requestedSchema: { type: 'object', properties: { hero } } },
    { server: 'mail', signal: new AbortController().signal },
  );
  expect(questions[0]).toBe("hero [h1 (Superman)] (optional) [default: 'h1']:");
});
