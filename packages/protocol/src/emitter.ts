/**
 * Typed events with one value each. An error thrown by a listener is rethrown as an uncaught exception; the other
 * listeners still run.
 *
 * @example
 * ```ts
 * const emitter = new Emitter<{ joined: string; closed: undefined }>();
 * const unsubscribe = emitter.on('joined', (office) => console.log(office));
 * emitter.emit('joined', 'office-1');
 * unsubscribe();
 * ```
 */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void>>();

  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof Events>(event: E, listener: (value: Events[E]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Whether an event has listeners: if it has none, its value need not be created. */
  has(event: keyof Events): boolean {
    return (this.#listeners.get(event)?.size ?? 0) > 0;
  }

  /** Calls the listeners of an event, in the order in which they were added. */
  emit<E extends keyof Events>(event: E, ...[value]: Events[E] extends undefined ? [] : [value: Events[E]]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        (listener as (value: Events[E] | undefined) => void)(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
