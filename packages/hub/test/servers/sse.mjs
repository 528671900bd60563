// A server of the protocol of 2024-11-05 (HTTP with an event stream), with the tools of `tools.mjs`: GET /sse, POST
// /message.
//   node sse.mjs [OPTION…]
//     foreign-endpoint   makes clients post to another host
//     drop-after=N       ends the event stream after N messages
//     no-endpoint        never sends the address for posts
//     unix=PATH          listens on a socket too
// Prints `ready <url>` and lives until stdin closes. GET /requests: [{method, url, headers}]. GET /drop ends all
// streams.
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from './tools.mjs';

const options = process.argv.slice(2);
const dropAfter = Number(options.find((option) => option.startsWith('drop-after='))?.split('=')[1] ?? Infinity);
const streams = new Map();
const requests = [];

const answer = async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/requests') return response.end(JSON.stringify(requests));
  if (url.pathname === '/drop') {
    for (const { end } of streams.values()) end();
    return response.end();
  }
  requests.push({ method: request.method, url: request.url, headers: request.headers });
  if (request.method === 'GET') return openStream(response);
  const stream = streams.get(url.searchParams.get('session'));
  if (!stream) return response.writeHead(404).end('no such session');
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  response.writeHead(202).end('Accepted');
  stream.onmessage?.(JSON.parse(Buffer.concat(chunks).toString()));
};
const listener = createHttpServer(answer);
const listen = () =>
  listener.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${listener.address().port}/sse`));
const socket = options.find((option) => option.startsWith('unix='))?.slice('unix='.length);
if (socket) createHttpServer(answer).listen(socket, listen);
else listen();
process.stdin.on('end', () => process.exit(0)).resume();

function openStream(response) {
  const session = randomUUID();
  let sent = 0;
  const transport = {
    start: async () => {},
    close: async () => response.end(),
    end: () => response.end(),
    send: async (message) => {
      response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      sent += 1;
      if (sent >= dropAfter) response.end();
    },
  };
  streams.set(session, transport);
  response.on('close', () => {
    streams.delete(session);
    transport.onclose?.();
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const host = options.includes('foreign-endpoint') ? 'http://other.example' : '';
  if (!options.includes('no-endpoint')) response.write(`event: endpoint\ndata: ${host}/message?session=${session}\n\n`);
  else response.write(': hello\n\n');
  return createServer().connect(transport);
}
