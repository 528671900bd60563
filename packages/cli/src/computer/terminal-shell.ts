import { raceSignal, visibleText } from '@a2c/protocol';
import { printError } from '../output.js';
import { stopSignal } from '../process-signals.js';
import { textLogger } from '../text-logger.js';
import { isCommandWord, runLine } from './shell/commands.js';
import { complete } from './shell/completion.js';
import { shortened, wrappedMessage } from './shell/display-width.js';
import type { Session } from './shell/session.js';
import { consentOnTerminal } from './shell/terminal/consent.js';
import { editText } from './shell/terminal/editor.js';
import { elicitOnTerminal } from './shell/terminal/elicitation.js';
import { LineHistory } from './shell/terminal/line-history.js';
import { StartSpinner } from './shell/terminal/spinner.js';
import { Terminal } from './shell/terminal/terminal.js';
import { connectAtStart, createComputer, createSession, type Start } from './start.js';

const PROMPT = 'a2c> ';
/** The part of a cancelled command that is shown. */
const COMMAND_CELLS = 40;

/** A person cancelled the question for a value that the command needs. */
class CancelledError extends Error {}

/** Runs the interactive shell on a terminal. */
export async function runTerminal(start: Start): Promise<void> {
  const { view } = start;
  const lineHistory = new LineHistory(process.env);
  let running = new AbortController();
  const terminal: Terminal = new Terminal({
    input: process.stdin,
    output: process.stdout,
    view,
    prompt: PROMPT,
    history: await lineHistory.load(),
    isCommand: isCommandWord,
    complete: (typed) => complete(typed, computer),
    onInterrupt: () => running.abort(),
    onCancel: () => running.abort(new CancelledError()),
  });
  // Warnings appear above the line being edited.
  const logger = textLogger(
    (line) => terminal.print(view.paint('yellow', wrappedMessage(visibleText(line), view.width))),
    view.translate,
  );
  const computer = createComputer(start, {
    confirm: consentOnTerminal(
      view,
      (question, signal) => terminal.askText(question, { signal }),
      (text) => terminal.print(text),
    ),
    askInput: terminal.askInput,
    onElicit: elicitOnTerminal(
      view,
      (question, signal) => terminal.askText(question, { signal }),
      (text) => terminal.print(text),
    ),
    logger,
  });
  const spinner = new StartSpinner(computer, view, terminal.write, () => terminal.isAsking);
  const session = createSession(start, {
    computer,
    logger,
    ask: (question) => terminal.askText(question),
    askInput: terminal.askInput,
    edit: (text) => terminal.lend(() => editText(text, process.env)),
    signal: () => running.signal,
    notice: (text) => terminal.print(view.paint('green', visibleText(text))),
    whileStarting: (work) => spinner.during(work, running.signal),
  });
  void stopSignal().then(() => {
    running.abort();
    terminal.endInput();
  });
  terminal.open();
  try {
    const console = await start.console?.open(computer, logger);
    if (console !== undefined) terminal.print(view.say('console', { link: console }));
    await begin(session, terminal, start);
    for (;;) {
      const typed = await terminal.readLine();
      if (typed === undefined) break;
      running = new AbortController();
      if (await answer(session, terminal, typed)) return;
    }
    terminal.print(`\n${view.say('bye')}`);
  } finally {
    await lineHistory.save(terminal.history).catch((error: Error) => printError(view.translate(error.message)));
    terminal.close();
    session.link?.disconnect();
    await start.console?.close();
    await computer.close();
  }
}

/** Starts the MCP servers and joins the office in parallel, so that a server that hangs does not delay the join. */
async function begin(session: Session, terminal: Terminal, start: Start): Promise<void> {
  const { say } = session.view;
  const { config, inputs } = start.options;
  if (inputs !== undefined) terminal.print(say('loadedInputs'));
  if (config !== undefined) terminal.print(say('loadedServers'));
  const connected = connectAtStart(session, start).then(
    (isConnected) => isConnected && terminal.print(say('connectedByOptions')),
    (error: Error) => terminal.print(failure(session, error)),
  );
  const booted = session.whileStarting(session.computer.boot());
  await raceSignal(Promise.all([booted, connected]), session.signal).catch((error: unknown) => {
    // Ctrl-C opens the prompt; the servers continue to start.
    if (!isInterruption(session, error)) throw error;
  });
  terminal.print(say('banner'));
}

/** Runs one line and prints the reply. Returns true when the shell ends. */
async function answer(session: Session, terminal: Terminal, typed: string): Promise<boolean> {
  try {
    const reply = await runLine(session, typed);
    for (const warning of reply?.warnings ?? []) terminal.print(warningText(session, warning));
    if (reply) terminal.print(reply.text);
    return reply?.end === true;
  } catch (error) {
    terminal.print(failure(session, error as Error, typed));
    return false;
  }
}

function warningText({ view }: Session, warning: string): string {
  return view.paint('yellow', wrappedMessage(visibleText(view.translate(warning)), view.width));
}

/** The message may come from an untrusted server, so it is escaped. */
function failure(session: Session, error: Error, typed = ''): string {
  const { paint, say } = session.view;
  if (error instanceof CancelledError)
    return paint('yellow', say('cancelled', { command: visibleText(shortened(typed, COMMAND_CELLS)) }));
  if (isInterruption(session, error)) return paint('yellow', say('interrupted'));
  const reason = visibleText(session.view.translate(error.message));
  return paint('red', wrappedMessage(say('failed', { reason }), session.view.width));
}

function isInterruption({ signal }: Session, error: unknown): boolean {
  return signal.aborted && error === signal.reason;
}
