import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c/agent';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import type { Random } from '../random.js';
import { CANARIES, CANARY_PATTERN } from './canaries.js';
import { mutate, mutateBytes } from './mutate.js';
import { Oracle, type Shot } from './oracle.js';
import type { Target, TargetOptions } from './target.js';
import { WatchedProcess } from './watched-process.js';

const SERVER = fileURLToPath(new URL('../programs/fuzzed-server.js', import.meta.url));
const ATTACKER_KEY = 'key-of-the-attacker';
const STRANGER_MS = 50;
const MEMBER_MS = 100;
/** A message that is taken in silence is over after this time. */
const SILENCE_MS = 3;

const CALL = '{"agent":"b","computer":"pc","tool_name":"t","params":{"a":[1,{"b":"c"}]},"req_id":"r1","timeout":5}';
const JOIN = '{"role":"agent","name":"b","office_id":"street","a2c_version":"0.4.0"}';

/** Messages of Engine.IO and Socket.IO, as honest clients send them. */
const CONNECTS: readonly string[] = ['40/smcp,{"api_key":"wrong","instance":"i"}', '40/smcp,', '40', '2probe', '3'];
const EVENTS: readonly string[] = [
  `42/smcp,1["server:join_office",${JOIN}]`,
  '42/smcp,2["server:join_office",{"role":"computer","name":"pc2","office_id":"street"}]',
  '42/smcp,3["server:list_room",{"agent":"b","office_id":"street","req_id":"r"}]',
  `42/smcp,4["client:tool_call",${CALL}]`,
  `42/smcp,5["client:get_tools",${CALL}]`,
  `42/smcp,["server:tool_call_cancel",${CALL}]`,
  '42/smcp,["server:update_tool_list",{"computer":"pc2"}]',
  '42/smcp,["server:tool_call_progress",{"computer":"pc2","agent":"b","req_id":"r1","progress":1,"total":2}]',
  `451-/smcp,6["client:tool_call",{"agent":"b","computer":"pc","req_id":"r","blob":{"_placeholder":true,"num":0}}]`,
  '43/smcp,0[{"content":[{"type":"text","text":"done"}],"isError":false}]',
  '43/smcp,1[{"tools":[{"name":"t","description":"d","params_schema":{"type":"object"}}],"req_id":"r"}]',
  '42/smcp,7["server:leave_office",{"office_id":"street"}]',
];
const ALL = [...CONNECTS, ...EVENTS];

/** The signalling server: mutated messages of strangers and of a member, as WebSocket messages, bytes and polling. */
export class Signalling implements Target {
  readonly name = 'Server: Engine.IO and Socket.IO';
  readonly batch = 40;
  readonly process: WatchedProcess;
  readonly oracle: Oracle;
  readonly #url: string;
  readonly #agent: Agent;
  readonly #close: () => void;
  #member: WebSocket | undefined;
  #leak: string | undefined;

  private constructor(process: WatchedProcess, url: string, agent: Agent, close: () => void) {
    this.process = process;
    this.#url = url;
    this.#agent = agent;
    this.#close = close;
    this.oracle = new Oracle(process, async () => {
      await this.#agent.callTool('pc', 'echo', {}, { timeout: 60 });
    });
  }

  static async start({ folder }: TargetOptions): Promise<Signalling> {
    const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
    const keys = [
      { subject: 'honest', sha256: sha256(CANARIES.apiKey), offices: ['home'] },
      { subject: 'attacker', sha256: sha256(ATTACKER_KEY), offices: ['street'] },
    ];
    writeFileSync(`${folder}/keys.json`, JSON.stringify({ keys }), { mode: 0o600 });
    const args = [SERVER, `${folder}/keys.json`, `${folder}/audit.jsonl`];
    const process_ = new WatchedProcess({ args, env: { PATH: process.env.PATH }, log: `${folder}/server.log` });
    const [, url = ''] = await process_.printed(/ready (\S+)/);
    const computer = io(`${url}/smcp`, { transports: ['websocket'], auth: { api_key: CANARIES.apiKey } });
    computer.on('client:tool_call', (_call, ack) => ack({ content: [], isError: false }));
    computer.on('client:get_tools', ({ req_id }, ack) =>
      ack({ tools: [{ name: 'echo', description: '', params_schema: {}, return_schema: null }], req_id }),
    );
    const seat = { role: 'computer', name: 'pc', office_id: 'home' };
    await new Promise<void>((resolve) => computer.emit('server:join_office', seat, () => resolve()));
    const agent = await Agent.connect({ url, office: 'home', name: 'a', apiKey: CANARIES.apiKey });
    await agent.ready();
    return new Signalling(process_, url, agent, () => computer.disconnect());
  }

