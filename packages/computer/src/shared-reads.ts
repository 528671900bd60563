/**
 * Reads the same thing once for all who ask before the read starts. A read that has started may have missed a change
 * that a later one is about, so they share the next one.
 */
export class SharedReads<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #waiting = new Map<string, Promise<T>>();

  read(key: string, read: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const running = this.#running.get(key);
    if (running === undefined) return this.#start(key, read);
    const startNext = () => {
      this.#waiting.delete(key);
      return this.#start(key, read);
    };
    const next = running.then(startNext, startNext);
    this.#waiting.set(key, next);
    return next;
  }

  #start(key: string, read: () => Promise<T>): Promise<T> {
    const running = read().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}
