import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { ask, CALL, dial, type RawSocket, settle, until } from './harness.js';
import { dice, FRAMES, NAMES, PAYLOADS } from './hostile-packets.js';
import { startScript } from './processes.js';

/** `npm run fuzz` sends mutated messages, and more of them. */
const SEED = 1;
const PACKETS = 12_000;
const FRAMES_SENT = 500;
/** How much memory may grow: 100 bytes per packet. The heap alone varies by almost half of it. */
const MAX_GROWTH = 1.2 * 2 ** 20;
/** The timeout of an honest Agent's calls, in seconds. */
const HONEST_TIMEOUT = 10;

/** A server in a process of its own. It answers HTTP requests with its memory after a garbage collection. */
const SERVER = `
  import { createServer as createHttpServer } from 'node:http';
  import { allowAnonymous, createServer } from '@a2c/server';
  const errors = [];
  const http = createHttpServer(async (request, response) => {
    for (let i = 0; i < 3; i++) { await new Promise(setImmediate); gc(); }
    const { heapUsed, external } = process.memoryUsage();
    response.end(JSON.stringify({ bytes: heapUsed + external, metrics: await server.metrics.text(), errors }));
  });
  const HUGE = 1e9;
  const server = await createServer({
    http,
    authenticate: allowAnonymous,
    logger: { debug() {}, info() {}, warn() {}, error: (fields, message) => errors.push(message) },
    limits: {
      eventsPerSecond: HUGE, callsPerSecond: HUGE, officeCallsPerSecond: HUGE, refusalsBeforeDisconnect: HUGE,
      connectionsPerAddress: HUGE, handshakesPerSecond: HUGE, timeoutMs: 10_000, queryTimeoutMs: 1_000,
    },
  });
  http.listen(0, '127.0.0.1', () => console.log('ready http://127.0.0.1:' + http.address().port));`;

interface State {
  readonly bytes: number;
  readonly metrics: string;
  readonly errors: readonly string[];
}

const stateOf = async (url: string): Promise<State> => (await (await fetch(url)).json()) as State;

/** Sends hostile packets from all attackers in turn. Resolves when all that expect an acknowledgement have it. */
async function attack(attackers: readonly RawSocket[], packets: number, seed: number, meanwhile: () => Promise<void>) {
  const roll = dice(seed);
  let asked = 0;
  let answered = 0;
  const ack = () => {
    answered++;
  };
  for (let i = 0; i < packets; i++) {
    const attacker = attackers[i % attackers.length] as RawSocket;
    const extra = roll(4) === 0 ? ['extra', { more: 1 }] : [];
    const args = [PAYLOADS[roll(PAYLOADS.length)], ...extra];
    if (roll(3) > 0) {
      asked++;
      args.push(ack);
    }
    attacker.emit(NAMES[roll(NAMES.length)] as string, ...args);
    if (i % 200 === 0) await meanwhile();
  }
  await until(() => answered === asked, 60_000).catch(() => {
    throw new Error(`${asked - answered} of ${asked} packets were not answered`);
  });
  return { asked, answered };
}

/** Sends malformed frames, on a new connection whenever the server has closed the last one. */
async function sendFrames(url: string, count: number, seed: number): Promise<void> {
  const roll = dice(seed);
  let socket: WebSocket | undefined;
  for (let i = 0; i < count; i++) {
    if (socket?.readyState !== WebSocket.OPEN) {
      socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
      const opened: WebSocket = socket;
      onTestFinished(() => opened.terminate());
      await new Promise((resolve, reject) => opened.once('message', resolve).once('error', reject));
      opened.send('40/smcp,');
    }
    socket.send(FRAMES[roll(FRAMES.length)] as string | Buffer);
    if (i % 5 === 0) await settle(2);
  }
  socket?.terminate();
}

describe('hostile packets', () => {
  verifies(
    'SRV-FUZZ-01',
    `${PACKETS} of them are answered, memory does not grow, and calls of other members succeed`,
    async () => {
      const { url, child } = await startScript(SERVER, ['--expose-gc', '--max-old-space-size=64']);
      const agent = await dial(url);
      const computer = await dial(url);
      await ask(agent, 'server:join_office', { role: 'agent', name: 'a', office_id: 'o' });
      await ask(computer, 'server:join_office', { role: 'computer', name: 'pc', office_id: 'o' });
      computer.on('client:tool_call', (_request, ack) => ack({ content: [], isError: false }));
      const honest = async () => {
        const answer = await ask(agent, 'client:tool_call', { ...CALL, timeout: HONEST_TIMEOUT });
        expect(answer).toEqual([{ content: [], isError: false }]);
      };
      const attackers = await Promise.all(Array.from({ length: 10 }, () => dial(url)));

      // The first attack fills caches and compiles hot code; the second one is measured.
      await attack(attackers, PACKETS / 4, SEED, honest);
      await sendFrames(url, FRAMES_SENT, SEED + 1);
      const before = await stateOf(url);
      const { asked, answered } = await attack(attackers, PACKETS, SEED + 2, honest);
      await sendFrames(url, FRAMES_SENT, SEED + 3);
      await honest();
      await until(() => attackers.every(({ connected }) => connected));
      const after = await stateOf(url);

      expect(answered).toBe(asked);
      expect(asked).toBeGreaterThan(PACKETS / 2);
      expect(after.bytes - before.bytes).toBeLessThan(MAX_GROWTH);
      expect(after.metrics).toMatch(/^a2c_calls_in_flight 0$/m);
      expect(after.errors).toEqual([]);
      expect(child.exitCode).toBeNull();
    },
    { timeout: 1_800_000 },
  );
});
