// A server over stdio without the SDK, to behave oddly; starts in the time Node takes. Tools: echo {text}, pid {}, big
// {bytes}.
//   node odd.mjs [BEHAVIOUR…]
//     ignore-eof       goes on when stdin closes
//     ignore-sigterm   ... and when asked to end
//     grandchild       starts a process that sleeps, ignores stdin, and holds stdout open; its id is on stderr
//     stubborn-grandchild  the same, and it ignores SIGTERM
//     noisy            writes 3 MB to stderr before it reads anything
//     junk             prints lines that are not JSON-RPC, blank lines, and ends lines with CRLF
//     exit=CODE        ends at once
//     die-in-call      ends with code 3 in the middle of a call
//     silent           never answers anything
//     late=MS          answers calls that much later
//     no-discover      ends when it is asked for the newer generation
//     mute-discover    does not answer when asked for it
//     extra-keys       puts keys of its own beside result
//     null-error       puts error: null beside result
//     bad-answer       answers calls with something that is no JSON-RPC
//     text-ids         answers calls with the id as text, twice, and once with an id that no one sent
//     batch            sends every answer in an array together with a notification
//     no-newline       ends right after the last answer, without a line feed
//     encoding=NAME    utf-16le, utf-16be or latin1 on both pipes
//     broken-text      puts a byte that is not UTF-8 into every echoed text
//     oversized-request  sends a request of 2 MB with id 1 before it answers a call
//     slow-reader      does not read stdin for half a second
import { spawn } from 'node:child_process';

const behaviours = process.argv.slice(2);
const is = (name) => behaviours.includes(name);
const value = (name) => behaviours.find((one) => one.startsWith(`${name}=`))?.split('=')[1];
const encoding = value('encoding') ?? 'utf8';

if (value('exit') !== undefined) {
  console.error('cannot find my key');
  process.exit(Number(value('exit')));
}
if (is('ignore-sigterm')) process.on('SIGTERM', () => {});
if (is('ignore-eof') || is('ignore-sigterm')) setInterval(() => {}, 1_000);
if (is('noisy')) process.stderr.write(`${'noise '.repeat(16)}\n`.repeat(32_000));
if (is('grandchild') || is('stubborn-grandchild')) {
  const trap = is('stubborn-grandchild') ? "trap '' TERM HUP; " : '';
  // sleep in the background and wait, so that the shell can follow a signal at once.
  const grandchild = spawn('/bin/sh', ['-c', `${trap}while :; do sleep 1 & wait; done`], {
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  console.error(`grandchild ${grandchild.pid}`);
}
if (is('junk')) process.stdout.write('Starting…\r\n\r\n   \n[1, "x"]\n{"jsonrpc": "2.0"}\n');

let input = Buffer.alloc(0);
if (is('slow-reader')) setTimeout(read, 500);
else read();

function read() {
  process.stdin.on('data', (chunk) => {
    input = Buffer.concat([input, chunk]);
    const text = decode(input);
    const end = text.lastIndexOf('\n');
    if (end < 0) return;
    input = encode(text.slice(end + 1));
    for (const line of text.slice(0, end).split('\n')) onMessage(JSON.parse(line));
  });
}

function onMessage({ id, method, params }) {
  if (method === 'server/discover' && is('no-discover')) process.exit(1);
  if (id === undefined || is('silent') || (method === 'server/discover' && is('mute-discover'))) return;
  if (method === 'initialize') {
    const { protocolVersion } = params;
    answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } });
  } else if (method === 'tools/list') {
    answer(id, { tools: ['echo', 'pid', 'big'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
  } else if (method === 'ping') answer(id, {});
  else if (method === 'tools/call') setTimeout(call, Number(value('late') ?? 0), id, params);
  else send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
}

function call(id, { name, arguments: given }) {
  if (is('die-in-call')) process.exit(3);
  if (is('oversized-request')) send({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(2_000_000) } });
  if (is('bad-answer')) return send({ jsonrpc: '2.0', id, result: 'done' });
  const texts = { echo: given?.text, pid: String(process.pid), big: 'x'.repeat(given?.bytes ?? 0) };
  const result = { content: [{ type: 'text', text: texts[name] }] };
  if (is('text-ids')) for (const odd of ['unknown', String(id), String(id)]) answer(odd, result);
  else answer(id, result);
  if (is('no-newline')) process.stdout.write('', () => process.exit(0));
}

function answer(id, result) {
  const message = { jsonrpc: '2.0', id, result };
  if (is('extra-keys')) Object.assign(message, { took: 1, server: 'odd' });
  if (is('null-error')) Object.assign(message, { error: null });
  send(
    is('batch')
      ? [{ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }, message]
      : message,
  );
}

function send(message) {
  const line = JSON.stringify(message);
  let bytes = encode(is('no-newline') && message.result?.content ? line : `${line}${is('junk') ? '\r\n' : '\n'}`);
  if (is('broken-text') && message.result?.content)
    bytes = Buffer.from(bytes.toString('latin1').replace('X', '\xff'), 'latin1');
  process.stdout.write(bytes);
}

function decode(bytes) {
  return encoding === 'utf-16be' ? Buffer.from(bytes).swap16().toString('utf16le') : bytes.toString(nodeEncoding());
}

function encode(text) {
  const bytes = Buffer.from(text, nodeEncoding());
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

function nodeEncoding() {
  return encoding.startsWith('utf-16') ? 'utf16le' : encoding;
}
