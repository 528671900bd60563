import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { elicitOnTerminal } from '../src/computer/shell/terminal/elicitation.js';
import type { View } from '../src/computer/shell/view.js';

const view = {
  say: (key: string, values: object = {}) => [key, ...Object.values(values)].join(' '),
  paint: (_style: string, text: string) => text,
} as unknown as View;

/** What a person sees of a question with this message and a field with this title. */
async function shown(message: string, title: string): Promise<readonly string[]> {
  const texts: string[] = [];
  const ask = async (question: string) => {
    texts.push(question);
    return 'x';
  };
  const elicit = elicitOnTerminal(view, ask, (text) => texts.push(text));
  const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const, title } } };
  await elicit({ message, requestedSchema }, { server: 'mail', signal: new AbortController().signal });
  return texts;
}

verifies('SEC-ASK-03', 'a question cannot scroll its title away', async () => {
  const [honest, field] = await shown('Who are you?\n\nYour name, please.', 'Name');
  expect(honest).toBe('\nelicitTitle mail\n  Who are you?\n  Your name, please.\n  elicitHint');
  expect(field).toBe('  Name (name) [string] elicitOptional: ');
  for (const message of ['\r\n'.repeat(500), 'line\n'.repeat(500), 'x'.repeat(100_000), '\u001b[2J'.repeat(500)]) {
    const [head = '', question = ''] = await shown(`First${message}`, message);
    expect(head.startsWith('\nelicitTitle mail\n  First')).toBe(true);
    expect(head.split('\n').length).toBeLessThan(20);
    expect(head.length).toBeLessThan(1_500);
    expect(question.length).toBeLessThan(600);
    expect(head.includes('elicitCut')).toBe(message.trim() !== '');
  }
});
