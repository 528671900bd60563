import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { ask, CALL, dial, type RawSocket, settle, until } from './harness.js';
import { dice, FRAMES, NAMES, PAYLOADS } from './hostile-packets.js';
import { startScript } from './processes.js';

const PACKETS = 20_000;
const FRAMES_SENT = 500;
/** What the server may hold more after them than before: 100 bytes per packet. Its heap alone swings by a quarter of it. */
const MAX_GROWTH = 2 * 2 ** 20;
/** How long an honest Agent may wait for an answer meanwhile. */
const IN_TIME_MS = 2_000;

/** A server alone in its process, which tells what it holds after everything that can be freed is. */
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
      connectionsPerAddress: HUGE, handshakesPerSecond: HUGE, timeoutMs: 1_000, queryTimeoutMs: 1_000,
    },
  });
  http.listen(0, '127.0.0.1', () => console.log('ready http://127.0.0.1:' + http.address().port));`;

interface State {
  readonly bytes: number;
  readonly metrics: string;
  readonly errors: readonly string[];
}

const stateOf = async (url: string): Promise<State> => (await (await fetch(url)).json()) as State;

/** Sends hostile packets from all attackers in turn; resolves when every one that asked for an answer has got it. */
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
  await until(() => answered === asked, 20_000).catch(() => {
    throw new Error(`${asked - answered} of ${asked} packets were not answered`);
  });
  return { asked, answered };
}

/** Sends frames by hand, on a new connection whenever the last one was closed for them. */
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
    `${PACKETS} later each has its answer, memory is where it was, and honest peers never waited`,
    async () => {
      const { url, child } = await startScript(SERVER, ['--expose-gc']);
      const agent = await dial(url);
      const computer = await dial(url);
      await ask(agent, 'server:join_office', { role: 'agent', name: 'a', office_id: 'o' });
      await ask(computer, 'server:join_office', { role: 'computer', name: 'pc', office_id: 'o' });
      computer.on('client:tool_call', (_request, ack) => ack({ content: [], isError: false }));
      const honest = async () => {
        const answer = await ask(agent, 'client:tool_call', { ...CALL, timeout: 1 }, IN_TIME_MS);
        expect(answer).toEqual([{ content: [], isError: false }]);
      };
      const attackers = await Promise.all(Array.from({ length: 10 }, () => dial(url)));

      // Once to fill caches and compile what is hot; then it counts.
      await attack(attackers, PACKETS, 1, honest);
      await sendFrames(url, FRAMES_SENT, 2);
      const before = await stateOf(url);
      const { asked, answered } = await attack(attackers, PACKETS, 3, honest);
      await sendFrames(url, FRAMES_SENT, 4);
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
    { timeout: 120_000 },
  );
});
