import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { elicitOnTerminal } from '../src/computer/shell/terminal/elicitation.js';
import type { View } from '../src/computer/shell/view.js';

const view = {
  say: (key: string, values: object = {}) => [key, ...Object.values(values)].join(' '),
  paint: (_style: string, text: string) => text,
  width: Number.POSITIVE_INFINITY,
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

verifies('SEC-ASK-06', 'no part of a question controls the terminal, also after a wrong answer', async () => {
  const evil = 'a\u001b]0;title\u0007\u009b2J\u202e\r\nforged line';
  const choices = [
    { type: 'string', enum: [evil], enumNames: [evil] },
    { type: 'string', oneOf: [{ const: evil, title: evil }] },
    { type: 'array', items: { anyOf: [{ const: evil, title: evil }] } },
    { type: 'number', format: evil },
    { type: evil, default: evil, enum: [evil] },
    { type: 'string', enum: [evil.repeat(1_000)] },
  ];
  for (const field of choices) {
    const asked: string[] = [];
    const printed: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return asked.length < 2 ? 'wrong' : undefined;
    };
    const requestedSchema = {
      type: 'object' as const,
      properties: { [evil]: { title: evil, description: evil, ...field } as never },
    };
    const elicit = elicitOnTerminal(view, ask, (text) => printed.push(text));
    await elicit({ message: evil, requestedSchema }, { server: evil, signal: new AbortController().signal });
    const wrong = printed.at(-1) ?? '';
    expect(wrong).toContain('elicitWrong a\\u001b]0;title');
    for (const text of [...asked, wrong]) {
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(text.length).toBeLessThan(600);
    }
    // The lines of the message are shown as lines, each indented.
    expect(printed[0]).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]|^forged/mu);
  }
});

verifies('SHELL-TERM-05', 'a field accepts only texts of its format', async () => {
  const answers: Readonly<Record<string, readonly string[]>> = {
    uri: ['notauri', 'https://h/x'],
    email: ['ann', 'ann@example.org'],
    date: ['2026-13-01', '2026-12-01'],
    'date-time': ['2026-12-01', '2026-12-01T10:00:00Z'],
  };
  for (const [format, typed] of Object.entries(answers)) {
    const left = [...typed, 'yes'];
    const wrong: string[] = [];
    const elicit = elicitOnTerminal(
      view,
      async () => left.shift(),
      (text) => wrong.push(text),
    );
    const field = { type: 'string' as const, format: format as 'uri' };
    const requestedSchema = { type: 'object' as const, properties: { it: field }, required: ['it'] };
    const request = { server: 'mail', signal: new AbortController().signal };
    expect(await elicit({ message: 'Which?', requestedSchema }, request)).toMatchObject({ content: { it: typed[1] } });
    expect(wrong.at(-1)).toContain('elicitWrong');
  }
});
