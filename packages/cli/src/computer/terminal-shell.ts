import type { Logger } from '@a2c/computer';
import { printError } from '../output.js';
import { stopSignal } from '../signals.js';
import { interruption } from './interruption.js';
import { runLine } from './shell/commands.js';
import { complete } from './shell/completion.js';
import type { Session } from './shell/session.js';
import { consentOnTerminal } from './shell/terminal/consent.js';
import { LineHistory } from './shell/terminal/line-history.js';
import { StartSpinner } from './shell/terminal/spinner.js';
import { Terminal } from './shell/terminal/terminal.js';
import { connectAtStart, createComputer, createSession, type Start } from './start.js';
import { line } from './stderr-logger.js';

const PROMPT = 'a2c> ';

/** The prompt: a person at a terminal. */
export async function runTerminal(start: Start): Promise<void> {
  const { view } = start;
  const kept = new LineHistory(process.env);
  let running = new AbortController();
  const terminal: Terminal = new Terminal({
    input: process.stdin,
    output: process.stdout,
    view,
    prompt: PROMPT,
    history: await kept.load(),
    complete: (typed) => complete(typed, computer),
    onInterrupt: () => running.abort(),
  });
  const logger = terminalLogger(terminal, (text) => view.paint('yellow', text));
  const computer = createComputer(start, {
    confirm: consentOnTerminal(view, (question, signal) => terminal.askText(question, { signal })),
    askInput: terminal.askInput,
    logger,
  });
  const spinner = new StartSpinner(computer, view, terminal.write, () => terminal.isAsking);
  const session = createSession(start, {
    computer,
    logger,
    ask: (question) => terminal.askText(question),
    signal: () => running.signal,
    whileStarting: (work) => spinner.during(work),
  });
  void stopSignal().then(() => {
    running.abort();
    terminal.hangUp();
  });
  terminal.open();
  try {
    // Whoever does not want to wait gets the prompt; the servers go on starting.
    await spinner.during(Promise.race([computer.boot(), interruption(running.signal)]));
    await greet(session, terminal, start);
    for (;;) {
      const typed = await terminal.readLine();
      if (typed === undefined) break;
      running = new AbortController();
      if (await answer(session, terminal, typed)) return;
    }
    terminal.print(`\n${view.say('bye')}`);
  } finally {
    await kept.save(terminal.history).catch((error: Error) => printError(error.message));
    terminal.close();
    session.link?.disconnect();
    await computer.close();
  }
}

async function greet(session: Session, terminal: Terminal, start: Start): Promise<void> {
  const { say, paint } = session.view;
  const { config, inputs } = start.options;
  if (inputs !== undefined) terminal.print(say('loadedInputs'));
  if (config !== undefined) terminal.print(say('loadedServers'));
  try {
    if (await connectAtStart(session, start)) terminal.print(say('connectedByOptions'));
  } catch (error) {
    terminal.print(paint('red', say('failed', { reason: (error as Error).message })));
  }
  terminal.print(say('banner'));
}

/** True when the shell ends. */
async function answer(session: Session, terminal: Terminal, typed: string): Promise<boolean> {
  try {
    const reply = await runLine(session, typed);
    if (reply) terminal.print(reply.text);
    return reply?.end === true;
  } catch (error) {
    const { say, paint } = session.view;
    terminal.print(paint('red', say('failed', { reason: (error as Error).message })));
    return false;
  }
}

/** Warnings appear above the line being edited, whatever is happening. */
function terminalLogger(terminal: Terminal, paint: (text: string) => string): Logger {
  const show = (fields: object, message: string) => terminal.print(paint(line(fields, message)));
  return { debug: () => {}, info: () => {}, warn: show, error: show };
}
