/** Something that will have happened once. */
export class Moment<T = void> {
  readonly promise: Promise<T>;
  happen!: (value: T) => void;

  constructor() {
    this.promise = new Promise((resolve) => {
      this.happen = resolve;
    });
  }
}
