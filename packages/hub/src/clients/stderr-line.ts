/** What programs that download a package write when that fails: the first line of this kind says what happened. */
const DOWNLOAD_FAILURES = [
  /^npm (?:error|ERR!) (?!code\b|errno\b|syscall\b|path\b|dest\b)\S/,
  /^\s*╰─▶ Because /, // uv
  /^docker: Error /,
];

/** Parts of such lines if the registry was reached, and does not have the package or the version. */
const ANSWERS_OF_REGISTRIES =
  /npm (?:error|ERR!) (?:404|notarget) |was not found in the package registry|docker: .*(?:pull access denied|manifest unknown)/;

/** Whether the line of stderr in a message says that the registry of packages has answered. */
export function registryAnswered(text: string): boolean {
  return ANSWERS_OF_REGISTRIES.test(text);
}

/**
 * The line of stderr that explains the end: the last one that names an error, else the first one about a failed
 * download, else the last one with words in it. Stack frames, the properties of a printed error and other lines of the
 * package manager are skipped.
 */
export function lastLine(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .slice(-EXAMINED_LINES)
    .map((line) => line.trimEnd());
  const meaningful = lines.filter((line) => /\w/.test(line) && !SKIPPED_LINES.test(line));
  const line = meaningful.findLast(namesError) ?? meaningful.find(isDownloadFailure) ?? meaningful.at(-1);
  const text = line?.trim();
  // Half a word may be half a secret, which is not recognised.
  return text && text.length > MAX_LAST_LINE ? text.slice(0, MAX_LAST_LINE).replace(/\S*$/, '…') : text;
}

function isDownloadFailure(line: string): boolean {
  return DOWNLOAD_FAILURES.some((pattern) => pattern.test(line));
}

/** True for `TypeError: x`, `pkg.SomeException in y: z` and `fatal: x`. Takes linear time, whatever the line is. */
function namesError(line: string): boolean {
  const start = line.slice(0, EXAMINED_LENGTH).trimStart();
  const [word = ''] = /^[\w.]*/.exec(start) ?? [];
  return start.includes(': ') && /(?:error|exception)\b|^fatal\b/i.test(word);
}

/** The finished lines of stderr. A program may write a line, and a secret in it, in pieces. */
export function wholeLines(stderr: string): string {
  return stderr.slice(0, stderr.lastIndexOf('\n') + 1);
}

const SKIPPED_LINES = /^\s+at |^Node\.js v\d|^\s+\w+: .*[,\]}'\d]$|^npm (notice|warn)|complete log of this run/i;
const MAX_LAST_LINE = 300;
const EXAMINED_LINES = 200;
const EXAMINED_LENGTH = 500;
