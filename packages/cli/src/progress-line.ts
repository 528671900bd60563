import { oneLine } from './output.js';

/** Shows the progress of a call on stderr: on a terminal in one line that is replaced, else one line per message. */
export class ProgressLine {
  #shown = false;

  show(text: string): void {
    this.#shown = true;
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${oneLine(text)}` : `${oneLine(text)}\n`);
  }

  /** Removes the line from a terminal. */
  clear(): void {
    if (this.#shown && process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}
