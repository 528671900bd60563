import type { Logger } from '@a2c/computer';
import { harmless, printError } from '../output.js';
import { stopSignal } from '../signals.js';
import { Interrupted, unlessInterrupted } from './interruption.js';
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
    whileStarting: (work) => spinner.during(work, running.signal),
  });
  void stopSignal().then(() => {
    running.abort();
    terminal.hangUp();
  });
  terminal.open();
  try {
    await begin(session, terminal, start);
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

/** Servers start while the office is joined: a server that hangs does not delay the join. */
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
  await unlessInterrupted(Promise.all([booted, connected]), session.signal).catch((error: unknown) => {
    // An interrupt shows the prompt; the servers continue to start.
    if (!(error instanceof Interrupted)) throw error;
  });
  terminal.print(say('banner'));
}

/** True when the shell ends. */
async function answer(session: Session, terminal: Terminal, typed: string): Promise<boolean> {
  try {
    const reply = await runLine(session, typed);
    for (const warning of reply?.warnings ?? []) terminal.print(session.view.paint('yellow', harmless(warning)));
    if (reply) terminal.print(reply.text);
    return reply?.end === true;
  } catch (error) {
    terminal.print(failure(session, error as Error));
    return false;
  }
}

/** The reason may come from a peer. */
function failure({ view }: Session, error: Error): string {
  if (error instanceof Interrupted) return view.paint('yellow', view.say('interrupted'));
  return view.paint('red', view.say('failed', { reason: harmless(error.message) }));
}

/** Prints warnings above the line that is being edited. */
function terminalLogger(terminal: Terminal, paint: (text: string) => string): Logger {
  const show = (fields: object, message: string) => terminal.print(paint(harmless(line(fields, message))));
  return { debug: () => {}, info: () => {}, warn: show, error: show };
}
