import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { ANSWERED_ELSEWHERE, consentOnTerminal } from '../src/computer/shell/terminal/consent.js';
import { Terminal } from '../src/computer/shell/terminal/terminal.js';
import { createView } from '../src/computer/shell/view.js';

function terminalOf() {
  const input = Object.assign(new PassThrough(), { setRawMode: () => {} });
  const output = new PassThrough();
  let shown = '';
  output.on('data', (chunk: Buffer) => {
    shown += chunk;
  });
  const terminal = new Terminal({
    input: input as unknown as ReadStream,
    output: output as unknown as WriteStream,
    view: createView({ language: 'en', colour: false }),
    prompt: 'a2c> ',
    history: [],
    isCommand: () => true,
    complete: () => [[], ''],
    onInterrupt: () => {},
    onCancel: () => {},
  });
  terminal.open();
  onTestFinished(() => terminal.close());
  const sees = (text: string) => expect.poll(() => shown).toContain(text);
  return { terminal, sees, types: (keys: string) => void input.write(keys) };
}

verifies('SEC-ASK-08', 'the answer to a question that was withdrawn does not answer the next one', async () => {
  const { terminal, sees, types } = terminalOf();
  const call = new AbortController();
  const first = terminal.askText('Read? ', { signal: call.signal });
  const second = terminal.askText('Delete? ');
  await sees('Read? ');
  types('y');
  call.abort();
  expect(await first).toBeUndefined();
  // The question is shown without any delay, and the rest of the answer arrives.
  types('es\r');
  await sees('Delete? ');
  types('yes\r');
  await pause(800);
  types('no\r');
  expect(await second).toBe('no');
});

verifies('SEC-ASK-08', 'other questions take keys at once', async () => {
  const { terminal, sees, types } = terminalOf();
  const answers = ['Read? ', 'Write? '].map((question) => terminal.askText(question));
  for (const [at, question] of ['Read? ', 'Write? '].entries()) {
    await sees(question);
    types('yes\r');
    expect(await answers[at]).toBe('yes');
  }
});

verifies('SEC-ASK-09', 'a question that was answered in the console is reported as answered', async () => {
  const answered = new AbortController();
  const printed: string[] = [];
  const ask = async () => {
    answered.abort(ANSWERED_ELSEWHERE);
    return undefined;
  };
  const confirm = consentOnTerminal(createView({ language: 'en', colour: false }), ask, (text) => printed.push(text));
  const names = { server: 'w', bundleId: 'w', tool: 'echo', displayName: 'echo' };
  const description = { name: 'echo', inputSchema: { type: 'object' as const } };
  await confirm({ reqId: '1', agent: 'bot', ...names, parameters: {}, description, signal: answered.signal });
  expect(printed).toEqual(['The question was answered in the console']);
});
