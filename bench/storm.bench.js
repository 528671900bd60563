// A node ends, and its Computers come back to the others at once: the time until they are seated, the load of the
// remaining nodes, and the delay of calls in offices that were on these nodes all along.
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { start } from './load.js';
import { cpuMicroseconds, ours, rss } from './relays.js';
import { quick, table } from './table.js';

const COMPUTERS = quick(2_000, 5_000);
const CLIENT_PROCESSES = 2;
const SAMPLE_MS = 250;
const LIMIT_MS = 60_000;

/** Computers that connect as `Link` does, from one address each, with little work for the client side. */
const COMPUTERS_SCRIPT = `
  import { Backoff } from '@a2c/protocol';
  import { LINK_LIMITS } from '@a2c/link';
  import { WebSocket } from 'ws';
  const { reconnectMinMs, reconnectMaxMs } = LINK_LIMITS;
  const [lost, ...others] = process.env.NODES.split(',');
  const [from, to] = process.env.RANGE.split(',').map(Number);
  let [seated, refused, isReady] = [0, 0, false];
  let attempts = 0;
  function connect(index, url, backoff) {
    // As a Link: the Server recognises the same process, and gives it its seat back at once.
    const auth = { protocol: 'a2c-smcp', version: '0.4.0', adapts: true, instance: 'computer-' + index };
    const localAddress = '127.0.' + (1 + (index >> 7)) + '.' + (1 + (index & 127));
    const query = '/socket.io/?EIO=4&transport=websocket&office=o' + index;
    const socket = new WebSocket(url.replace('http', 'ws') + query, { perMessageDeflate: false, localAddress });
    let isSeated = false;
    socket.on('error', () => {});
    socket.on('unexpected-response', (request) => {
      refused++;
      request.destroy();
      retry();
    });
    socket.on('close', () => retry());
    let isRetried = false;
    const retry = () => {
      if (isRetried) return;
      isRetried = true;
      if (isSeated) seated--;
      const next = isSeated ? new Backoff(reconnectMinMs, reconnectMaxMs) : backoff;
      setTimeout(() => connect(index, others[index % others.length], next), next.next());
    };
    socket.on('message', (data) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send('40/smcp,' + JSON.stringify({ ...auth, attempt: attempts++ }));
      else if (text.startsWith('40')) {
        const join = { role: 'computer', name: 'pc', office_id: 'o' + index };
        socket.send('42/smcp,0' + JSON.stringify(['server:join_office', join]));
      } else if (text.startsWith('43')) {
        if (text.includes('"code"')) return socket.close();
        isSeated = true;
        if (++seated < to - from || isReady) return;
        isReady = true;
        console.log('ready -');
        setInterval(() => console.log(JSON.stringify({ seated, refused })), 50);
      } else if (text === '2') socket.send('3');
    });
  }
  for (let i = from; i < to; i++) {
    setTimeout(() => connect(i, lost, new Backoff(reconnectMinMs, reconnectMaxMs)), (i - from) * 2);
  }
`;

/** An Agent and a Computer on each remaining node, with a call every 20 ms. Prints the slowest call so far. */
const OTHER_OFFICES_SCRIPT = `
  import { io } from 'socket.io-client';
  const nodes = process.env.NODES.split(',').slice(1);
  const auth = { protocol: 'a2c-smcp', version: '0.4.0', adapts: true };
  let [calls, slowest, failed] = [0, 0, 0];
  for (const [index, url] of nodes.entries()) {
    const office_id = 'other' + index;
    const join = async (role, name) => {
      const socket = io(url + '/smcp', { transports: ['websocket'], forceNew: true, auth, query: { office: office_id } });
      await socket.emitWithAck('server:join_office', { role, name, office_id });
      return socket;
    };
    const computer = await join('computer', 'pc');
    computer.on('client:tool_call', (_call, ack) => ack({ content: [], isError: false }));
    const agent = await join('agent', 'a');
    setInterval(async () => {
      const started = performance.now();
      const call = { agent: 'a', req_id: 'r' + calls++, computer: 'pc', tool_name: 't', params: {}, timeout: 30 };
      const answer = await agent.emitWithAck('client:tool_call', call);
      if (answer.isError !== false && failed++ === 0) console.error('a call failed:', JSON.stringify(answer));
      slowest = Math.max(slowest, performance.now() - started);
    }, 20);
  }
  console.log('ready -');
  setInterval(() => console.log(JSON.stringify({ calls, slowest, failed })), 50);
`;

/**
 * A node also prints each pause of its event loop, and the CPU time that it used in it: the rest is the time in which
 * other processes had the core.
 */
const PAUSES_SCRIPT = `
  let [last, spent] = [performance.now(), process.cpuUsage()];
  setInterval(() => {
    const [now, { user, system }] = [performance.now(), process.cpuUsage(spent)];
    if (now - last > 50) console.log(JSON.stringify({ pause: now - last, cpu: (user + system) / 1_000 }));
    [last, spent] = [now, process.cpuUsage()];
  }, 10).unref();
`;

/** The longest pause of a node from now on, and the CPU time in it. */
function longestPauseOf(nodes) {
  let longest = { pause: 0, cpu: 0 };
  for (const { child } of nodes) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const printed = JSON.parse(line);
      if (printed.pause > longest.pause) longest = printed;
    });
  }
  return () => longest;
}

