import { harmless } from '../../output.js';
import { ShellError } from './command-line.js';
import type { Reply, Session } from './session.js';
import type { View } from './view.js';

export function done(view: View, text: string, data: Readonly<Record<string, unknown>> = {}): Reply {
  return { data: { ok: true, ...data }, text: `${view.paint('green', '✅')} ${harmless(text)}` };
}

export function failed(view: View, text: string, data: Readonly<Record<string, unknown>> = {}): Reply {
  return {
    data: { ok: false, error: text, ...data },
    text: `${view.paint('red', '❌')} ${harmless(text)}`,
    failed: true,
  };
}

/** Data whose form for people is the same JSON, laid out. */
export function json(data: unknown): Reply {
  return { data, text: harmless(JSON.stringify(data, null, 2)) };
}

export function required(session: Session, value: string | undefined, usage: string): string {
  if (value !== undefined && value !== '') return value;
  throw new ShellError(session.view.say('usage', { usage }));
}
