import { createInterface } from 'node:readline';
import { OptionsError } from '@a2c/computer';
import { EXIT } from '../exit-codes.js';
import { print, printError } from '../output.js';
import { stopSignal } from '../signals.js';
import { Interrupted, unlessInterrupted } from './interruption.js';
import { runLines } from './shell/run-lines.js';
import type { Session } from './shell/session.js';
import { connectAtStart, createComputer, createSession, type Start } from './start.js';
import { stderrLogger } from './stderr-logger.js';

/** Runs commands from a pipe or a file, one per line. The exit code is 0 when all of them succeeded. */
export async function runPipe(start: Start): Promise<void> {
  const interrupted = new AbortController();
  const { signal } = interrupted;
  void stopSignal().then(() => interrupted.abort());
  const computer = createComputer(start, { logger: stderrLogger });
  const session = createSession(start, { computer, logger: stderrLogger, signal: () => signal });
  try {
    // In parallel: a server that hangs does not delay the join. Commands need both.
    const [connected] = await unlessInterrupted(Promise.all([connect(session, start), computer.boot()]), signal);
    if (!(await runScript(session, start, connected))) process.exitCode = EXIT.failed;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    if (signal.aborted) process.exitCode = EXIT.interrupted;
    process.stdin.destroy();
    session.link?.disconnect();
    await computer.close();
  }
}

async function connect(session: Session, start: Start): Promise<boolean> {
  try {
    await connectAtStart(session, start);
    return true;
  } catch (error) {
    if (error instanceof OptionsError) throw error; // the script cannot correct the command line
    if (!session.signal.aborted) printError(session.view.say('failed', { reason: (error as Error).message }));
    return false;
  }
}

async function runScript(session: Session, start: Start, connected: boolean): Promise<boolean> {
  const { json = false, failFast = false } = start.options;
  if (!connected && failFast) return false;
  // Created only now: lines that arrive before the iteration starts would be lost.
  const lines = createInterface({ input: process.stdin, signal: session.signal });
  return (await runLines(session, lines, { json, failFast, print })) && connected;
}
