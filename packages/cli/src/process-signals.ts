import { EXIT } from './exit-codes.js';

/** How long a library may keep the process alive after a command was stopped by a signal and has finished. */
const LINGER_MS = 2_000;

let wasStopped = false;

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
      wasStopped = true;
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

/**
 * Restores the default after a command has finished: a signal ends the process even if something keeps it alive. A
 * command that was stopped by a signal ends in any case.
 */
export function exitOnSignal(): void {
  onSignal = exit;
  if (wasStopped) setTimeout(() => process.exit(), LINGER_MS).unref();
}