/** Keeps the last figures that a process printed. */
function figuresOf({ child }) {
  const latest = {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) Object.assign(latest, JSON.parse(line));
  });
  return latest;
}

const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function startNodes() {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined;
  const port = 20_000 + (process.pid % 20_000);
  const redis = spawn('redis-server', ['--port', port, '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
  await delay(1_000);
  const script = ours({ cluster: { redis: `redis://127.0.0.1:${port}` }, sharded: true, limits: {} }) + PAUSES_SCRIPT;
  return { redis, port, nodes: await Promise.all([0, 1, 2].map(() => start(script, { core: '0,1' }))) };
}

/** The memory that Redis uses for its data, in bytes. */
function redisBytes(port) {
  const { stdout } = spawnSync('redis-cli', ['-p', port, 'info', 'memory'], { encoding: 'utf8' });
  return Number(/used_memory:(\d+)/.exec(stdout)[1]);
}

export default async function bench() {
  const cluster = await startNodes();
  if (!cluster) {
    console.log('not measured: redis-server is not installed');
    return;
  }
  const { redis, port, nodes } = cluster;
  const emptyRedis = redisBytes(port);
  const [lost, ...remaining] = nodes;
  const env = { NODES: nodes.map(({ url }) => url).join(',') };
  const perProcess = COMPUTERS / CLIENT_PROCESSES;
  const clients = await Promise.all(
    Array.from({ length: CLIENT_PROCESSES }, (_, i) =>
      // Computers are on other machines: here, the nodes have priority over them.
      start(COMPUTERS_SCRIPT, {
        core: '0,1',
        isNice: true,
        env: { ...env, RANGE: `${i * perProcess},${(i + 1) * perProcess}` },
      }),
    ),
  );
  const others = await start(OTHER_OFFICES_SCRIPT, { core: '0,1', env });
  await delay(2_000);
  const seats = clients.map(figuresOf);
  const calls = figuresOf(others);
  await delay(1_000);
  const slowestBefore = calls.slowest;
  const redisPerSeat = (redisBytes(port) - emptyRedis) / COMPUTERS;

  const longestPause = longestPauseOf(remaining);
  const memoryBefore = remaining.map(({ child }) => rss(child));
  const peak = { cpu: 0, memory: 0 };
  const processes = () => [...remaining.map(({ child }) => child), redis].map(cpuMicroseconds);
  const first = processes();
  let spent = first;
  const started = performance.now();
  lost.child.kill('SIGKILL');
  const seated = () => seats.reduce((sum, each) => sum + each.seated, 0);
  let [sampledAt, seatedAfterMs, hasLost, total] = [started, Number.NaN, false, first];
  while (performance.now() - started < LIMIT_MS) {
    await delay(SAMPLE_MS / 5);
    const now = performance.now();
    hasLost ||= seated() < COMPUTERS / 2;
    if (hasLost && seated() >= COMPUTERS * 0.99) seatedAfterMs ||= now - started;
    if (now - sampledAt < SAMPLE_MS) continue;
    const current = processes();
    const used = current.map((each, i) => (each - spent[i]) / 10 / (now - sampledAt));
    peak.cpu = Math.max(peak.cpu, ...used.slice(0, remaining.length));
    if (!seatedAfterMs) total = current;
    peak.memory = Math.max(peak.memory, ...remaining.map(({ child }, i) => rss(child) - memoryBefore[i]));
    [spent, sampledAt] = [current, now];
    if (seatedAfterMs && now - started > seatedAfterMs + 3_000) break;
  }
  table([
    {
      'Computers that lose their node': COMPUTERS,
      '99 % seated after, s': (seatedAfterMs / 1_000).toFixed(1),
      'refused attempts': seats.reduce((sum, { refused }) => sum + refused, 0),
      'peak CPU of a node, % of a core': peak.cpu.toFixed(0),
      'memory of a node, MB more': peak.memory.toFixed(0),
      'calls of other offices': calls.calls,
      'of these failed': calls.failed,
      'slowest before, ms': slowestBefore.toFixed(0),
      'slowest, ms': calls.slowest.toFixed(0),
      target: 'slowest ≤ 1000',
    },
  ]);
  const { pause, cpu } = longestPause();
  table([
    {
      'longest pause of a node': 'from one turn of its event loop to the next',
      'pause, ms': pause.toFixed(0),
      'CPU time of the node in it, ms': cpu.toFixed(0),
      'other processes had the core, ms': Math.max(0, pause - cpu).toFixed(0),
    },
  ]);
  const perReturn = total.map((each, i) => (each - first[i]) / COMPUTERS);
  const redisCpu = perReturn.pop();
  table([
    {
      'per Computer that returns': 'handshake and join',
      'CPU of a node, ms': (perReturn.reduce((sum, each) => sum + each, 0) / 1_000).toFixed(2),
      'CPU of Redis, ms': (redisCpu / 1_000).toFixed(3),
      'memory of Redis per seat, bytes': redisPerSeat.toFixed(0),
    },
  ]);
  for (const { child } of [...nodes, ...clients, others]) child.kill();
  redis.kill();
}
