import { clearScreenDown, createInterface, cursorTo, type Interface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { type InputProvider, ResolveError } from '@a2c/config';
import { visibleText } from '@a2c/protocol';
import { StatementReader } from '../statements.js';
import type { View } from '../view.js';
import { searchHistory } from './history-search.js';
import { Keyboard } from './keyboard.js';
import { askText, pick, type TextQuestion } from './questions.js';

export interface TerminalOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly view: View;
  readonly prompt: string;
  /** Newest first. */
  readonly history: string[];
  /** True for a word that begins a command. */
  readonly isCommand: (word: string) => boolean;
  readonly complete: (line: string) => [candidates: string[], replaced: string];
  /** Ctrl-C while a command runs. */
  readonly onInterrupt: () => void;
  /** Ctrl-C at the question for an input. */
  readonly onCancel: () => void;
}

/** The prompt while a bracket is open. */
const CONTINUATION = '...> ';

/** How long a question ignores keys that were meant for the one before: a person who saw it needs longer to answer. */
const HOLD_MS = 700;

/** The line editor and the questions of an interactive shell, one at a time. */
export class Terminal {
  readonly #options: TerminalOptions;
  readonly #keyboard: Keyboard;
  readonly #lines: string[] = [];
  #statements: StatementReader;
  /** The history before an open statement. */
  #earlier: readonly string[] = [];
  /** The array of readline. */
  #history: string[];
  /** Output that waits for the end of a question. */
  #unwritten: string[] = [];
  #editor: Interface | undefined;
  #ended = false;
  #wake: (() => void) | undefined;
  #editing = false;
  #asking = false;
  /** Aborted to cancel the questions for inputs that wait. */
  #inputs = new AbortController();
  /** When a question was last withdrawn: its call ended, or it was answered elsewhere. */
  #withdrawnAt = Number.NEGATIVE_INFINITY;
  /** Settles when the last question is answered. Questions are asked one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#history = options.history;
    this.#statements = new StatementReader(options.isCommand);
    this.#keyboard = new Keyboard(options.input, options.output, options.onInterrupt, () => this.#search());
  }

  get isAsking(): boolean {
    return this.#asking;
  }

  /** Newest first. */
  get history(): readonly string[] {
    return this.#history;
  }

  open(): void {
    this.#keyboard.open();
  }

  /** Ends the input: discards typed-ahead lines and cancels the current question. */
  endInput(): void {
    this.#lines.length = 0;
    this.#end();
    this.#keyboard.cancelQuestion();
  }

  close(): void {
    this.#editor?.close();
    this.#keyboard.close();
  }

  /** Returns the next line; undefined at the end of the input (Ctrl-C on an empty line, Ctrl-D). */
  async readLine(): Promise<string | undefined> {
    this.#editor ??= this.#createEditor();
    if (this.#lines.length === 0 && !this.#ended) {
      // Created before the keys are passed on: the buffered keys may already contain a line.
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#editing = true;
      // What was typed after the last line stays as it is, with the cursor behind it.
      this.#editor.prompt(true);
      this.#keyboard.edit(true);
      await woken;
    }
    return this.#lines.shift();
  }

  /** Writes above the line being edited, or after the current question. */
  print(text: string): void {
    if (this.#asking) {
      this.#unwritten.push(text);
      return;
    }
    this.#hideLine();
    this.#options.output.write(`${text}\n`);
    this.#showLine();
  }

  readonly write = (text: string): void => {
    this.#options.output.write(text);
  };

  askText(question: string, how: TextQuestion = {}): Promise<string | undefined> {
    return this.#interrupt(() => askText(this.#keyboard, this.write, question, how), how.signal);
  }

