/** How the user starts a2c. */
let name = 'a2c';

/**
 * Sets how commands in messages begin. The command line calls it: in a clone, where `a2c` is not on the PATH, with
 * `npx a2c`.
 */
export function setCommandName(value: string): void {
  name = value;
}

/**
 * A command line for a message, as the user can paste it: `a2c login notes`.
 *
 * @param names What the command is about, such as the name of a server, which a stranger may have chosen.
 */
export function a2cCommand(command: string, ...names: readonly string[]): string {
  const isOption = names.some((word) => word.startsWith('-'));
  return [name, command, ...(isOption ? ['--'] : []), ...(names.length > 0 ? [shellWords(names)] : [])].join(' ');
}

/** Joins words to a command line. Words with characters that are special to a shell are quoted. */
export function shellWords(words: readonly string[], platform = globalThis.process?.platform): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word, platform))).join(' ');
}

/** Windows shells do not know single quotes. */
function quoted(word: string, platform: string | undefined): string {
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : posixQuoted(word);
}

/** Quotes a text for a POSIX shell, so that no character in it is special. */
export function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
