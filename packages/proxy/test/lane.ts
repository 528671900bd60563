/** Runs work one after the other. Several lanes run at the same time. */
export function lane(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>) => {
    const result = last.then(work, work) as Promise<T>;
    last = result;
    return result;
  };
}
