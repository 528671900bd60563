/** The part of Engine.IO and of `ws` that its typed interface does not show. Browsers have no `_socket`. */
interface EngineInternals {
  readonly transport?: { readonly ws?: { readonly _socket?: CorkedStream } | null };
}

interface CorkedStream {
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
}

/**
 * Call it before a message is sent: the messages of one turn of the event loop leave in one write. `ws` makes a system
 * call for each message, which takes as long as everything else that is done for it.
 */
export function writeOncePerTurn(engine: object | undefined): void {
  const stream = (engine as EngineInternals | undefined)?.transport?.ws?._socket;
  if (!stream || stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}
