import { resolve } from 'node:path';
import { FileError, type JsonValue, readFileSafely } from '@a2c/config';
import type { View } from './view.js';

/** A wrong command line in the shell. The message is in the user's language. */
export class ShellError extends Error {
  override readonly name = 'ShellError';
}

/** A word. Single and double quotes keep spaces inside it. */
const WORD = /\s*((?:[^\s"']|"[^"]*"?|'[^']*'?)+)/;

/** The first word of a text, and the rest with its quotes, which may belong to JSON. */
export function firstWord(text: string): readonly [word: string, rest: string] {
  const [matched, word] = new RegExp(WORD, 'y').exec(text) ?? ['', ''];
  return [unquoted(word ?? ''), text.slice(matched.length).trim()];
}

/** Splits a text at spaces outside quotes. */
export function words(text: string): string[] {
  return Array.from(text.matchAll(new RegExp(WORD, 'gy')), ([, word = '']) => unquoted(word));
}

function unquoted(word: string): string {
  return word.replaceAll(/"([^"]*)"?|'([^']*)'?/g, (_, double?: string, single?: string) => double ?? single ?? '');
}

export interface JsonArgument {
  readonly text: string;
  readonly value: JsonValue;
  /** The file name, or `(typed)`, for messages. */
  readonly source: string;
}

/** Reads JSON, in single quotes or without, or `@file`. The error message shows the `example`. */
export async function jsonArgument(rest: string, root: string, view: View, example?: string): Promise<JsonArgument> {
  const file = fileArgument(rest);
  const typed = /^'([\s\S]*)'$/.exec(rest)?.[1] ?? rest;
  const text = file === undefined ? typed : await readText(resolve(root, file));
  try {
    return { text, value: JSON.parse(text) as JsonValue, source: file ?? '(typed)' };
  } catch (error) {
    const wrong = view.say('badJson', { reason: view.translate((error as Error).message) });
    if (file !== undefined) throw new ShellError(`${file}: ${wrong}`);
    throw new ShellError(wrong + (example === undefined ? '' : view.say('expected', { example })));
  }
}

/** The path of `@path`, `@"path"` or `"@path"`. */
export function fileArgument(rest: string): string | undefined {
  if (!/^["']?@/.test(rest)) return undefined;
  return words(rest).join(' ').slice(1);
}

export async function readText(path: string): Promise<string> {
  try {
    return (await readFileSafely(path)).text;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new ShellError(`${path}: ${error.message}`);
  }
}
