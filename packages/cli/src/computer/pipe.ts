import { createInterface } from 'node:readline';
import { EXIT } from '../exit-codes.js';
import { print, printError } from '../output.js';
import { stopSignal } from '../signals.js';
import { runLines } from './shell/run-lines.js';
import { connectAtStart, createComputer, createSession, type Start } from './start.js';
import { stderrLogger } from './stderr-logger.js';

/** Commands from a pipe or a file, one per line; the exit code tells whether all of them succeeded. */
export async function runPipe(start: Start): Promise<void> {
  const interrupted = new AbortController();
  let bySignal = false;
  void stopSignal().then(() => {
    bySignal = true;
    interrupted.abort();
  });
  const computer = createComputer(start, { logger: stderrLogger });
  const session = createSession(start, { computer, logger: stderrLogger, signal: () => interrupted.signal });
  try {
    await computer.boot();
    const connected = await connectAtStart(session, start).then(
      () => true,
      (error: Error) => {
        printError(session.view.say('failed', { reason: error.message }));
        return false;
      },
    );
    const { json = false, failFast = false } = start.options;
    if (connected || !failFast) {
      // Made only now: lines that arrive before somebody iterates over them would be lost.
      const lines = createInterface({ input: process.stdin, signal: interrupted.signal });
      const allGood = await runLines(session, lines, { json, failFast, print });
      if (!connected || !allGood) process.exitCode = EXIT.failed;
    } else process.exitCode = EXIT.failed;
    if (bySignal) process.exitCode = EXIT.interrupted;
  } finally {
    process.stdin.destroy();
    session.link?.disconnect();
    await computer.close();
  }
}
