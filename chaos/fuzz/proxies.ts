import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Random } from '../random.js';
import { CANARIES, CANARY_PATTERN, childrenWithCanary } from './canaries.js';
import { mutate } from './mutate.js';
import { Oracle, type Shot } from './oracle.js';
import type { Target, TargetOptions } from './target.js';
import { WatchedProcess } from './watched-process.js';

const A2C = fileURLToPath(new URL('../../../packages/cli/bin/a2c.js', import.meta.url));
const script = (name: string) => fileURLToPath(new URL(`../programs/${name}.js`, import.meta.url));

const LIMIT_MS = 50;
/** One answer makes a few messages: a list, its correction, a description for the model. */
const ANSWER_LIMIT_MS = 400;
/** A message that has no answer is over after this time. */
const SILENCE_MS = 30;

const rpc = (id: number | string, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const exec = (id: number | string, server_name: string, tool_name: string, args: object) =>
  rpc(id, 'tools/call', { name: 'exec', arguments: { server_name, tool_name, arguments: args } });
const inspect = (id: number | string, args: object) => rpc(id, 'tools/call', { name: 'inspect', arguments: args });

const INITIALIZE = rpc(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: { sampling: {}, roots: { listChanged: true } },
  clientInfo: { name: 'fuzz', version: '1' },
});
const HONEST = (id: string) => exec(id, 'work', 'work', { id, agent: 'honest' });
const MESSAGES: readonly string[] = [
  INITIALIZE,
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  rpc(1, 'ping'),
  rpc(2, 'tools/list', { cursor: 'x' }),
  inspect(3, { server_name: 'work', tool_names: ['work'], query: 'do work' }),
  exec(4, 'work', 'work', { id: 'i', agent: 'a', ms: 1, size: 10 }),
  rpc(5, 'resources/list'),
  rpc(6, 'prompts/get', { name: 'p', arguments: { x: 'y' } }),
  rpc(7, 'logging/setLevel', { level: 'debug' }),
  rpc(8, 'completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'b' } }),
  rpc(9, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4,"reason":"no"}}',
  '{"jsonrpc":"2.0","id":"s","result":{"roots":[{"uri":"file:///x"}]}}',
  `[${rpc(10, 'ping')},${rpc(11, 'tools/list')}]`,
];

function startProxy({ folder, seed }: TargetOptions, name: string, more: readonly string[]): WatchedProcess {
  const work = [script('child'), `${folder}/${name}.executions`, 'o', 'pc', `${folder}/${name}.control`];
  const servers = {
    work: { command: process.execPath, args: work, env: { OWN: CANARIES.server } },
    ...(name === 'answers' && {
      hostile: {
        command: process.execPath,
        args: [script('mutating-server'), String(seed), `${folder}/answers.count`],
      },
    }),
  };
  const config = `${folder}/${name}.json`;
  writeFileSync(config, JSON.stringify({ mcpServers: servers }), { mode: 0o600 });
  return new WatchedProcess({
    args: [A2C, 'proxy', '--config', config, '--timeout', '5', ...more],
    env: {
      PATH: process.env.PATH,
      A2C_HOME: `${folder}/${name}-home`,
      A2C_LOG_LEVEL: 'debug',
      A2C_API_KEY: CANARIES.apiKey,
      A2C_SMCP_SECRET: CANARIES.input,
    },
    log: `${folder}/${name}.log`,
  });
}

function leak(text: string): string | undefined {
  return CANARY_PATTERN.test(text) ? `a secret was sent to a client: ${text.slice(0, 300)}` : undefined;
}

/** Sends JSON-RPC over HTTP. Resolves to the answer, or to what there is of it after the time. */
function post(url: string, body: string, session?: string, ms = 120_000): Promise<{ text: string; session?: string }> {
  return new Promise((resolve) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(session && { 'mcp-session-id': session }),
      },
    });
    let text = '';
    let opened: string | undefined;
    const end = () => {
      clearTimeout(timer);
      sent.destroy();
      resolve({ text, ...(opened !== undefined && { session: opened }) });
    };
    const timer = setTimeout(end, ms);
    sent.on('error', end);
    sent.on('response', (response) => {
      const { 'mcp-session-id': id } = response.headers;
      opened = typeof id === 'string' ? id : undefined;
      response.on('data', (chunk) => (text += chunk)).on('close', end);
    });
    sent.end(body);
  });
}

async function startHttp(options: TargetOptions, name: string): Promise<HttpClient> {
  const proxy = startProxy(options, name, ['--http', '0']);
  const [, url = ''] = await proxy.printed(/ready (\S+)/);
  const { session } = await post(url, INITIALIZE);
  if (session === undefined) throw new Error('the proxy opened no session');
  await post(url, '{"jsonrpc":"2.0","method":"notifications/initialized"}', session);
  return { proxy, url, session };
}

interface HttpClient {
  readonly proxy: WatchedProcess;
  readonly url: string;
  /** The session of the honest client. */
  readonly session: string;
}

/** Serves an honest client of HTTP. */
function honestClient({ url, session }: HttpClient): () => Promise<void> {
  let count = 0;
  return async () => {
    const id = `honest-${count++}`;
    const { text } = await post(url, HONEST(id), session);
    if (!text.includes(`call ${id} of honest`)) throw new Error(`unexpected answer: ${text.slice(0, 300)}`);
  };
}

