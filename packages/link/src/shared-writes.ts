/** What the typed interfaces of Engine.IO and `ws` do not show. Browsers have no `_socket`, and no `process`. */
interface EngineInternals {
  readonly transport?: { readonly ws?: { readonly _socket?: CorkedStream } | null };
}

interface CorkedStream {
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
}

/**
 * Sends a message in one write with those that are sent before the next tick. `ws` makes a system call for each
 * message, which takes about as long as everything else that is done for it.
 */
export function sendWithOthers(engine: object | undefined, send: () => void): void {
  const stream = (engine as EngineInternals | undefined)?.transport?.ws?._socket;
  const isFirst = stream?.writableCorked === 0 && typeof process === 'object';
  if (isFirst) stream.cork();
  try {
    send();
  } finally {
    // After the tick in which Engine.IO writes the messages that had to wait for the first one.
    if (isFirst) process.nextTick(() => stream.uncork());
  }
}
