import { createInterface } from 'node:readline';
import { OptionsError } from '@a2c/computer';
import { raceSignal } from '@a2c/protocol';
import { EXIT } from '../exit-codes.js';
import { print, printError } from '../output.js';
import { abortOnSignal } from '../process-signals.js';
import { textLogger } from '../text-logger.js';
import { isCommandWord, runLine } from './shell/commands.js';
import type { Reply, Session } from './shell/session.js';
import { type Statement, StatementReader } from './shell/statements.js';
import { connectAtStart, createComputer, createSession, type Start } from './start.js';

/** Runs commands from a pipe or a file, one per line; JSON may span lines. The exit code is 1 if one of them fails. */
export async function runPipe(start: Start): Promise<void> {
  const signal = abortOnSignal();
  const logger = textLogger(printError, start.view.translate);
  const computer = createComputer(start, { logger });
  const session = createSession(start, { computer, logger, signal: () => signal, notice: printError });
  try {
    const console = await start.console?.open(computer, logger);
    if (console !== undefined) printError(session.view.say('console', { link: console }));
    // In parallel, so that an MCP server that hangs does not delay the join. Commands need both.
    const [connected] = await raceSignal(Promise.all([connect(session, start), computer.boot()]), signal);
    if (!(await runScript(session, start, connected))) process.exitCode = EXIT.failed;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    if (signal.aborted) process.exitCode = EXIT.interrupted;
    process.stdin.destroy();
    session.link?.disconnect();
    await start.console?.close();
    await computer.close();
  }
}

async function connect(session: Session, start: Start): Promise<boolean> {
  try {
    await connectAtStart(session, start);
    return true;
  } catch (error) {
    if (error instanceof OptionsError) throw error; // The command line is wrong: no line of the script can succeed.
    if (!session.signal.aborted)
      printError(session.view.say('failed', { reason: session.view.translate((error as Error).message) }));
    return false;
  }
}

async function runScript(session: Session, { options }: Start, connected: boolean): Promise<boolean> {
  if (!connected && options.failFast) return false;
  // Created here and not earlier: lines that arrive before the iteration starts would be lost.
  const lines = createInterface({ input: process.stdin, signal: session.signal });
  return (await runLines(session, lines, options)) && connected;
}

/** Joins lines while a bracket is open. */
async function* statementsOf(lines: AsyncIterable<string>): AsyncGenerator<Statement> {
  const reader = new StatementReader(isCommandWord);
  for await (const line of lines) yield* reader.add(line);
  yield* reader.end();
}

/** Returns false when a line failed. */
async function runLines(
  session: Session,
  lines: AsyncIterable<string>,
  { json, failFast }: Start['options'],
): Promise<boolean> {
  let succeeded = true;
  let isEmpty = true;
  for await (const { text, line: number } of statementsOf(lines)) {
    isEmpty = false;
    const reply = await replyTo(session, text, (error) => {
      if (json) print(JSON.stringify({ line: number, ok: false, error: error.message }));
      const reason = session.view.say('failed', { reason: session.view.translate(error.message) });
      printError(session.view.say('inLine', { line: String(number), message: reason }));
    });
    if (reply === 'error') succeeded = false;
    else if (reply) {
      for (const warning of reply.warnings ?? [])
        printError(session.view.say('inLine', { line: String(number), message: session.view.translate(warning) }));
      print(json ? JSON.stringify(reply.data) : reply.text);
      if (reply.failed) succeeded = false;
      if (reply.end) break;
    }
    if (session.signal.aborted || (failFast && !succeeded)) break;
  }
  if (isEmpty && !session.signal.aborted) printError(session.view.say('noCommands'));
  return succeeded;
}

/** Reports every error, also unexpected ones, because the following lines may still succeed. */
async function replyTo(
  session: Session,
  line: string,
  report: (error: Error) => void,
): Promise<Reply | undefined | 'error'> {
  try {
    return await runLine(session, line);
  } catch (error) {
    if (session.signal.aborted && error === session.signal.reason) return undefined;
    report(error as Error);
    return 'error';
  }
}
