import { setImmediate } from 'node:timers/promises';

/** Items that are handled in one turn of the event loop. */
const IN_ONE_TURN = 20;

/** Maps a list whose URIs are compared with the templates of all servers, so that others do not wait for it. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    if (results.length > 0 && results.length % IN_ONE_TURN === 0) await setImmediate();
    results.push(map(item));
  }
  return results;
}
