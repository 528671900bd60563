// The same work through a2c and through what people use instead, in one run: one MCP server on stdio behind doors for
// HTTP, a call through an office, and one call by a command.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { io } from 'socket.io-client';
import { httpClient, post } from './http-load.js';
import { freePort, residentBytes, slice } from './load.js';
import { DOORS, install, ONE_SHOT, RAW, RELAYS } from './peers.js';
import { median, quick, spread, table } from './table.js';

const ROUNDS = quick(2, 9);
const SLICE_MS = quick(100, 300);
const IN_FLIGHT = 32;
const START_MS = 20_000;
const CALL_MS = 10_000;
const ONE_SHOT_RUNS = quick(1, 7);
const AUTH = { protocol: 'a2c-smcp', version: '0.4.0' };

export default async function bench() {
  const home = mkdtempSync(join(tmpdir(), 'a2c-bench-'));
  const config = join(home, 'mcp.json');
  const [command, ...args] = RAW;
  writeFileSync(config, JSON.stringify({ mcpServers: { raw: { command, args } } }));
  const sizes = new Map();
  const installed = (peer) => {
    const key = `${peer.name}, ${peer.from}`;
    if (!sizes.has(key)) sizes.set(key, install(peer));
    return sizes.get(key);
  };
  const context = { home, config, installed };
  table(await compare(DOORS, { ...context, connect: throughDoor }));
  console.log();
  table(await compare(RELAYS, { ...context, connect: throughOffice }));
  console.log();
  table(oneShot(context));
  rmSync(home, { recursive: true, force: true });
}

/** Starts all programs, then measures short slices of all of them in turn, so that other load affects all alike. */
async function compare(peers, context) {
  const sides = [];
  for (const peer of peers) sides.push(await started(peer, context));
  const measured = sides.filter(({ measure }) => measure);
  for (const { measure } of measured) await measure(IN_FLIGHT, 3 * SLICE_MS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of round % 2 === 0 ? measured : measured.toReversed()) {
      side.alone.push((await side.measure(1, SLICE_MS)).p50);
      side.crowd.push((await side.measure(IN_FLIGHT, SLICE_MS)).perSecond);
    }
  }
  return sides.map((side) => {
    const row = rowOf(side, measured[0]);
    side.close?.();
    return row;
  });
}

/** The programs run in process groups of their own, so that what they started ends with them, also after Ctrl-C. */
const running = new Set();
process.on('exit', () => {
  for (const pid of running) end(pid);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

function end(pid) {
  running.delete(pid);
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // It has ended already.
  }
}

/** A running program with a client, or the reason why there is none. */
async function started(peer, { installed, connect, config, home }) {
  const { missing, version, megabytes } = installed(peer);
  const side = { title: titleOf(peer, version), megabytes, missing };
  if (missing) return side;
  const port = await freePort();
  const [command, ...args] = peer.command(port, config);
  const began = performance.now();
  const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, A2C_HOME: home }, detached: true });
  const close = () => child.pid && end(child.pid);
  if (child.pid) running.add(child.pid);
  child.on('error', () => {});
  for (let failure; ; await delay(10)) {
    if (child.exitCode !== null || performance.now() - began > START_MS) {
      if (child.exitCode === null) close();
      else running.delete(child.pid);
      return { ...side, missing: `does not answer: ${String(failure?.message).slice(0, 80)}` };
    }
    try {
      const client = await connect(port);
      const startMs = performance.now() - began;
      return { ...side, ...client, child, startMs, alone: [], crowd: [], close: () => [client.close(), close()] };
    } catch (error) {
      failure = error;
    }
  }
}

const titleOf = ({ title, name, from, spec }, version = '') =>
  spec ? `${title ?? name} ${version} (${from})` : (title ?? name);

function rowOf({ title, missing, megabytes = '–', ...side }, first) {
  const rate = side.crowd ? median(side.crowd) : 0;
  return {
    program: missing ? `${title}: ${missing}` : title,
    'start to answer, ms': missing ? '–' : side.startMs.toFixed(0),
    'p50 at 1 in flight, ms': missing ? '–' : median(side.alone).toFixed(2),
    'calls/s at 32 in flight': missing ? '–' : rate.toFixed(0),
    'from, to': missing ? '–' : spread(side.crowd, 0),
    'a2c is faster by': missing ? '–' : (median(first.crowd) / rate).toFixed(2),
    ...(first.tokens !== undefined && { 'tokens at start': side.tokens ?? '–' }),
    'memory, MB': missing ? '–' : (residentBytes(side.child.pid) / 2 ** 20).toFixed(0),
    'installed, MB': megabytes,
  };
}

