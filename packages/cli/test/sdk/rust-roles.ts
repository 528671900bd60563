import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
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

/** Operations that the API of the Rust SDK, or the program of this test, does not offer. */
export const WITHOUT_RUST = new Set([
  ...['cancel', 'cancel reaches the MCP server', 'timeout of the Agent', 'Computer comes back', 'Agent reconnects'],
  ...['enter', 'leave', 'update_config', 'update_tool_list', 'update_desktop', 'update_skills'],
  ...[
    'put_blob with a wrong hash',
    'put_blob after the idle time',
    'binary file of a skill',
    'Computer lost in a call',
  ],
  ...['get_config', 'duplicate Computer', 'second Agent', 'put_blob without a landing root'],
]);

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The SDK prints the details of an error. */
const REASON = /"reason": String\("(\w+)"\)/;

class RustProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  readonly started: Promise<unknown>;

  constructor(...args: string[]) {
    this.#child = spawn(PROGRAM, args, { env: { ...process.env, RUST_LOG: 'off' } });
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
    if (error) waiting?.reject(new PeerError(error.message, error.code, REASON.exec(error.message)?.[1]));
    else waiting?.resolve(value);
  }
}

/** The programs of the Rust SDK 0.4.1. */
export const RUST: Maker = { version: '0.4.1 (Rust)', agent: rustAgent, computer: rustComputer };

async function rustAgent(url: string, office: string, name: string): Promise<AgentRole> {
  const rust = new RustProcess('agent', url, office, name);
  await rust.started;
  const missing = () => Promise.reject(new Error('not in this program'));
  return {
    has: (feature) => feature !== 'raw',
    tools: async (computer) => (await rust.ask<{ name: string }[]>('tools', computer)).map((tool) => tool.name),
    call: (computer, tool, params) => rust.ask<ToolResult>('call', computer, tool, params),
    cancelledCall: missing,
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
    skill: async (computer, skill, path) =>
      (await rust.ask<{ body?: string }>('skill', computer, skill, path)).body ?? -1,
    put: (computer, size, hint) => rust.ask('put', computer, size, hint),
    putChunks: missing,
    receives: missing,
    reconnect: missing,
    stop: () => rust.stop(),
  };
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
  const rust = new RustProcess('computer', JSON.stringify({ name, folder, servers }));
  await rust.started;
  return {
    has: () => true,
    join: (url, office) => rust.ask('join', url, office),
    update: () => Promise.reject(new Error('not in this program')),
    drop: () => rust.stop(),
    stop: () => rust.stop(),
  };
}
