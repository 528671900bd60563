import { createHash } from 'node:crypto';

/** Longer names break whole sessions of some clients. */
const MAX_NAME = 64;
const FORBIDDEN = /[^A-Za-z0-9_.-]/;

export interface Exposed<T> {
  readonly name: string;
  readonly server: string;
  readonly item: T;
}

/**
 * Names for the things of several servers in one list. A name that only one server uses stays as it is, if clients can take it; one that
 * several use is preceded by the server's, for all of them, so that no order of servers decides whose it is.
 */
export function exposeNames<T extends { readonly name: string }>(
  owned: readonly { readonly server: string; readonly items: readonly T[] }[],
): readonly Exposed<T>[] {
  const all = owned.flatMap(({ server, items }) => items.map((item) => ({ server, item })));
  const own = countsOf(all.map(({ item }) => item.name));
  const wanted = all.map(({ server, item }) => {
    const isShared = (own.get(item.name) ?? 0) > 1;
    return { server, item, name: isShared ? `${server}__${item.name}` : item.name };
  });
  // Somebody's own name may look like a made one, and be chosen so: then both get a mark, and another if that is taken, too.
  let named = wanted.map(({ server, item, name }) => ({ server, item, name: fitting(name) }));
  for (let round = 1; ; round++) {
    const counts = countsOf(named.map(({ name }) => name));
    if ([...counts.values()].every((count) => count === 1)) return named;
    named = named.map(({ server, item, name }) => {
      const isTaken = (counts.get(name) ?? 0) > 1;
      return {
        server,
        item,
        name: isTaken ? marked(`${server}__${item.name}`, JSON.stringify([server, item.name, round])) : name,
      };
    });
  }
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Too long: cut, with a mark of the whole at the end, so that two long names stay two names. */
function fitting(name: string): string {
  return name.length > MAX_NAME || FORBIDDEN.test(name) ? marked(name, name) : name;
}

function marked(name: string, whole: string): string {
  const clean = name.replaceAll(new RegExp(FORBIDDEN, 'g'), '_');
  const mark = createHash('sha256').update(whole).digest('hex').slice(0, 6);
  return `${clean.slice(0, MAX_NAME - mark.length - 1)}_${mark}`;
}
