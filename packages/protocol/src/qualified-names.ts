/**
 * Which server a name belongs to: `server.tool`, `server/tool` and `bundle__tool` are names of that server, whatever
 * tools other servers list.
 */
export class QualifiedNames {
  readonly #servers = new Map<string, string>();
  /** The lengths of all prefixes, longest first. */
  readonly #lengths: readonly number[];

  /** @param servers All MCP servers of a Computer. */
  constructor(servers: readonly { readonly name: string; readonly bundleId: string }[]) {
    for (const { name, bundleId } of servers) {
      for (const prefix of [`${name}.`, `${name}/`, `${bundleId}__`]) this.#servers.set(prefix, name);
    }
    this.#lengths = [...new Set([...this.#servers.keys()].map(({ length }) => length))].sort((a, b) => b - a);
  }

  /** The server whose name or bundle id a name begins with. The longest one wins. */
  ownerOf(name: string): string | undefined {
    for (const end of this.#lengths) {
      if (end >= name.length || !'./_'.includes(name.charAt(end - 1))) continue;
      const server = this.#servers.get(name.slice(0, end));
      if (server !== undefined) return server;
    }
    return undefined;
  }

  /** Whether a name that a server has chosen belongs to another one. */
  isOfAnother(server: string, name: string): boolean {
    return (this.ownerOf(name) ?? server) !== server;
  }
}
