import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { PeerError } from './peers.js';
import type { AgentRole, ComputerRole, ComputerSetup, Maker, ToolResult } from './roles.js';

const CRATE = fileURLToPath(new URL('rust', import.meta.url));
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'a2c-interop', 'rust');
const TARGET = process.env.CARGO_TARGET_DIR ?? CACHE;
const PROGRAM = join(TARGET, 'debug', 'peer');

/** Builds the program with the published crates. The first build takes about 15 minutes. */
export async function buildRustPeer(): Promise<void> {
  const env = { ...process.env, CARGO_TARGET_DIR: TARGET };
  await promisify(execFile)('cargo', ['build', '--quiet'], { cwd: CRATE, env, maxBuffer: 2 ** 24 });
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The SDK prints the details of an error. */
const REASON = /"reason": String\("(?<detail>\w+)"\)|\(reason: (?<text>\w+)\)/;

function reasonIn(message: string): string | undefined {
  const { detail, text } = REASON.exec(message)?.groups ?? {};
  return detail ?? text;
}

class RustProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  readonly started: Promise<unknown>;

  constructor(...args: string[]) {
    this.#child = spawn(PROGRAM, args, {
      env: { ...process.env, RUST_LOG: 'off', A2C_UPLOAD_IDLE_TIMEOUT: '3' },
    });
    this.#child.stderr.resume();
    createInterface(this.#child.stdout).on('line', (line) => line.startsWith('@@') && this.#answered(line.slice(2)));
    this.#child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the program ended'));
    });
    onTestFinished(() => void this.#child.kill('SIGKILL'));
    this.started = this.#answerTo(0);
    this.started.catch(() => {}); // Reported to the caller that awaits it.
  }

  ask<T>(command: string, ...args: unknown[]): Promise<T> {
    if (this.#child.exitCode !== null || this.#child.killed) return Promise.reject(new Error('the program has ended'));
    const id = this.#next++;
    const answer = this.#answerTo(id);
    this.#child.stdin.write(`${JSON.stringify({ id, do: command, args })}\n`);
    return answer as Promise<T>;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
  }

  #answerTo(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #answered(line: string): void {
    const { id, value, error } = JSON.parse(line);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new PeerError(error.message, error.code, reasonIn(error.message)));
    else waiting?.resolve(value);
  }
}

/** The programs of the Rust SDK 0.4.1. */
export const RUST: Maker = { version: '0.4.1 (Rust)', agent: rustAgent, computer: rustComputer };

/** Starts the server of the SDK. Resolves to its address. */
export async function rustServer(): Promise<string> {
  return `http://127.0.0.1:${await new RustProcess('server').started}`;
}

const TIMEOUT = 30;

