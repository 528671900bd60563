/** Statements of the shell: one line, or several while a bracket of a JSON argument is open. */
import { firstWord } from './command-line.js';

/** A complete command line, and the number of its first line. */
export interface Statement {
  readonly text: string;
  readonly line: number;
}

/** Joins lines to statements. Line breaks inside JSON are kept. */
export class StatementReader {
  readonly #isCommand: (word: string) => boolean;
  #open: { readonly text: string; readonly line: number } | undefined;
  #line = 0;

  /** A line that begins with a command ends an open statement: one missing bracket must not swallow a script. */
  constructor(isCommand: (word: string) => boolean) {
    this.#isCommand = isCommand;
  }

  /** True while a bracket is open. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Returns the statements that this line completes. */
  add(line: string): readonly Statement[] {
    this.#line += 1;
    const open = this.#open;
    if (open && this.#isCommand(firstWord(line)[0])) {
      this.#open = undefined;
      return [open, ...this.#begin(line)];
    }
    return open ? this.#complete({ text: `${open.text}\n${line}`, line: open.line }) : this.#begin(line);
  }

  /** Returns the open statement at the end of the input. */
  end(): readonly Statement[] {
    const open = this.#open;
    this.#open = undefined;
    return open ? [open] : [];
  }

  #begin(line: string): readonly Statement[] {
    const statement = { text: line, line: this.#line };
    return line.trimStart().startsWith('#') ? [statement] : this.#complete(statement);
  }

  #complete(statement: Statement): readonly Statement[] {
    const isOpen = hasOpenBracket(statement.text);
    this.#open = isOpen ? statement : undefined;
    return isOpen ? [] : [statement];
  }
}

const CLOSES: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
]);

/** True when a JSON argument, which begins with a bracket, is not closed. A wrong closing bracket ends it. */
export function hasOpenBracket(text: string): boolean {
  const start = /(?:^|[\s='])[{[]/.exec(text);
  if (!start) return false;
  const expected: string[] = [];
  // JSON strings end at their line, so a missing quote does not hide the following lines.
  for (const [token] of text.slice(start.index).matchAll(/"(?:[^"\\\n]|\\.)*"?|[[\]{}]/g)) {
    const closing = CLOSES.get(token);
    if (closing !== undefined) expected.push(closing);
    else if (token.length === 1 && token !== '"' && expected.pop() !== token) return false;
  }
  return expected.length > 0;
}
