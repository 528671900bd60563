/** A command line that a person can paste: what a shell would take apart is quoted. */
export function shellWords(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word, platform))).join(' ');
}

/** Single quotes mean nothing to the shells of Windows. */
function quoted(word: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : posixQuoted(word);
}

/** For a POSIX shell: nothing inside is special. */
export function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
