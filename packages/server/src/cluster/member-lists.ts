import type { Member } from '../rooms/registry.js';

interface Query {
  readonly list: Promise<readonly Member[]>;
  next: Promise<readonly Member[]> | undefined;
}

/**
 * The members of offices, by one query at a time for each office. Those who ask during a query share the next one: the
 * present one may lack a member that joined before they asked.
 */
export class MemberLists {
  readonly #ask: (office: string) => Promise<readonly Member[]>;
  readonly #running = new Map<string, Query>();

  constructor(ask: (office: string) => Promise<readonly Member[]>) {
    this.#ask = ask;
  }

  of(office: string): Promise<readonly Member[]> {
    const running = this.#running.get(office);
    if (!running) return this.#start(office);
    running.next ??= running.list.then(
      () => this.#start(office),
      () => this.#start(office),
    );
    return running.next;
  }

  #start(office: string): Promise<readonly Member[]> {
    const query: Query = { list: this.#ask(office), next: undefined };
    this.#running.set(office, query);
    const ended = () => {
      if (this.#running.get(office) === query && !query.next) this.#running.delete(office);
    };
    query.list.then(ended, ended);
    return query.list;
  }
}
