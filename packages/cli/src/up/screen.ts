import { displayWidth } from '../computer/shell/display-width.js';
import { printError } from '../output.js';

/** The terminal that `up` writes to, with the rows since the last line that a person needs. */
export class Screen {
  #rows = 0;

  /** @param mark The text contains the link of the console. */
  print(text: string, mark?: 'link'): void {
    const { columns = 80 } = process.stderr;
    const rows = text.split('\n').map((line) => Math.max(1, Math.ceil(displayWidth(line) / columns)));
    this.#rows = rows.reduce((sum, count) => sum + count, mark ? 0 : this.#rows);
    printError(text);
  }

  /** False when the link has left the screen. Other outputs than terminals keep what was written. */
  get showsLink(): boolean {
    return !process.stderr.isTTY || this.#rows < (process.stderr.rows ?? 24);
  }
}
