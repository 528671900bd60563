/** Typed events with one value each. A listener that throws is reported as an uncaught error; other listeners still run. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void>>();

  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof Events>(event: E, listener: (value: Events[E]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

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
