import type {
  ExecutedCall,
  ListChange,
  OperatorAllowedTool,
  OperatorComputer,
  OperatorEvents,
  OperatorInput,
  OperatorMember,
  OperatorMovement,
  OperatorNode,
  OperatorQuestion,
  OperatorRefusal,
  OperatorRequest,
  OperatorServer,
  RelayedCall,
} from '@a2c/protocol';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** `refused`: the page has no session. `full`: too many pages are open. `foreign`: another program has the port. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'full' | 'foreign' | 'refused';

export const connection = signal<ConnectionState>('connecting');
/** Why the page has no session, if that is known. */
export const refusal = signal<'wrongLink' | 'loggedOut' | 'insecure' | undefined>(undefined);
/** The id of the stream, to which results are sent. */
export const stream = signal('');
export const version = signal('');
export const offers = signal<ReadonlySet<OperatorRequest>>(new Set());
export const node = signal<OperatorNode | undefined>(undefined);
export const computer = signal<OperatorComputer | undefined>(undefined);
/** Grow with every change of the tools and the windows. */
export const toolsRevision = signal(0);
export const toolCount = signal(0);
export const desktopRevision = signal(0);
/** Grows with every change of the log of an MCP server. */
export const logRevisions = signal<ReadonlyMap<string, number>>(new Map());

/** A list of the host. The signal has a new array after each change. */
class RemoteList<T> {
  readonly #items = new Map<string, T>();
  readonly #id: (item: T) => string;
  readonly items: Signal<readonly T[]> = signal([]);

  constructor(id: (item: T) => string) {
    this.#id = id;
  }

  apply({ reset, set, gone }: ListChange<T>): void {
    if (reset) this.#items.clear();
    for (const id of gone) this.#items.delete(id);
    for (const item of set) this.#items.set(this.#id(item), item);
    this.items.value = [...this.#items.values()];
  }

  get(id: string): T | undefined {
    return this.#items.get(id);
  }
}

const byId = ({ id }: { readonly id: string }) => id;

export const lists = {
  members: new RemoteList<OperatorMember>(({ sid }) => sid),
  movements: new RemoteList<OperatorMovement>(byId),
  refusals: new RemoteList<OperatorRefusal>(byId),
  relayed: new RemoteList<RelayedCall>(byId),
  executed: new RemoteList<ExecutedCall>(byId),
  servers: new RemoteList<OperatorServer>(({ name }) => name),
  inputs: new RemoteList<OperatorInput>(byId),
  questions: new RemoteList<OperatorQuestion>(byId),
  allowed: new RemoteList<OperatorAllowedTool>(({ server, tool }) => JSON.stringify([server, tool])),
};

/** One call, as the Server and the Computer see it. */
export interface CallRow {
  readonly id: string;
  readonly relayed?: RelayedCall;
  readonly executed?: ExecutedCall;
  readonly startedAt: number;
}

/** All calls, newest first. */
export const calls: ReadonlySignal<readonly CallRow[]> = computed(() => {
  const relayed = lists.relayed.items.value;
  const executed = lists.executed.items.value;
  const rows = new Map<string, { id: string; relayed?: RelayedCall; executed?: ExecutedCall; startedAt: number }>();
  for (const call of relayed) rows.set(call.id, { id: call.id, relayed: call, startedAt: call.receivedAt });
  for (const call of executed) {
    const row = rows.get(call.id);
    if (row) row.executed = call;
    else rows.set(call.id, { id: call.id, executed: call, startedAt: call.receivedAt });
  }
  return [...rows.values()].sort((a, b) => b.startedAt - a.startedAt);
});

/** Applies an event of the stream. */
export function apply<E extends keyof OperatorEvents>(name: E, value: OperatorEvents[E]): void {
  if (name in lists) (lists[name as keyof typeof lists] as RemoteList<unknown>).apply(value as ListChange<unknown>);
  else handlers[name]?.(value as never);
}

const handlers: { readonly [E in keyof OperatorEvents]?: (value: OperatorEvents[E]) => void } = {
  hello: (hello) => {
    stream.value = hello.stream;
    version.value = hello.version;
    offers.value = new Set(hello.offers);
  },
  node: (value) => {
    node.value = value;
  },
  computer: (value) => {
    computer.value = value;
  },
  tools: ({ count }) => {
    toolCount.value = count;
    toolsRevision.value += 1;
  },
  log: ({ server }) => {
    const revisions = logRevisions.value;
    logRevisions.value = new Map(revisions).set(server, (revisions.get(server) ?? 0) + 1);
  },
  desktop: () => {
    desktopRevision.value += 1;
  },
};
