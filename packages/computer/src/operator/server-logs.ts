/** How many lines of each MCP server are kept. */
const KEPT_LINES = 200;

/** A program may write thousands of lines per second: changes within this time are one. */
const CHANGE_MS = 300;

/** The log messages of MCP servers and the warnings about them, and which logs changed. */
export class ServerLogs {
  readonly #lines = new Map<string, readonly string[]>();
  readonly #changed = new Set<string>();
  readonly #onChange: (servers: readonly string[]) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: (servers: readonly string[]) => void) {
    this.#onChange = onChange;
  }

  linesOf(server: string): readonly string[] {
    return this.#lines.get(server) ?? [];
  }

  add(server: string, line: string): void {
    this.#lines.set(server, [...this.linesOf(server), line].slice(-KEPT_LINES));
    this.changed(server);
  }

  /** The log of a server changed, here or on its stderr. */
  changed(server: string): void {
    this.#changed.add(server);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const servers = [...this.#changed];
      this.#changed.clear();
      this.#onChange(servers);
    }, CHANGE_MS).unref();
  }
}
