/** A promise with its resolver: something that happens once during a test. */
export class Moment<T = void> {
  readonly promise: Promise<T>;
  happen!: (value: T) => void;

  constructor() {
    this.promise = new Promise((resolve) => {
      this.happen = resolve;
    });
  }
}
