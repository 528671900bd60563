import { oneLine, type Progress } from '@a2c/protocol';

/** Progress as text: `3/10 copying`. A message before the first step is shown alone. */
export function progressText({ progress, total, message }: Progress): string {
  if (progress === 0 && total === undefined && message) return message;
  return [`${progress}${total === undefined ? '' : `/${total}`}`, message].filter(Boolean).join(' ');
}

/** Shows the progress of a call on stderr: on a terminal in one line that is replaced, else one line per message. */
export class ProgressLine {
  #shown = false;

  show(text: string): void {
    this.#shown = true;
    const { isTTY, columns = 80 } = process.stderr;
    // A line that is wrapped could not be replaced.
    process.stderr.write(isTTY ? `\r\u001b[K${oneLine(text).slice(0, columns - 1)}` : `${oneLine(text)}\n`);
  }

  /** Removes the line from a terminal. */
  clear(): void {
    if (this.#shown && process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}
