import { EXIT } from './exit-codes.js';

/** Installed once per process, because a signal between removing and adding a handler would be lost. */
let onSignal = exit;

function exit(): void {
  process.exit(EXIT.interrupted);
}

/** Handles SIGINT and SIGTERM: the process exits with 130, unless a command waits for the signal with `stopSignal`. */
export function handleSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => onSignal());
}

/** Resolves on the first SIGINT or SIGTERM. A second one ends the process immediately. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    onSignal = () => {
      onSignal = exit;
      resolve();
    };
  });
}

/** Returns a signal that aborts on the first SIGINT or SIGTERM. */
export function abortOnSignal(): AbortSignal {
  const controller = new AbortController();
  void stopSignal().then(() => controller.abort());
  return controller.signal;
}

/** Restores the default after a command has finished: a signal ends the process even if something keeps it alive. */
export function exitOnSignal(): void {
  onSignal = exit;
}
