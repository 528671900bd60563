import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';

export const BINARY = join(inject('commands'), 'a2c.js');
const STAGE = join(inject('commands'), 'stage.js');

/** An entry for the test server. Its tools need consent unless `fields` say otherwise. */
export function stage(name = 'stage', fields: object = {}, env: Readonly<Record<string, string>> = {}): object {
  return { name, type: 'stdio', server_parameters: { command: process.execPath, args: [STAGE], env }, ...fields };
}

/**
 * A free port, for a host that keeps it when it starts again. It is not one of those that systems choose, so that no
 * other test gets it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** A command that serves the console, in a process of its own with a home of its own. */
export class Host {
  readonly home: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  stderr = '';
  url = '';
  link = '';

  private constructor(args: readonly string[], files: Readonly<Record<string, unknown>>, home: string) {
    this.#args = args;
    this.home = home;
    for (const [name, content] of Object.entries(files)) writeFileSync(join(this.home, name), JSON.stringify(content));
  }

  /** Starts the command. Files are in its working folder. `home` is that of another host of the same user. */
  static async start(
    args: readonly string[],
    files: Readonly<Record<string, unknown>> = {},
    home = mkdtempSync(join(tmpdir(), 'a2c-console-')),
  ): Promise<Host> {
    const host = new Host(args, files, home);
    await host.#spawn();
    return host;
  }

  async #spawn(): Promise<void> {
    const env = { ...process.env, A2C_HOME: this.home, A2C_VAULT: 'file', NO_COLOR: '1' };
    const child = spawn(process.execPath, [BINARY, ...this.#args, '--json'], { cwd: this.home, env });
    this.#child = child;
    child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk;
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const { event, url, console: link } = JSON.parse(line) as { event: string; url: string; console: string };
      if (event !== 'ready') continue;
      this.url = url;
      this.link = link;
      return;
    }
    throw new Error(`the command ended: ${this.stderr}`);
  }

  /** Stops the process and starts it again. */
  async restart(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    await this.end();
    await meanwhile();
    await this.#spawn();
  }

  /** Stops the process and keeps its files. */
  async end(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  async close(): Promise<void> {
    await this.end();
    rmSync(this.home, { recursive: true, force: true });
  }

  get token(): string {
    return this.link.split('#token=')[1] ?? '';
  }

  /** Where the console is, for programs; the Computer's is on a port of its own. */
  get origin(): string {
    return `http://127.0.0.1:${new URL(this.link).port}`;
  }

  /** The address of the page in a browser, without the token. */
  get page(): string {
    return this.link.split('#')[0] as string;
  }

  /** Sends a request of the operator interface with the token of the link. */
  async request(name: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const { 'x-none': none, ...rest } = headers;
    return fetch(`${this.origin}/operator/${name}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(none === undefined && { Authorization: `Bearer ${this.token}` }),
        ...rest,
      },
    });
  }

  /** Sends a request that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: the answer of any request; the test knows its type
  async ask(name: string, body?: object): Promise<any> {
    const response = await this.request(name, body);
    const answer = await response.json();
    if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Follows the events. `until` resolves with the value of the first event that matches. */
  async follow(signal: AbortSignal): Promise<{
    readonly events: [name: string, value: unknown][];
    // biome-ignore lint/suspicious/noExplicitAny: the value of any event; the test knows its type
    until(matches: (name: string, value: any) => boolean): Promise<void>;
  }> {
    const response = await fetch(`${this.origin}/operator/events`, {
      headers: { Authorization: `Bearer ${this.token}` },
      signal,
    });
    const events: [string, unknown][] = [];
    const changed = new EventTarget();
    void read(response, (name, value) => {
      events.push([name, value]);
      changed.dispatchEvent(new Event('event'));
    }).catch(() => {});
    return {
      events,
      until: async (matches) => {
        while (!events.some(([name, value]) => matches(name, value))) await once(changed as never, 'event');
      },
    };
  }
}

async function read(response: Response, onEvent: (name: string, value: unknown) => void): Promise<void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name, data] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
      if (name !== undefined && data !== undefined) onEvent(name, JSON.parse(data));
    }
  }
}