async function throughDoor(port) {
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const client = httpClient(url, IN_FLIGHT);
  const headers = {};
  const request = (id, method, params = {}) => post(url, { jsonrpc: '2.0', id, method, params }, headers);
  const ask = async (...message) => resultIn(await client.send(request(...message)));
  try {
    const clientInfo = { name: 'bench', version: '1' };
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const answer = await client.send(request(1, 'initialize', hello));
    headers['mcp-protocol-version'] = resultIn(answer).protocolVersion;
    const session = /\r\nmcp-session-id: (\S+)/i.exec(answer)?.[1];
    if (session) headers['mcp-session-id'] = session;
    await client.send(post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers));
    const { tools } = await ask(2, 'tools/list');
    const echo = tools.find(({ name }) => /(^|_)echo$/.test(name));
    const args = { message: 'hello' };
    const params = echo
      ? { name: echo.name, arguments: args }
      : { name: 'exec', arguments: { server_name: 'raw', tool_name: 'echo', arguments: args } };
    await ask(3, 'tools/call', params);
    const requests = (index) => request(index + 10, 'tools/call', params);
    const measure = (inFlight, ms) => client.slice(requests, inFlight, ms);
    return { measure, tokens: countTokens(JSON.stringify(tools)), close: () => client.close() };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** The result in a response: JSON, or the last event of a stream. */
function resultIn(response) {
  const json = /^(?:data: ?)?(\{.*"result".*\})\r?$/m.exec(response)?.[1];
  const { result } = JSON.parse(json ?? '{}');
  if (!result || result.isError) throw new Error(response.slice(0, 300));
  return result;
}

/** An Agent and a Computer without an SDK, the same for both servers. */
async function throughOffice(port) {
  const sockets = ['computer', 'agent'].map((role) => {
    const options = { forceNew: true, transports: ['websocket'], reconnection: false, auth: AUTH };
    return { role, socket: io(`http://127.0.0.1:${port}/smcp`, { ...options, query: { a2c_version: AUTH.version } }) };
  });
  const close = () => {
    for (const { socket } of sockets) socket.disconnect();
  };
  try {
    for (const { role, socket } of sockets) {
      await connected(socket);
      const seat = { role, name: role, office_id: 'bench' };
      const [joined, why] = [await socket.timeout(5_000).emitWithAck('server:join_office', seat)].flat();
      if (joined === false) throw new Error(why);
    }
    const [{ socket: computer }, { socket: agent }] = sockets;
    computer.on('client:tool_call', ({ params }, ack) => ack({ content: [{ type: 'text', text: params.message }] }));
    let id = 0;
    const call = async () => {
      const payload = { agent: 'agent', req_id: `r${id++}`, computer: 'computer', tool_name: 'echo', timeout: 30 };
      const result = await agent
        .timeout(CALL_MS)
        .emitWithAck('client:tool_call', { ...payload, params: { message: 'hello' } });
      if (!result.content || result.isError) throw new Error(JSON.stringify(result));
    };
    await call();
    return { measure: (inFlight, ms) => slice(call, inFlight, ms), close };
  } catch (error) {
    close();
    throw error;
  }
}

function connected(socket) {
  if (socket.connected) return undefined;
  return new Promise((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
}

function oneShot({ home, config, installed }) {
  const env = { ...process.env, A2C_HOME: home };
  const rows = ONE_SHOT.map((peer) => {
    const { missing, version, megabytes = '–' } = installed(peer);
    return { peer, missing, title: titleOf(peer, version), megabytes, times: [] };
  });
  for (let round = 0; round < ONE_SHOT_RUNS; round++) {
    for (const row of rows.filter(({ missing }) => !missing)) {
      const [command, ...args] = row.peer.command(config);
      const began = performance.now();
      const { stdout } = spawnSync(command, args, { env, encoding: 'utf8', timeout: START_MS });
      if (stdout?.includes('hello')) row.times.push(performance.now() - began);
      else row.missing = 'does not answer';
    }
  }
  const first = median(rows[0].times);
  return rows.map(({ title, missing, times, megabytes }) => ({
    command: missing ? `${title}: ${missing}` : title,
    'one call, start to end, ms': missing ? '–' : median(times).toFixed(0),
    'from, to': missing ? '–' : spread(times, 0),
    'a2c is faster by': missing ? '–' : (median(times) / first).toFixed(2),
    'installed, MB': megabytes,
  }));
}
