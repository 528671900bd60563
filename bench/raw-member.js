// Members of an office written by hand on TCP sockets, so that the server is the bottleneck of a measurement: a client
// of Socket.IO uses more CPU time per call than the server.
import { once } from 'node:events';
import { connect } from 'node:net';

/** What the clients of a2c declare. */
export const AUTH = { protocol: 'a2c-smcp', version: '0.4.0', adapts: true };
/** The same byte four times: a masked text is the same at every position. Not zero: servers skip such a mask. */
const MASK = 0x5a;
const [TEXT, ACK, EVENT] = [0x81, '43/smcp,', '42/smcp,'];
const ZERO = 0x30;

function masked(text) {
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i++) bytes[i] ^= MASK;
  return bytes;
}

/** The header of a frame of a client. */
function header(length) {
  const bytes = Buffer.alloc(length < 126 ? 6 : length < 2 ** 16 ? 8 : 14, MASK);
  bytes[0] = TEXT;
  if (length < 126) bytes[1] = 0x80 | length;
  else if (length < 2 ** 16) {
    bytes[1] = 0x80 | 126;
    bytes.writeUInt16BE(length, 2);
  } else {
    bytes[1] = 0x80 | 127;
    bytes.writeBigUInt64BE(BigInt(length), 2);
  }
  return bytes;
}

/** Calls `onFrame` with the payload of each frame of a server. */
function readFrames(socket, onFrame) {
  let parts = [];
  let [received, needed] = [0, 0];
  socket.on('data', (chunk) => {
    parts.push(chunk);
    received += chunk.length;
    if (received < needed) return;
    const bytes = parts.length === 1 ? chunk : Buffer.concat(parts);
    let at = 0;
    needed = 0;
    while (bytes.length - at >= 2) {
      const short = bytes[at + 1];
      const from = at + (short < 126 ? 2 : short === 126 ? 4 : 10);
      if (bytes.length < from) break;
      const length =
        short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
      if (bytes.length < from + length) {
        needed = from + length - at;
        break;
      }
      onFrame(bytes.subarray(from, from + length));
      at = from + length;
    }
    parts = at === bytes.length ? [] : [bytes.subarray(at)];
    received = bytes.length - at;
  });
}

/** The number that follows the namespace: the id of the acknowledgement. */
function idOf(frame) {
  let id = 0;
  for (let at = ACK.length; frame[at] >= ZERO && frame[at] < ZERO + 10; at++) id = id * 10 + frame[at] - ZERO;
  return id;
}

/** Connects and joins. Returns a function that sends a text, whose end may be masked in advance. */
async function join(url, office, role, name, onFrame) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const key = Buffer.alloc(16, 1).toString('base64');
  socket.write(
    `GET /socket.io/?EIO=4&transport=websocket&office=${office} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\n` +
      `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  const [response] = await once(socket, 'data');
  const end = response.indexOf('\r\n\r\n') + 4;
  if (!response.subarray(0, end).toString().startsWith('HTTP/1.1 101')) throw new Error(String(response));
  let isCorked = false;
  const send = (text, body) => {
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      setImmediate(() => {
        isCorked = false;
        socket.uncork();
      });
    }
    const start = masked(text);
    socket.write(Buffer.concat([header(start.length + (body?.length ?? 0)), start]));
    if (body) socket.write(body);
  };
  await new Promise((resolve) => {
    readFrames(socket, (frame) => {
      const text = frame.toString('latin1', 0, 8);
      if (text.startsWith('0')) send(`40/smcp,${JSON.stringify(AUTH)}`);
      else if (text === '2') send('3');
      else if (text.startsWith('40/smcp'))
        send(`${EVENT}0${JSON.stringify(['server:join_office', { role, name, office_id: office }])}`);
      else if (text === ACK && idOf(frame) === 0) resolve();
      else onFrame(frame, send);
    });
    if (response.length > end) socket.unshift(response.subarray(end));
  });
  return { send, socket };
}

/** An Agent, and its function that calls the tool of a Computer for a result of this size. */
export async function rawAgent(url, office) {
  const pending = new Map();
  const { send, socket } = await join(url, office, 'agent', 'a', (frame) => {
    const id = idOf(frame);
    const { resolve, reject } = pending.get(id) ?? {};
    pending.delete(id);
    if (frame.toString('latin1', frame.length - 18).includes('"isError":false')) resolve?.();
    else reject?.(new Error(frame.toString('utf8', 0, 500)));
  });
  let id = 0;
  const call = (size = 150) =>
    new Promise((resolve, reject) => {
      pending.set(++id, { resolve, reject });
      const params = { text: 'y'.repeat(80), size };
      const payload = { agent: 'a', req_id: `r${id}`, computer: 'pc', tool_name: 't', params, timeout: 30 };
      send(`${EVENT}${id}["client:tool_call",${JSON.stringify(payload)}]`);
    });
  return { call, close: () => socket.destroy() };
}

/** A Computer that answers each call with as much text as it asks for. */
export async function rawComputer(url, office) {
  const results = {};
  const resultOf = (size) =>
    (results[size] ??= masked(`[{"content":[{"type":"text","text":"${'x'.repeat(size)}"}],"isError":false}]`));
  await join(url, office, 'computer', 'pc', (frame, send) => {
    const at = frame.indexOf('"size":') + '"size":'.length;
    send(`${ACK}${idOf(frame)}`, resultOf(Number.parseInt(frame.toString('latin1', at, at + 8), 10)));
  });
}
