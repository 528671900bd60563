import { EXIT } from './exit-codes.js';

/**
 * One handler for the life of the process, whose meaning changes: a handler that is removed and set again loses a signal
 * that arrives in between.
 */
let onSignal = end;

function end(): void {
  process.exit(EXIT.interrupted);
}

export function watchSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => onSignal());
}

/** For commands that keep running: resolves on the first SIGINT or SIGTERM; a second one ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    onSignal = () => {
      onSignal = end;
      resolve();
    };
  });
}

/** The command is over and listens no more: whatever still keeps the process, a signal ends it. */
export function endAtSignal(): void {
  onSignal = end;
}
