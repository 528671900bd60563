import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GENERATIONS, judgeVersion, PROTOCOL_VERSION } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { Server } from 'socket.io';
import { describe, expect, onTestFinished } from 'vitest';
import { linkTo, next, pause, scripted, serve, until } from './harness.js';

/** A Server that serves one version, as the published ones do, and records what is announced. */
async function serving(version: { current: string }, a2cVersionInList = true) {
  const announced: string[] = [];
  const http = createServer();
  const io = new Server(http, { serveClient: false });
  io.engine.use((request: { url: string }, response: import('node:http').ServerResponse, proceed: () => void) => {
    const query = new URL(request.url, 'http://localhost').searchParams;
    const declared = query.get('a2c_version') ?? '';
    if (!query.has('sid')) announced.push(declared);
    const verdict = judgeVersion(declared, 'strict', version.current);
    if (verdict.ok || !a2cVersionInList) return proceed();
    response.writeHead(400, verdict.refusal.headers).end(JSON.stringify(verdict.refusal.body));
  });
  const auths: Record<string, unknown>[] = [];
  const headers: Record<string, unknown>[] = [];
  const heard: string[] = [];
  io.of('/smcp').on('connection', (socket) => {
    auths.push(socket.handshake.auth);
    headers.push(socket.handshake.headers);
    socket.onAny((event: string, payload: { req_id?: string; name?: string }, ack?: (...args: unknown[]) => void) => {
      heard.push(event);
      if (event === 'server:join_office') ack?.(true, null);
      const session = { sid: socket.id, name: 'x', role: 'computer', office_id: 'o' };
      const own = a2cVersionInList ? { ...session, a2c_version: version.current } : session;
      if (event === 'server:list_room') ack?.({ sessions: [own], req_id: payload.req_id });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void io.close());
  const drop = () => io.of('/smcp').sockets.forEach((socket) => void socket.conn.close());
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, announced, auths, headers, heard, drop };
}

describe('the announced generation', () => {
  verifies('GEN-LINK-01', 'is the newest, then the one that a refusal names, which is remembered', async () => {
    const version = { current: '0.2.0' };
    const server = await serving(version);
    const link = linkTo(server.url);
    await link.join('o');
    expect(server.announced).toEqual([PROTOCOL_VERSION, '0.2.2']);
    expect(link.generation).toBe('0.2');
    const rejoined = next(link, 'joined');
    server.drop();
    await rejoined;
    expect(server.announced).toEqual([PROTOCOL_VERSION, '0.2.2', '0.2.2']);
    version.current = '0.3.1';
    const again = next(link, 'joined');
    server.drop();
    await again;
    expect(server.announced.slice(3)).toEqual(['0.2.2', '0.3.2']);
    expect(link.generation).toBe('0.3');
  });

  verifies('GEN-LINK-01', 'is not changed for an unknown version, nor when it is pinned', async () => {
    const future = await serving({ current: '3.0.0' });
    await expect(linkTo(future.url).join('o')).rejects.toMatchObject({ kind: 'VersionMismatch' });
    expect(future.announced).toEqual([PROTOCOL_VERSION]);
    const older = await serving({ current: '0.2.0' });
    await expect(linkTo(older.url, { dialect: '0.4' }).join('o')).rejects.toMatchObject({
      message: expect.stringContaining('the Server speaks 0.2.0'),
    });
    expect(older.announced).toEqual([PROTOCOL_VERSION]);
    await linkTo(older.url, { dialect: '0.2' }).join('o');
  });

  verifies(
    'GEN-LINK-01',
    'that never arrived, because a proxy removed it, is an error with the text of the Server',
    async () => {
      const http = createServer((_request, response) => {
        const verdict = judgeVersion(undefined, 'strict');
        const { headers, body } = verdict.ok ? expect.fail('served') : verdict.refusal;
        response.writeHead(400, headers).end(JSON.stringify(body));
      });
      await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void http.close());
      const joining = linkTo(`http://127.0.0.1:${(http.address() as AddressInfo).port}`).join('o');
      await expect(joining).rejects.toThrow('Missing a2c_version query parameter');
    },
  );

  verifies('GEN-LINK-02', 'becomes 0.1 at a Server whose list of members has no versions', async () => {
    const first = await serving({ current: '0.1.0' }, false);
    const computer = linkTo(first.url, { role: 'computer', name: 'x' });
    await computer.join('o');
    await until(() => computer.generation === '0.1');
    const newer = await serving({ current: '0.4.0' });
    const other = linkTo(newer.url, { role: 'computer', name: 'x' });
    await other.join('o');
    await until(() => newer.heard.includes('server:list_room'));
    await pause(50);
    expect(other.generation).toBe('0.4');
  });

  verifies('GEN-LINK-02', 'is certain at our own Server, which states its version', async () => {
    const { url } = await serve();
    const generations: string[] = [];
    const computer = linkTo(url, { role: 'computer', name: 'pc' }, async ({ generation }) => {
      generations.push(generation);
      return [{ desktops: [], req_id: 'r' }];
    });
    await computer.join('o');
    const agent = linkTo(url);
    await agent.join('o');
    const request = { agent: 'a', req_id: 'r', computer: 'pc' };
    await agent.request('client:get_desktop', request, { timeoutMs: 30_000 });
    expect([computer.generation, agent.generation, ...generations]).toEqual(['0.4', '0.4', '0.4']);
  });
});

verifies('GEN-LINK-05', 'a pinned generation holds at a Server that accepts and echoes any version', async () => {
  const announced: string[] = [];
  const server = await scripted((ack) => ack(true, null), {
    'server:list_room': (payload, ack, socket) => {
      const { a2c_version } = socket.handshake.query;
      announced.push(String(a2c_version));
      const session = { sid: socket.id, name: 'pc', role: 'computer', office_id: 'o', a2c_version };
      ack({ sessions: [session], req_id: (payload as { req_id: string }).req_id });
    },
  });
  for (const generation of ['0.1', '0.2', '0.3', '0.4'] as const) {
    const link = linkTo(server.url, { role: 'computer', name: 'pc', dialect: generation });
    await link.join('o');
    expect(server.sockets.at(-1)?.handshake.query.a2c_version).toBe(GENERATIONS[generation].version);
    expect(link.generation).toBe(generation);
  }
  const free = linkTo(server.url, { role: 'computer', name: 'pc' });
  await free.join('o');
  await until(() => announced.includes(PROTOCOL_VERSION));
  expect(free.generation).toBe('0.4');
});

verifies('GEN-LINK-06', 'the first request is polling, and all of them have the version', async () => {
  const requests: string[] = [];
  const http = createServer();
  const io = new Server(http, { serveClient: false });
  for (const event of ['request', 'upgrade'])
    http.prependListener(event, ({ url = '' }: IncomingMessage) => requests.push(url));
  io.of('/smcp').on('connection', (socket) => {
    socket.on('server:join_office', (_join, ack) => ack(true, null));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void io.close());
  await linkTo(`http://127.0.0.1:${(http.address() as AddressInfo).port}`).join('o');
  expect(requests[0]).toContain('transport=polling');
  expect(requests.filter((url) => !url.includes(`a2c_version=${PROTOCOL_VERSION}`))).toEqual([]);
});

verifies('GEN-LINK-03', 'the key goes to every place where a Server may read it', async () => {
  const server = await serving({ current: '0.4.0' });
  await linkTo(server.url, { apiKey: 'k' }).join('o');
  expect(server.auths).toMatchObject([{ api_key: 'k', token: 'k', protocol: 'a2c-smcp', version: PROTOCOL_VERSION }]);
  expect(server.headers).toMatchObject([{ 'x-api-key': 'k', access_token: 'k' }]);
  const own = await serving({ current: '0.4.0' });
  await linkTo(own.url, { apiKey: 'k', auth: { token: 'own' } }).join('o');
  expect(own.auths).toMatchObject([{ api_key: 'k', token: 'own' }]);
});

describe('announcements of a Computer that speaks as the document', () => {
  verifies('GEN-LINK-04', 'have both names at a Server that may know only one', async () => {
    const server = await scripted((ack) => ack(true, null));
    const link = linkTo(server.url, { role: 'computer', name: 'pc', dialect: 'spec' });
    await link.join('o');
    link.notify('server:update_config', { computer: 'pc' });
    link.notify('server:update_tool_list', { computer: 'pc' });
    const sent = ['server:update_config', 'server:update_mcp_config', 'server:update_tool_list'];
    await until(() => server.received.length === 4);
    expect(server.received).toEqual(['server:join_office', ...sent]);
  });

  verifies('GEN-LINK-04', 'have one name at our own Server, so that no member is notified twice', async () => {
    const { url } = await serve();
    const agent = linkTo(url);
    const heard: string[] = [];
    agent.on('notification', ({ event }) => heard.push(event));
    await agent.join('o');
    const link = linkTo(url, { role: 'computer', name: 'pc', dialect: 'spec' });
    await link.join('o');
    link.notify('server:update_config', { computer: 'pc' });
    link.notify('server:update_tool_list', { computer: 'pc' });
    await until(() => heard.includes('notify:update_tool_list'));
    expect(heard).toEqual(['notify:enter_office', 'notify:update_config', 'notify:update_tool_list']);
  });
});
