// An MCP server that tries to leave its sandbox: it reads, writes and connects where it is asked to.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const TRIES = {
  read: ({ path }) => readFileSync(path, 'utf8'),
  list: ({ path }) => readdirSync(path).join(' '),
  descriptors: () =>
    readdirSync('/proc/self/fd')
      .filter((descriptor) => descriptor > 2 && !isOwn(descriptor))
      .map((descriptor) => `${descriptor} ${targetOf(descriptor)}`)
      .join('\n'),
  write: ({ path }) => {
    writeFileSync(path, 'written');
    return 'written';
  },
  run: ({ file, args }) => {
    const { status, signal, stdout } = spawnSync(file, args, { encoding: 'utf8' });
    return `${status ?? signal} ${stdout}`;
  },
  connect: ({ port }) =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve('connected'));
      socket.once('error', reject).once('close', () => {});
    }),
};

/** Node marks what it opens itself: the flag O_CLOEXEC. */
function isOwn(descriptor) {
  try {
    const [, flags] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'));
    return (Number.parseInt(flags, 8) & 0o2000000) !== 0;
  } catch {
    return true; // The descriptor of the list itself.
  }
}

function targetOf(descriptor) {
  return readlinkSync(`/proc/self/fd/${descriptor}`);
}

const object = { type: 'object', properties: {}, additionalProperties: true };
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'prisoner', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: Object.keys(TRIES).map((name) => ({ name, inputSchema: object })) }),
  'tools/call': async ({ name, arguments: given }) => {
    try {
      return { content: [{ type: 'text', text: await TRIES[name](given) }] };
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: error.code ?? error.message }] };
    }
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const reply = answer ? { result: await answer(params) } : { error: { code: -32601, message: 'no such method' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
}
process.exit(0);
