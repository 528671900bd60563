// Serves a stdio server over HTTP, with one child process for each session, to test it over the other transports.
//   node bridge.mjs streamable|sse PROGRAM [ARG…]
// Prints `ready <url>` and lives until stdin closes.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [kind, program, ...args] = process.argv.slice(2);
const sessions = new Map();

function open(onMessage) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  createInterface({ input: child.stdout }).on('line', (line) => onMessage(line));
  return { send: (text) => child.stdin.write(`${text}\n`), end: () => child.stdin.end() };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
}

const event = (response, data, name = 'message') => response.write(`event: ${name}\ndata: ${data}\n\n`);
const STREAM = { 'content-type': 'text/event-stream' };

const handlers = {
  sse: {
    GET: (_request, response) => {
      const id = randomUUID();
      const session = open((line) => event(response, line));
      sessions.set(id, session);
      response.writeHead(200, STREAM);
      event(response, `/?session=${id}`, 'endpoint');
      response.on('close', session.end);
    },
    POST: async (request, response) => {
      sessions.get(new URL(request.url, 'http://x').searchParams.get('session')).send(await bodyOf(request));
      response.writeHead(202).end();
    },
  },
  streamable: {
    POST: async (request, response) => {
      const text = await bodyOf(request);
      const { id, method } = JSON.parse(text);
      const known = request.headers['mcp-session-id'];
      if (method === 'server/discover') return response.writeHead(400).end();
      if (known && !sessions.has(known)) return response.writeHead(404).end();
      const name = known ?? randomUUID();
      const session = sessions.get(name) ?? startSession(name);
      if (id === undefined || method === undefined) response.writeHead(202).end();
      else session.answers.set(id, response.writeHead(200, { ...STREAM, 'mcp-session-id': name }));
      session.send(text);
    },
    GET: (_request, response) => response.writeHead(405).end(),
    DELETE: (request, response) => {
      sessions.get(request.headers['mcp-session-id'])?.end();
      sessions.delete(request.headers['mcp-session-id']);
      response.writeHead(204).end();
    },
  },
};

function startSession(name) {
  const answers = new Map();
  const session = open((line) => {
    const { id, method } = JSON.parse(line);
    const response = method === undefined ? answers.get(id) : [...answers.values()].at(-1);
    if (!response) return;
    event(response, line);
    if (method !== undefined) return;
    response.end();
    answers.delete(id);
  });
  sessions.set(name, { ...session, answers });
  return sessions.get(name);
}

const listener = createServer((request, response) => {
  if (request.url === '/forget') {
    for (const session of sessions.values()) session.end();
    sessions.clear();
    return response.end();
  }
  const handle = handlers[kind][request.method];
  if (handle) handle(request, response);
  else response.writeHead(405).end();
});
listener.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${listener.address().port}/`));
process.stdin.on('end', () => process.exit(0)).resume();
