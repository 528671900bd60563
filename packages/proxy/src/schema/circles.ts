/** Each name with the names it uses. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Names that use themselves, directly or by others, and those between two such: what remains when all ends are taken away. */
export function circular(uses: Graph): ReadonlySet<string> {
  return new Set(withoutLeaves(reversed(withoutLeaves(uses))).keys());
}

/** Each name after all that it uses. Names that use themselves, and all that use those, never get their turn. */
export function leavesFirst(uses: Graph): readonly string[] {
  const users = reversed(uses);
  const open = new Map([...uses].map(([name, used]) => [name, used.length]));
  const order = [...uses.keys()].filter((name) => open.get(name) === 0);
  for (const leaf of order) {
    for (const user of users.get(leaf) ?? []) {
      const left = (open.get(user) ?? 0) - 1;
      open.set(user, left);
      if (left === 0) order.push(user); // the loop comes to it
    }
  }
  return order;
}

function withoutLeaves(uses: Graph): Graph {
  return without(new Set(leavesFirst(uses)), uses);
}

/** The rest of a graph. */
export function without(gone: ReadonlySet<string>, uses: Graph): Graph {
  const left = [...uses].filter(([name]) => !gone.has(name));
  return new Map(left.map(([name, used]) => [name, used.filter((other) => !gone.has(other))]));
}

function reversed(uses: Graph): Graph {
  const users = new Map<string, string[]>([...uses.keys()].map((name) => [name, []]));
  for (const [name, used] of uses) for (const other of used) users.get(other)?.push(name);
  return users;
}
