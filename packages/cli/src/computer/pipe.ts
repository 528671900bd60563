import { createInterface } from 'node:readline';
import { EXIT } from '../exit-codes.js';
import { print, printError } from '../output.js';
import { stopSignal } from '../signals.js';
import { interruption } from './interruption.js';
import { runLines } from './shell/run-lines.js';
import type { Session } from './shell/session.js';
import { connectAtStart, createComputer, createSession, type Start } from './start.js';
import { stderrLogger } from './stderr-logger.js';

/** Commands from a pipe or a file, one per line; the exit code tells whether all of them succeeded. */
export async function runPipe(start: Start): Promise<void> {
  const interrupted = new AbortController();
  const { signal } = interrupted;
  void stopSignal().then(() => interrupted.abort());
  const computer = createComputer(start, { logger: stderrLogger });
  const session = createSession(start, { computer, logger: stderrLogger, signal: () => signal });
  try {
    await Promise.race([computer.boot(), interruption(signal)]);
    const allGood = !signal.aborted && (await runScript(session, start));
    if (signal.aborted) process.exitCode = EXIT.interrupted;
    else if (!allGood) process.exitCode = EXIT.failed;
  } finally {
    process.stdin.destroy();
    session.link?.disconnect();
    await computer.close();
  }
}

async function runScript(session: Session, start: Start): Promise<boolean> {
  const { json = false, failFast = false } = start.options;
  const connected = await connectAtStart(session, start).then(
    () => true,
    (error: Error) => {
      printError(session.view.say('failed', { reason: error.message }));
      return false;
    },
  );
  if (!connected && failFast) return false;
  // Made only now: lines that arrive before somebody iterates over them would be lost.
  const lines = createInterface({ input: process.stdin, signal: session.signal });
  return (await runLines(session, lines, { json, failFast, print })) && connected;
}
