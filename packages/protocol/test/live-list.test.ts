import { type ListChange, LiveList } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect, vi } from 'vitest';

interface Item {
  readonly id: string;
  readonly n: number;
}

verifies('CON-TALK-03', 'a list is sent whole at first, then as changes, several as one', async () => {
  const list = new LiveList<Item>({ id: ({ id }) => id, limit: 3 });
  for (const id of ['a', 'b', 'c', 'd']) list.set({ id, n: 0 });
  const changes: ListChange<Item>[] = [];
  const stop = list.follow((change) => changes.push(change));
  expect(changes).toEqual([{ reset: true, set: ['b', 'c', 'd'].map((id) => ({ id, n: 0 })), gone: [] }]);
  list.set({ id: 'b', n: 1 });
  list.set({ id: 'b', n: 2 });
  list.remove('c');
  await vi.waitFor(() => expect(changes).toHaveLength(2), 60_000);
  expect(changes[1]).toEqual({ set: [{ id: 'b', n: 2 }], gone: ['c'] });
  list.replace([
    { id: 'b', n: 2 },
    { id: 'e', n: 1 },
  ]);
  const late: ListChange<Item>[] = [];
  list.follow((change) => late.push(change))();
  // A new listener does not delay what the others receive.
  expect(changes[2]).toEqual({ set: [{ id: 'e', n: 1 }], gone: ['d'] });
  expect(late).toEqual([{ reset: true, set: list.items, gone: [] }]);
  stop();
  list.set({ id: 'f', n: 1 });
  expect(changes).toHaveLength(3);
});