  /**
   * Asks for an input as its definition requires: visible, masked, or from a list. Ctrl-C cancels the command that
   * needs the value, and with it all questions that wait. The error is no `InputError`, after which the next input of
   * the server would be asked for.
   */
  readonly askInput: InputProvider = async (definition, server) => {
    if (definition.type === 'pickString' && definition.options.length === 0) return undefined;
    const { signal } = this.#inputs;
    const answer = await this.#askFor(definition, server, signal);
    if (answer !== undefined) return answer;
    if (!signal.aborted) {
      this.#inputs.abort();
      this.#inputs = new AbortController();
      this.#options.onCancel();
    }
    throw new ResolveError(this.#options.view.say('inputCancelled', { id: definition.id }));
  };

  #askFor(
    definition: Parameters<InputProvider>[0],
    server: string | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { view } = this.#options;
    const described = definition.description || view.say('pleaseInput', { id: definition.id });
    const asker = server === undefined ? definition.id : view.say('askedBy', { id: definition.id, server });
    const question = visibleText(`${described} (${asker})`);
    if (definition.type === 'pickString') {
      const start = definition.options.findIndex(({ value }) => value === definition.default);
      return this.#interrupt(() => {
        this.write(`${view.paint('bold', question)}\n`);
        return pick(this.#keyboard, this.write, view, definition.options, start);
      }, signal);
    }
    const value = definition.password ? '********' : visibleText(definition.default ?? '');
    const hint = definition.default === null ? '' : view.say('withDefault', { value });
    return this.askText(`${view.paint('bold', question)} ${hint}`, { masked: definition.password, signal });
  }

  /** Gives the terminal to another program until the work is done. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#keyboard.close();
    try {
      return await work();
    } finally {
      this.#keyboard.open();
    }
  }

  /** Ctrl-R: the found line replaces the typed one. */
  #search(): void {
    const editor = this.#editor;
    if (this.#asking || !editor) return;
    this.#hideLine();
    this.#asking = true;
    const search = searchHistory(this.#keyboard, this.write, this.#options.view, this.#history);
    this.#turn = search.then((found) => {
      this.#asking = false;
      this.#hideLine();
      for (const text of this.#unwritten.splice(0)) this.#options.output.write(`${text}\n`);
      this.#showLine();
      if (!found) return;
      editor.write(null, { ctrl: true, name: 'e' });
      editor.write(null, { ctrl: true, name: 'u' });
      editor.write(found.line);
      if (found.run) editor.write(null, { name: 'return' });
    });
  }

  #interrupt(ask: () => Promise<string | undefined>, signal?: AbortSignal): Promise<string | undefined> {
    const mine = this.#turn.then(async () => {
      if (this.#ended || signal?.aborted) return undefined;
      this.#hideLine();
      this.#asking = true;
      if (performance.now() - this.#withdrawnAt < HOLD_MS) this.#keyboard.drop(HOLD_MS);
      try {
        return await ask();
      } finally {
        if (signal?.aborted) this.#withdrawnAt = performance.now();
        this.#asking = false;
        for (const text of this.#unwritten.splice(0)) this.#options.output.write(`${text}\n`);
        this.#showLine();
      }
    });
    this.#turn = mine.catch(() => {}); // The caller gets the error; the next question only waits.
    return mine;
  }

  #createEditor(): Interface {
    const { output, prompt, history, complete, onInterrupt } = this.#options;
    const editor = createInterface({
      input: this.#keyboard.lineInput,
      output,
      terminal: true,
      prompt,
      history,
      historySize: 1_000,
      removeHistoryDuplicates: true,
      completer: complete,
    });
    editor.on('line', (line) => this.#received(line));
    editor.on('history', (lines: string[]) => {
      this.#history = lines;
    });
    editor.on('close', () => this.#end());
    editor.on('SIGTSTP', () => this.#keyboard.suspend());
    editor.on('SIGCONT', () => editor.prompt(true));
    editor.on('SIGINT', () => {
      if (!this.#editing) onInterrupt();
      else if (this.#statements.isOpen) this.#discardStatement(editor);
      else if (editor.line === '') this.#end();
      else editor.write(null, { ctrl: true, name: 'u' });
    });
    return editor;
  }

  #received(line: string): void {
    // A question of this command is a new one.
    this.#withdrawnAt = Number.NEGATIVE_INFINITY;
    const wasOpen = this.#statements.isOpen;
    if (!wasOpen) this.#earlier = this.#history.slice(this.#history[0] === line ? 1 : 0);
    const complete = this.#statements.add(line).map(({ text }) => text);
    this.#lines.push(...complete);
    if (this.#statements.isOpen) {
      this.#editor?.setPrompt(CONTINUATION);
      if (complete.length === 0) this.#editor?.prompt(true);
    } else this.#editor?.setPrompt(this.#options.prompt);
    if (complete.length === 0) return;
    // The history gets one line per statement.
    if (wasOpen) this.#history.splice(0, Infinity, ...complete.map(onOneLine).toReversed(), ...this.#earlier);
    this.#stopEditing();
  }

  /** Ctrl-C: continues with an empty line. */
  #discardStatement(editor: Interface): void {
    this.#statements = new StatementReader(this.#options.isCommand);
    editor.setPrompt(this.#options.prompt);
    editor.write(null, { ctrl: true, name: 'u' });
    this.write('\n');
    editor.prompt();
  }

  #end(): void {
    this.#ended = true;
    this.#stopEditing();
  }

  #stopEditing(): void {
    this.#editing = false;
    this.#keyboard.edit(false);
    this.#wake?.();
    this.#wake = undefined;
  }

  #hideLine(): void {
    // Also clears a spinner.
    cursorTo(this.#options.output, 0);
    clearScreenDown(this.#options.output);
  }

  #showLine(): void {
    if (this.#editing && !this.#asking) this.#editor?.prompt(true);
  }
}

/** JSON keeps its meaning: its strings contain no line breaks. */
function onOneLine(statement: string): string {
  return statement.replaceAll(/\s*\n\s*/g, ' ');
}