  shot(random: Random): Shot {
    const kind = random.weighted({ stranger: 3, member: 5, polling: 2, bytes: 2 });
    const text = mutate(random.pick(kind === 'member' ? EVENTS : ALL), random, ALL);
    if (kind === 'member') return { text, limitMs: MEMBER_MS, fire: () => this.#sendAsMember(text) };
    if (kind === 'polling') {
      const payload = random.next() < 0.5 ? text : [text, random.pick(ALL), text].join('\u001e');
      return { text: payload, limitMs: STRANGER_MS, fire: () => this.#post(payload) };
    }
    if (kind === 'bytes') {
      const bytes = mutateBytes(frame(Buffer.from(random.pick(ALL))), random);
      return { text: bytes.toString('hex'), limitMs: STRANGER_MS, fire: () => this.#sendBytes(bytes) };
    }
    return { text, limitMs: STRANGER_MS, fire: () => this.#sendAsStranger(text) };
  }

  failures(): readonly string[] {
    return this.#leak === undefined ? [] : [this.#leak];
  }

  async end(): Promise<void> {
    this.#member?.terminate();
    await this.#agent.close();
    this.#close();
    await this.process.end();
  }

  #received(data: unknown): void {
    const text = String(data);
    if (CANARY_PATTERN.test(text)) this.#leak = `a secret was sent to an attacker: ${text.slice(0, 300)}`;
  }

  async #open(): Promise<WebSocket> {
    const socket = new WebSocket(
      `${this.#url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket&office=street`,
    );
    socket.on('error', () => {}).on('message', (data) => this.#received(data));
    await new Promise((resolve) => socket.once('message', resolve).once('close', resolve));
    return socket;
  }

  /** One message on a connection of its own, as the first one. */
  async #sendAsStranger(text: string): Promise<void> {
    const socket = await this.#open();
    const answered = new Promise((resolve) => socket.once('message', resolve).once('close', resolve));
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
    await Promise.race([answered, pause()]);
    socket.terminate();
  }

  /** One message on the connection of a member; a new one whenever the server has closed it. */
  async #sendAsMember(text: string): Promise<void> {
    if (this.#member?.readyState !== WebSocket.OPEN) {
      const socket = await this.#open();
      socket.send(`40/smcp,{"api_key":"${ATTACKER_KEY}","adapts":true}`);
      await new Promise((resolve) => socket.once('message', resolve).once('close', resolve));
      if (socket.readyState === WebSocket.OPEN) socket.send(EVENTS[0] as string);
      this.#member?.terminate();
      this.#member = socket;
    }
    if (this.#member.readyState === WebSocket.OPEN) this.#member.send(text);
    await pause();
  }

  async #post(payload: string): Promise<void> {
    const path = `${this.#url}/socket.io/?EIO=4&transport=polling&office=street`;
    const opened = await exchange(path, 'GET');
    const [, sid = 'none'] = /"sid":"([^"]+)"/.exec(opened) ?? [];
    this.#received(await exchange(`${path}&sid=${sid}`, 'POST', payload));
  }

  /** Bytes that should be a WebSocket frame. */
  async #sendBytes(bytes: Buffer): Promise<void> {
    const { hostname, port, host } = new URL(this.#url);
    const socket: Socket = connect(Number(port), hostname);
    socket.on('error', () => {}).on('data', (data) => this.#received(data));
    const key = randomBytes(16).toString('base64');
    socket.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
    socket.write(bytes);
    await Promise.race([new Promise((resolve) => socket.once('close', resolve)), pause()]);
    socket.destroy();
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, SILENCE_MS));

/** A text frame of a WebSocket client, masked with zeros. */
function frame(payload: Buffer): Buffer {
  const head =
    payload.length < 126
      ? [0x81, 0x80 | payload.length]
      : [0x81, 0x80 | 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]);
}

/** Sends an HTTP request. Resolves to the answer; to an empty text if the server ended the connection. */
function exchange(url: string, method: string, body?: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, { method, agent: false, headers: { 'Content-Type': 'text/plain;charset=UTF-8' } });
    sent.on('error', () => resolve(''));
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text));
    });
    sent.end(body);
  });
}
