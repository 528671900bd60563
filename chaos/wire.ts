import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** A TCP proxy whose connections can be cut, delayed, and left half-open. */
export class Wire {
  readonly #target: () => number;
  readonly #pairs = new Set<Pair>();
  readonly #server: Server;
  #isRefusing = false;
  #isSilent = false;
  #delayMs = 0;

  /** @param target returns the port to connect to */
  constructor(target: () => number) {
    this.#target = target;
    this.#server = createServer({ noDelay: true }, (near) => this.#accept(near));
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resets all connections; new ones are refused until `heal`. */
  cut(): void {
    this.#isRefusing = true;
    this.#destroyAll();
  }

  /** Every chunk takes this much longer, in both directions. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** All connections stay open and carry nothing. With `farOnly` the far side is closed, unseen by the near one. */
  halfOpen(farOnly: boolean): void {
    this.#isSilent = true;
    if (farOnly) for (const { far } of this.#pairs) far.destroy();
  }

  /** Ends all faults. What was half-open is reset, because its data is lost. */
  heal(): void {
    const wasSilent = this.#isSilent;
    this.#isRefusing = false;
    this.#isSilent = false;
    this.#delayMs = 0;
    if (wasSilent) this.#destroyAll();
  }

  close(): void {
    this.#server.close();
    this.#destroyAll();
  }

  #destroyAll(): void {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  #accept(near: Socket): void {
    if (this.#isRefusing) {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port: this.#target(), host: '127.0.0.1', noDelay: true });
    const pair = { near, far };
    this.#pairs.add(pair);
    this.#forward(near, far);
    this.#forward(far, near);
    near.on('close', () => {
      this.#pairs.delete(pair);
      far.destroy();
    });
    far.on('close', () => {
      if (!this.#isSilent) near.destroy();
    });
  }

  /** Chunks keep their order. */
  #forward(from: Socket, to: Socket): void {
    let last = Promise.resolve();
    from.on('error', () => from.destroy());
    from.on('data', (chunk) => {
      if (this.#isSilent) return;
      const due = performance.now() + this.#delayMs;
      last = last.then(async () => {
        const ms = due - performance.now();
        if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
        if (!this.#isSilent && to.writable) to.write(chunk);
      });
    });
    from.on('end', () => {
      if (!this.#isSilent) void last.then(() => to.end());
    });
  }
}
