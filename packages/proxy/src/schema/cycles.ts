/** Each name with the names it refers to. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Names on a cycle, and names on a path between two cycles: what remains after leaves are removed from both ends. */
export function namesInCycles(uses: Graph): ReadonlySet<string> {
  return new Set(withoutLeaves(reversed(withoutLeaves(uses))).keys());
}

/** Topological order: each name after all names it refers to. Names that lead into a cycle are left out. */
export function leavesFirst(uses: Graph): readonly string[] {
  const users = reversed(uses);
  const open = new Map([...uses].map(([name, used]) => [name, used.length]));
  const order = [...uses.keys()].filter((name) => open.get(name) === 0);
  for (const leaf of order) {
    for (const user of users.get(leaf) ?? []) {
      const left = (open.get(user) ?? 0) - 1;
      open.set(user, left);
      if (left === 0) order.push(user); // the loop reaches it later
    }
  }
  return order;
}

/** The graph without some names. */
export function without(removed: ReadonlySet<string>, uses: Graph): Graph {
  const left = [...uses].filter(([name]) => !removed.has(name));
  return new Map(left.map(([name, used]) => [name, used.filter((other) => !removed.has(other))]));
}

function withoutLeaves(uses: Graph): Graph {
  return without(new Set(leavesFirst(uses)), uses);
}

function reversed(uses: Graph): Graph {
  const users = new Map<string, string[]>([...uses.keys()].map((name) => [name, []]));
  for (const [name, used] of uses) for (const other of used) users.get(other)?.push(name);
  return users;
}
