// A server on the SDK with the tools of `tools.mjs`. It speaks both generations of the protocol on every transport.
//   node sdk.mjs                     over stdio
//   node sdk.mjs unix PATH           lines of JSON on a socket
//   node sdk.mjs tcp                 the same on a TCP port
//   node sdk.mjs http [PORT]         streamable HTTP with sessions, at /mcp
//   node sdk.mjs http-unix PATH      the same on a socket
//   node sdk.mjs legacy-http         without the newer generation
//   node sdk.mjs all FOLDER          unix, tcp, http and http-unix, on sockets in a folder
// All but stdio print `ready <url or path>` and live until stdin closes; `all` prints a JSON object of them.
// HTTP also answers GET /requests with the requests so far: [{method, url, headers, rpc}].
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { createServer } from './tools.mjs';

const [mode = 'stdio', place] = process.argv.slice(2);

const serve = { unix: lines, tcp: lines, http, 'http-unix': http, 'legacy-http': http };
if (mode === 'stdio') await stdio();
else if (mode === 'all') ready(JSON.stringify(await all()));
else ready(await serve[mode](mode, place));

async function stdio() {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const handle = serveStdio(createServer);
  process.stdin.on('end', () => handle.close().then(() => process.exit(0)));
}

async function all() {
  const places = { unix: `${place}/lines`, tcp: undefined, http: undefined, 'http-unix': `${place}/http` };
  for (const [kind, path] of Object.entries(places)) places[kind] = await serve[kind](kind, path);
  return places;
}

async function lines(kind, path) {
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const listener = createSocketServer((socket) => {
    socket.on('error', () => {});
    serveStdio(createServer, { transport: new StdioServerTransport(socket, socket) });
  });
  listener.listen(kind === 'unix' ? { path } : { port: 0, host: '127.0.0.1' });
  await once(listener, 'listening');
  return kind === 'unix' ? path : listener.address().port;
}

async function http(kind, path) {
  const { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } = await import('@modelcontextprotocol/node');
  const modern = toNodeHandler(createMcpHandler(createServer, { legacy: 'reject' }));
  const sessions = new Map();
  const requests = [];

  async function legacy(request, response, body) {
    const known = sessions.get(request.headers['mcp-session-id']);
    if (known) return known.handleRequest(request, response, body);
    if (body?.method !== 'initialize') {
      response.writeHead(404, { 'content-type': 'application/json' });
      const error = { code: -32001, message: 'Session not found' };
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    }
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
      onsessionclosed: (id) => sessions.delete(id),
    });
    await createServer().connect(transport);
    return transport.handleRequest(request, response, body);
  }

  const listener = createHttpServer(async (request, response) => {
    const { method, url, headers } = request;
    if (url === '/requests') return response.end(JSON.stringify(requests));
    const body = method === 'POST' ? await bodyOf(request) : undefined;
    requests.push({ method, url, headers, rpc: body?.method });
    if (headers['x-forget-session']) sessions.clear();
    const old = kind === 'legacy-http' || (await isLegacyRequest(await toWebRequest(request, body), body));
    await (old ? legacy(request, response, body) : modern(request, response, body));
  });
  const isSocket = kind === 'http-unix';
  listener.listen(isSocket ? { path } : { port: Number(path ?? 0), host: '127.0.0.1' });
  await once(listener, 'listening');
  return `${isSocket ? `http+unix://${encodeURIComponent(path)}` : `http://127.0.0.1:${listener.address().port}`}/mcp`;
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function ready(where) {
  console.log(`ready ${where}`);
  process.stdin.on('end', () => process.exit(0)).resume();
}
