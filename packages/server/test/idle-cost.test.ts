import { get } from 'node:http';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { echo, joinOn } from './cluster.js';
import { ask, newCall, until } from './harness.js';
import { startScript } from './processes.js';

/**
 * A server in a process of its own. `GET /` returns the turns of its event loop and the writes to sockets so far, and
 * its live memory.
 */
const SERVER = `
  import { createServer as createHttpServer } from 'node:http';
  import { Socket } from 'node:net';
  import { allowAnonymous, createServer } from '@a2c/server';
  const { write } = Socket.prototype;
  let writes = 0;
  Socket.prototype.write = function (...args) { writes++; return write.apply(this, args); };
  const http = createHttpServer(async (request, response) => {
    const turns = performance.nodeTiming.uvMetricsInfo.loopCount;
    for (let i = 0; i < 5; i++) { await new Promise(setImmediate); gc(); }
    response.end(JSON.stringify({ turns, writes, bytes: process.memoryUsage().heapUsed }));
  });
  const limits = { connectionsPerAddress: 1e9, handshakesPerSecond: 1e9, callsPerSecond: 1e9, officeCallsPerSecond: 1e9 };
  await createServer({ http, authenticate: allowAnonymous, logger: { debug() {}, info() {}, warn() {}, error() {} }, limits });
  http.listen(0, '127.0.0.1', () => console.log('ready http://127.0.0.1:' + http.address().port));`;

const startServer = () => startScript(SERVER, ['--expose-gc']);

function costOf(url: string): Promise<{ turns: number; writes: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(JSON.parse(text)));
    }).on('error', reject);
  });
}

/** Connects Computers, one after the other. Sends nothing else. */
async function connect(url: string, count: number): Promise<readonly WebSocket[]> {
  const sockets: WebSocket[] = [];
  for (let i = 0; i < count; i++) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
    const join = JSON.stringify(['server:join_office', { role: 'computer', name: `pc${i}`, office_id: `o${i % 50}` }]);
    let isSeated = false;
    socket.on('message', (data) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send('40/smcp,');
      else if (text.startsWith('40/smcp')) socket.send(`42/smcp,0${join}`);
      else if (text.startsWith('43/smcp')) isSeated = true;
    });
    sockets.push(socket);
    if (i % 50 === 49) await until(() => isSeated);
  }
  return sockets;
}

verifies('COST-IDLE-01', 'an idle member keeps little more memory than a socket of Socket.IO, 10.4 KB', async () => {
  const { url } = await startServer();
  for (const socket of await connect(url, 150)) socket.terminate(); // compiles code
  const before = await costOf(url);
  const count = 300;
  const sockets = await connect(url, count);
  const after = await costOf(url);
  for (const socket of sockets) socket.terminate();
  expect((after.bytes - before.bytes) / count).toBeLessThan(12_500);
});

verifies('COST-TURN-01', 'a call takes two turns of the event loop: one per message that arrives', async () => {
  const { url } = await startServer();
  echo(await joinOn({ url }, 'computer', 'pc', 'o'));
  const agent = await joinOn({ url }, 'agent', 'a', 'o');
  const call = () => ask(agent, 'client:tool_call', newCall());
  for (let i = 0; i < 20; i++) await call();
  const before = await costOf(url);
  const count = 200;
  for (let i = 0; i < count; i++) await call();
  const after = await costOf(url);
  expect((after.turns - before.turns) / count).toBeLessThan(2.6);
});

verifies(
  'COST-TURN-02',
  'many calls of one turn leave in parts, so that the Computer begins before all are read',
  async () => {
    const { url } = await startServer();
    echo(await joinOn({ url }, 'computer', 'pc', 'o'));
    const agent = await joinOn({ url }, 'agent', 'a', 'o');
    await ask(agent, 'client:tool_call', newCall());
    const before = await costOf(url);
    const count = 256;
    await Promise.all(Array.from({ length: count }, () => ask(agent, 'client:tool_call', newCall())));
    const after = await costOf(url);
    const messages = 2 * count;
    expect(after.writes - before.writes).toBeGreaterThanOrEqual(messages / 16);
  },
);