/** The HTTP door of the proxy: mutated JSON-RPC messages, in a session and without one. */
export class HttpDoor implements Target {
  readonly name = 'Proxy: JSON-RPC over HTTP';
  readonly batch = 20;
  readonly process: WatchedProcess;
  readonly oracle: Oracle;
  readonly #url: string;
  #session: string | undefined;
  #leak: string | undefined;

  private constructor(client: HttpClient) {
    this.process = client.proxy;
    this.#url = client.url;
    this.oracle = new Oracle(client.proxy, honestClient(client));
  }

  static async start(options: TargetOptions): Promise<HttpDoor> {
    return new HttpDoor(await startHttp(options, 'http'));
  }

  shot(random: Random): Shot {
    const text = mutate(random.pick(MESSAGES), random, MESSAGES);
    const inSession = random.next() < 0.7;
    return { text, limitMs: LIMIT_MS, fire: () => this.#send(text, inSession) };
  }

  async #send(text: string, inSession: boolean): Promise<void> {
    if (inSession) this.#session ??= (await post(this.#url, INITIALIZE)).session;
    const { text: answer } = await post(this.#url, text, inSession ? this.#session : undefined, SILENCE_MS);
    if (inSession && answer.includes('Session not found')) this.#session = undefined;
    this.#leak ??= leak(answer);
  }

  failures(): readonly string[] {
    return [...(this.#leak ? [this.#leak] : []), ...childrenWithCanary(this.process)];
  }

  end(): Promise<void> {
    return this.process.end();
  }
}

/** The proxy on stdin and stdout: mutated lines, and requests of the same client between them. */
export class StdioDoor implements Target {
  readonly name = 'Proxy: JSON-RPC on stdio';
  readonly batch = 20;
  readonly process: WatchedProcess;
  readonly oracle: Oracle;
  readonly #waiting = new Map<string, (line: string) => void>();
  #leak: string | undefined;
  #rest = '';

  private constructor(proxy: WatchedProcess) {
    this.process = proxy;
    proxy.child.stdout?.on('data', (chunk: Buffer) => this.#receive(String(chunk)));
    let count = 0;
    this.oracle = new Oracle(proxy, () => this.request(`honest-${count++}`));
  }

  static async start(options: TargetOptions): Promise<StdioDoor> {
    const door = new StdioDoor(startProxy(options, 'stdio', []));
    door.#write(INITIALIZE);
    door.#write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    await door.request('honest-first');
    return door;
  }

  shot(random: Random): Shot {
    const text = mutate(random.pick(MESSAGES), random, MESSAGES).replace(/[\r\n]/g, ' ');
    return { text, limitMs: LIMIT_MS, fire: async () => this.#write(text) };
  }

  request(id: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(`"id":"${id}"`, (line) => {
        if (line.includes(`call ${id} of honest`)) resolve();
        else reject(new Error(`unexpected answer: ${line.slice(0, 300)}`));
      });
      this.#write(HONEST(id));
    });
  }

  #write(line: string): void {
    this.process.child.stdin?.write(`${line}\n`);
  }

  #receive(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      this.#leak ??= leak(line);
      for (const [text, resolve] of this.#waiting) {
        if (!line.includes(text)) continue;
        this.#waiting.delete(text);
        resolve(line);
      }
    }
  }

  failures(): readonly string[] {
    return [...(this.#leak ? [this.#leak] : []), ...childrenWithCanary(this.process)];
  }

  end(): Promise<void> {
    return this.process.end();
  }
}

/** An MCP server that answers with mutated messages and schemas, beside an honest one. */
export class McpAnswers implements Target {
  readonly name = 'Hub: answers and schemas of an MCP server';
  readonly batch = 1;
  readonly process: WatchedProcess;
  readonly oracle: Oracle;
  readonly #client: HttpClient;
  #leak: string | undefined;
  #count = 0;

  private constructor(client: HttpClient) {
    this.process = client.proxy;
    this.#client = client;
    this.oracle = new Oracle(client.proxy, honestClient(client));
  }

  static async start(options: TargetOptions): Promise<McpAnswers> {
    return new McpAnswers(await startHttp(options, 'answers'));
  }

  /** Each request makes the server send mutated messages. */
  shot(random: Random): Shot {
    const id = this.#count++;
    const tool = random.pick(['one', 'two', 'three']);
    const message = random.pick([
      exec(id, 'hostile', tool, { name: 'abc', size: 2 }),
      exec(id, 'hostile', tool, { name: `${'a'.repeat(40)}!`, kind: { a: { b: {} } }, tags: [{ tag: 'x:y' }] }),
      inspect(id, { server_name: 'hostile', tool_names: [tool] }),
      inspect(id, { query: 'do one' }),
    ]);
    return { text: message, limitMs: ANSWER_LIMIT_MS, fire: () => this.#send(message) };
  }

  async #send(message: string): Promise<void> {
    const { url, session } = this.#client;
    this.#leak ??= leak((await post(url, message, session)).text);
  }

  failures(): readonly string[] {
    return [...(this.#leak ? [this.#leak] : []), ...childrenWithCanary(this.process)];
  }

  end(): Promise<void> {
    return this.process.end();
  }
}