async function rustAgent(url: string, office: string, name: string): Promise<AgentRole> {
  const start = async (timeout = TIMEOUT) => {
    const rust = new RustProcess('agent', url, office, name, String(timeout));
    await rust.started;
    return rust;
  };
  let rust = await start();
  const leave = async () => {
    await rust.ask('leave');
    await rust.stop();
  };
  /** The seat is used by another program meanwhile. */
  const meanwhile = async <T>(work: () => Promise<T>): Promise<T> => {
    await leave();
    try {
      return await work();
    } finally {
      rust = await start();
    }
  };
  /** Requests as they are given; the Agent of the SDK chooses the ids of its requests itself. */
  const raw = <T>(work: (peer: RustProcess) => Promise<T>) =>
    meanwhile(async () => {
      const peer = new RustProcess('raw', url, office, name);
      await peer.started;
      try {
        return await work(peer);
      } finally {
        await peer.ask('emit', 'server:leave_office', { office_id: office });
        await peer.stop();
      }
    });
  const base = (computer: string) => ({ agent: name, req_id: randomUUID(), computer });
  return {
    has: () => true,
    tools: async (computer) => (await rust.ask<{ name: string }[]>('tools', computer)).map((tool) => tool.name),
    call: (computer, tool, params, timeout = TIMEOUT) => {
      if (timeout > 5) return rust.ask<ToolResult>('call', computer, tool, params);
      // The timeout is one for all calls of an Agent.
      return meanwhile(async () => {
        rust = await start(timeout);
        const result = await rust.ask<ToolResult>('call', computer, tool, params);
        await leave();
        return result;
      });
    },
    cancelledCall: (computer, tool, params, started) =>
      raw(async (peer) => {
        const payload = { ...base(computer), tool_name: tool, params, timeout: TIMEOUT };
        const answer = peer.ask<ToolResult>('call', 'client:tool_call', payload);
        answer.catch(() => {});
        await started;
        await peer.ask('emit', 'server:tool_call_cancel', { agent: name, req_id: payload.req_id });
        return answer;
      }),
    room: () => rust.ask('room'),
    desktop: (computer, { size, window }) => rust.ask('desktop', computer, size, window),
    config: (computer) => rust.ask('config', computer),
    async resources(computer, server, cursor) {
      const page = await rust.ask<{ resources: { uri: string }[]; next_cursor?: string }>(
        ...(['resources', computer, server, cursor] as const),
      );
      return { uris: page.resources.map(({ uri }) => uri), next: page.next_cursor };
    },
    skills: async (computer) => (await rust.ask<{ name: string }[]>('skills', computer)).map((skill) => skill.name),
    async skill(computer, skill, path) {
      const file = await rust.ask<{ body?: string; blob_handle?: string }>('skill', computer, skill, path);
      return file.body ?? rust.ask<number>('blob', computer, file.blob_handle);
    },
    put: (computer, size, hint) => rust.ask('put', computer, size, hint),
    putChunks: (computer, chunks) =>
      raw(async (peer) => {
        const answers: (string | undefined)[] = [];
        let upload: string | undefined;
        for (const { pause = 0, ...part } of chunks as { pause?: number }[]) {
          await new Promise((resolve) => setTimeout(resolve, pause * 1_000));
          const payload = { ...base(computer), ...(upload !== undefined && { upload_id: upload }), ...part };
          const answer = await peer.ask<PutAnswer>('call', 'client:put_blob', payload);
          upload = answer.upload_id ?? upload;
          answers.push(answer.code === undefined ? undefined : `${answer.code} ${answer.details?.reason}`);
        }
        return answers;
      }),
    async receives(change, action) {
      const before = await rust.ask<number>('count', change);
      await action();
      await rust.ask('heard', change, before);
    },
    async reconnect() {
      await meanwhile(async () => {});
    },
    stop: () => rust.stop(),
  };
}

interface PutAnswer {
  readonly upload_id?: string;
  readonly code?: number;
  readonly details?: { readonly reason?: string };
}

async function rustComputer({ name, folder, stdio, tools, http }: ComputerSetup): Promise<ComputerRole> {
  const [command, ...args] = tools;
  const auto = { disabled: false, forbidden_tools: [], tool_meta: {}, default_tool_meta: { auto_apply: true } };
  const servers = [
    ...stdio.map((server) => ({ name: server, type: 'stdio', server_parameters: { command, args, env: {} }, ...auto })),
    ...Object.entries(http).map(([server, url]) => ({
      ...{ name: server, type: 'streamable', server_parameters: { url, headers: {} }, ...auto },
    })),
  ];
  const options = [{ label: 'Red', value: 'red' }];
  const inputs = [{ type: 'PickString', id: 'color', description: 'a color', default: 'red', options }];
  const rust = new RustProcess('computer', JSON.stringify({ name, folder, servers, inputs }));
  await rust.started;
  return {
    has: () => true,
    join: (url, office) => rust.ask('join', url, office),
    update: (change) => rust.ask(change),
    leave: () => rust.ask('leave'),
    drop: () => rust.ask('drop'),
    stop: () => rust.stop(),
  };
}
