import type { SMCPNamespace } from '../rooms/connection.js';
import type { Member, MemoryRegistry } from '../rooms/registry.js';

/**
 * The pause between two re-homings of an office, so that a load balancer that disagrees does not cause endless
 * reconnects.
 */
const REHOME_PAUSE_MS = 30_000;

/** Moves the members of an office that is split over nodes to the node of the latest join. */
export class OfficeRehoming {
  readonly #node: string;
  readonly #namespace: SMCPNamespace;
  readonly #local: MemoryRegistry;
  readonly #rehomedAt = new Map<string, number>();

  constructor(node: string, namespace: SMCPNamespace, local: MemoryRegistry) {
    this.#node = node;
    this.#namespace = namespace;
    this.#local = local;
  }

  /** A member has joined here: others on other nodes are moved, unless that was done a moment ago. */
  async joined(office: string, members: () => Promise<readonly Member[]>): Promise<void> {
    const now = performance.now();
    if (now - (this.#rehomedAt.get(office) ?? Number.NEGATIVE_INFINITY) < REHOME_PAUSE_MS) return;
    for (const [id, at] of this.#rehomedAt) if (now - at >= REHOME_PAUSE_MS) this.#rehomedAt.delete(id);
    if (!(await members()).some(({ node }) => node !== this.#node)) return;
    this.#rehomedAt.set(office, now);
    this.#namespace.serverSideEmit('a2c:rehome', office);
  }

  /** A closed transport makes clients reconnect; the load balancer routes them to the node of their office. */
  closeConnectionsOf(office: string): void {
    this.#rehomedAt.set(office, performance.now());
    for (const { sid } of this.#local.members(office)) this.#namespace.sockets.get(sid)?.conn.close();
  }
}
