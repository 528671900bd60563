/** Runs what it is given one after the other, in order; a failure is its caller's and does not stop the next. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task, task);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
