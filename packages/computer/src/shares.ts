/** How many Agents can use all of their part of a common limit at the same time. */
export const SHARES = 4;

/** The first item for which the test is true. */
export function first<Item>(items: Iterable<Item>, test: (item: Item) => boolean): Item | undefined {
  for (const item of items) if (test(item)) return item;
  return undefined;
}
