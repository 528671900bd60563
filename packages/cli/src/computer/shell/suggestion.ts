import { nearest } from '@a2c/config';
import { ShellError } from './command-line.js';
import type { MessageKey, Say } from './language.js';
import type { Session } from './session.js';

interface SuggestionOptions {
  readonly say: Say;
  /** The words before the typed one. */
  readonly before?: string;
}

/** Adds the known word that was probably meant. One that begins with what was typed is preferred. */
export function withSuggestion(
  problem: string,
  typed: string,
  known: readonly string[],
  { say, before = '' }: SuggestionOptions,
): string {
  const near = known.find((word) => word.startsWith(typed)) ?? nearest(typed, known);
  return near === undefined ? problem : say('didYouMean', { problem, name: before + near });
}

/** The error for the name of a server that the Computer does not have. */
export function unknownServer({ computer, view }: Session, id: string): ShellError {
  return unknownName('serverNotFound', id, computer.status(), view);
}

/** The error for the name of a tool that the Computer does not have. */
export function unknownTool({ computer, view }: Session, id: string): ShellError {
  const names = computer.tools().map(({ displayName: name }) => ({ name }));
  return unknownName('toolNotFound', id, names, view);
}

function unknownName(
  key: MessageKey,
  id: string,
  known: readonly { readonly name: string }[],
  { say }: Session['view'],
): ShellError {
  const names = known.map(({ name }) => name);
  return new ShellError(withSuggestion(say(key, { id }), id, names, { say }));
}
