import { Bag, Deadlines, ShortLivedMap } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';

verifies('WIRE-PENDING-01', 'a bag removes each entry once, in any order', () => {
  const bag = new Bag<string>();
  const [a, b, c] = ['a', 'b', 'c'].map((value) => bag.add(value));
  if (!a || !b || !c) throw new Error('not added');
  expect([bag.remove(a), bag.remove(a), bag.size]).toEqual([true, false, 2]);
  expect(bag.values().toSorted()).toEqual(['b', 'c']);
  expect([bag.remove(c), bag.remove(b), bag.values()]).toEqual([true, true, []]);
});

verifies('WIRE-PENDING-01', 'a map of short-lived entries takes any key', () => {
  const map = new ShortLivedMap<string, number>();
  for (const key of ['__proto__', 'constructor', '7']) expect(map.get(key)).toBeUndefined();
  map.set('__proto__', 1);
  map.set('7', 2);
  map.set('7', 3);
  expect([map.size, map.get('__proto__'), map.get('7')]).toEqual([2, 1, 3]);
  expect([map.remove('__proto__'), map.remove('__proto__'), map.keys(), map.values()]).toEqual([
    1,
    undefined,
    ['7'],
    [3],
  ]);
});

verifies('WIRE-PENDING-01', 'a map of short-lived entries keeps their order, few or many', () => {
  const map = new ShortLivedMap<string, number>();
  for (const count of [3, 8, 9, 100]) {
    for (let number = 0; number < count; number++) map.set(`key ${number}`, number);
    for (let number = 0; number < count; number += 2) expect(map.remove(`key ${number}`)).toBe(number);
    const left = Array.from({ length: count }, (_, number) => number).filter((number) => number % 2 === 1);
    expect([map.size, map.values(), map.keys()]).toEqual([left.length, left, left.map((number) => `key ${number}`)]);
    for (const number of left) expect(map.get(`key ${number}`)).toBe(number);
    for (const number of left) map.remove(`key ${number}`);
    expect([map.size, map.values(), map.get('key 1'), map.remove('key 1')]).toEqual([0, [], undefined, undefined]);
  }
});

verifies('WIRE-PENDING-01', 'deadlines expire in time unless they are removed', async () => {
  const deadlines = new Deadlines();
  const expired: string[] = [];
  const start = performance.now();
  const removed = deadlines.add(60, { expire: () => expired.push('removed') });
  await new Promise<void>((resolve) => {
    deadlines.add(150, { expire: () => resolve() });
    deadlines.add(100, { expire: () => expired.push('first') });
    deadlines.remove(removed);
  });
  expect(expired).toEqual(['first']);
  expect(performance.now() - start).toBeGreaterThanOrEqual(149);
});
