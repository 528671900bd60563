import { createHash } from 'node:crypto';

/** Longer names break whole sessions of some clients. */
const MAX_NAME = 64;
const FORBIDDEN = /[^A-Za-z0-9_.-]/g;

export interface Exposed<T> {
  readonly name: string;
  readonly server: string;
  readonly item: T;
}

/**
 * Names for the things of several servers in one list. A name that only one server uses stays as it is; one that several use is
 * preceded by the server's, for all of them, so that no order of servers decides whose it is.
 */
export function exposeNames<T extends { readonly name: string }>(
  owned: readonly { readonly server: string; readonly items: readonly T[] }[],
): readonly Exposed<T>[] {
  const owners = new Map<string, number>();
  for (const { name } of owned.flatMap(({ items }) => items)) owners.set(name, (owners.get(name) ?? 0) + 1);
  return owned.flatMap(({ server, items }) =>
    items.map((item) => {
      const isShared = (owners.get(item.name) ?? 0) > 1;
      return { name: isShared ? fitting(`${server}__${item.name}`) : item.name, server, item };
    }),
  );
}

/** Too long: cut, with a mark of the whole at the end, so that two long names stay two names. */
function fitting(name: string): string {
  const clean = name.replaceAll(FORBIDDEN, '_');
  if (clean.length <= MAX_NAME && clean === name) return name;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return `${clean.slice(0, MAX_NAME - mark.length - 1)}_${mark}`;
}
