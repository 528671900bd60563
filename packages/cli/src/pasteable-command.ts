/** Command lines in messages that a user can paste into a shell. */
import { shellWords } from '@a2c/protocol';
import { commandName } from './installed.js';

/** An a2c command line. The words after the command are quoted where necessary. */
export function a2c(command: string, ...words: readonly string[]): string {
  return [commandName(), command, ...(words.length > 0 ? [shellWords(words)] : [])].join(' ');
}
