/** Command lines in messages that a user can paste into a shell. */
import { commandName } from './installed.js';

/** An a2c command line. The words after the command are quoted where necessary. */
export function a2c(command: string, ...words: readonly string[]): string {
  return [commandName(), command, ...(words.length > 0 ? [shellWords(words)] : [])].join(' ');
}

/** Joins words to a command line. Words with characters that are special to a shell are quoted. */
export function shellWords(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word, platform))).join(' ');
}

/** Windows shells do not know single quotes. */
function quoted(word: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : posixQuoted(word);
}

/** Quotes a text for a POSIX shell, so that no character in it is special. */
export function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
