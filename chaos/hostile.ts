import { randomBytes } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { io } from 'socket.io-client';
import { COMPUTERS, OFFICES } from './members.js';
import { INTRUDER_KEY } from './system.js';

/** Attackers have an address of their own, so that limits for one address do not meet honest members. */
const ADDRESS = '127.0.0.66';
const EVERY_MS = 50;

const UPGRADE = `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`;
const post = (body: string) =>
  `POST /socket.io/?EIO=4&transport=polling&sid=none HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** A WebSocket frame of a client, masked with zeros. */
function frame(payload: Buffer, opcode: number, statedLength = payload.length): Buffer {
  const head = Buffer.alloc(14);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(statedLength), 2);
  return Buffer.concat([head, payload]);
}

const text = (packet: string) => frame(Buffer.from(packet), 1);

/** What strangers send, after a WebSocket handshake where the first part is one. */
const RAW: readonly (() => readonly (string | Buffer)[])[] = [
  () => [randomBytes(4_096)],
  () => [`GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(60_000)}\r\n\r\n`],
  () => [post('40/smcp,{"api_key":"wrong"}\u001e'.repeat(20_000))],
  () => [UPGRADE, text('451-["x",{"_placeholder":true,"num":0}]'), frame(Buffer.alloc(60_000), 2)],
  () => [UPGRADE, text('40/smcp,{"api_key":"wrong"}'), text('42/smcp,0["server:join_office",{}]')],
  () => ['POST /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le'],
  () => [UPGRADE, frame(Buffer.alloc(100), 2, 2 ** 40)],
  () => [UPGRADE, text(`40/smcp,${'['.repeat(50_000)}`)],
];

/** Sends hostile packets for a time: of a stranger, or of a member of another office. */
export async function sendHostilePackets(port: number, ms: number, variant: number): Promise<void> {
  const raw = RAW[variant];
  if (raw) await sendRaw(port, ms, raw);
  else await intrude(port, ms);
}

async function sendRaw(port: number, ms: number, parts: () => readonly (string | Buffer)[]): Promise<void> {
  const open = new Set<Socket>();
  const timer = setInterval(() => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: ADDRESS });
    open.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
    socket.resume();
    const [first = '', ...rest] = parts();
    socket.write(first);
    socket.once('data', () => {
      for (const part of rest) socket.write(part);
    });
  }, EVERY_MS);
  await new Promise((resolve) => setTimeout(resolve, ms));
  clearInterval(timer);
  for (const socket of open) socket.destroy();
}

/** An identity of another office tries to take seats, to call, and to cancel. All of it must be refused. */
async function intrude(port: number, ms: number): Promise<void> {
  const agent = new HttpAgent({ localAddress: ADDRESS });
  const socket = io(`http://127.0.0.1:${port}/smcp`, {
    forceNew: true,
    reconnection: false,
    transports: ['websocket'],
    auth: { api_key: INTRUDER_KEY },
    query: { office: 'street', role: 'agent' },
    agent: agent as unknown as string, // Node's WebSocket accepts an agent object
  });
  socket.on('connect', () =>
    socket.emit('server:join_office', { role: 'agent', name: 'intruder', office_id: 'street' }),
  );
  let count = 0;
  const timer = setInterval(() => {
    count++;
    for (const [office, { agent: name }] of Object.entries(OFFICES)) {
      socket.volatile.emit('server:join_office', { role: 'agent', name, office_id: office });
      socket.volatile.emit('server:tool_call_cancel', { agent: name, req_id: `${name}.${count}` });
    }
    for (const computer of COMPUTERS) {
      const params = { id: `intruder.${port}.${count}`, agent: 'intruder' };
      const call = { agent: 'ada', req_id: `intruder.${count}`, computer, tool_name: 'work', params, timeout: 2 };
      socket.volatile.emit('client:tool_call', call);
      socket.volatile.emit('server:join_office', { role: 'computer', name: computer, office_id: 'red' });
    }
  }, EVERY_MS);
  await new Promise((resolve) => setTimeout(resolve, ms));
  clearInterval(timer);
  socket.disconnect();
  agent.destroy();
}
