// The least that a program between two pipes has to do for `exec`: read lines, parse, find the tool, check the
// arguments, set a deadline, send the call with an id of its own; then parse the answer, look whether it is data, and
// write it.
import { spawn } from 'node:child_process';
import { Validator } from '@cfworker/json-schema';

const [command = '', ...args] = process.argv.slice(2);
const upstream = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
const schema = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
const servers = new Map([['echo', new Map([['echo', new Validator(schema, '2020-12', false)]])]]);
const pending = new Map();
let lastId = 1_000_000;

const readLines = (input, onLine) => {
  let rest = '';
  input.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) onLine(JSON.parse(line), line);
  });
};

readLines(process.stdin, ({ id, method, params }, line) => {
  if (method !== 'tools/call' || params.name !== 'exec') return upstream.stdin.write(`${line}\n`);
  const { server_name: server, tool_name: name, arguments: given } = params.arguments;
  if (!servers.get(server).get(name).validate(given).valid) throw new Error('invalid arguments');
  const timer = setTimeout(() => process.exit(1), 60_000);
  pending.set(++lastId, { id, timer });
  const sent = { name, arguments: given, _meta: params._meta };
  upstream.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params: sent })}\n`);
});

readLines(upstream.stdout, ({ id, result }, line) => {
  const call = pending.get(id);
  if (!call) return process.stdout.write(`${line}\n`);
  pending.delete(id);
  clearTimeout(call.timer);
  const isData = result.content.some(({ text }) => /^\s*[[{]/.test(text));
  const shown = isData ? { ...result, content: JSON.parse(JSON.stringify(result.content)) } : result;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: call.id, result: shown })}\n`);
});
process.stdin.on('end', () => upstream.stdin.end());
