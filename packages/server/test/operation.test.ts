import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { AuditFile, allowAnonymous, createServer, handleOperatorRequest, listen, type SMCPServer } from '@a2c/server';
import { context, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { ask, CALL, dial, next, serve, until } from './harness.js';

const get = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
};

describe('operation', () => {
  verifies('SRV-OPS-01', 'serves health, readiness and metrics', async () => {
    const server = await serve({ publicMetrics: true });
    const agent = await server.member('agent', 'a', 'o');
    const computer = await server.member('computer', 'pc', 'o');
    computer.on('client:tool_call', (_request, ack) => ack({ content: [], isError: false }));
    await ask(agent, 'client:tool_call', CALL);
    expect(await get(`${server.url}/healthz`)).toEqual({ status: 200, text: '{"status":"ok"}' });
    expect(await get(`${server.url}/readyz?x=1`)).toEqual({ status: 200, text: '{"status":"ready"}' });
    expect((await get(`${server.url}/elsewhere`)).status).toBe(404);
    const { text } = await get(`${server.url}/metrics`);
    for (const line of [
      /^a2c_connections 2$/m,
      /^a2c_offices 1$/m,
      /^a2c_calls_in_flight 0$/m,
      /^a2c_requests_total\{event="client:tool_call",verdict="ok"\} 1$/m,
      /^a2c_request_seconds_count\{event="client:tool_call"\} 1$/m,
      /^a2c_bytes_total\{direction="in"\} [1-9]/m,
      /^a2c_bytes_total\{direction="out"\} [1-9]/m,
    ]) {
      expect(text).toMatch(line);
    }
  });

  verifies('SRV-OPS-03', 'drain refuses joins, lets calls finish, then makes clients reconnect', async () => {
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o', { reconnection: true, reconnectionDelay: 20 });
    const computer = await server.member('computer', 'pc', 'o');
    const idle = await server.connect();
    const held = new Promise<(answer: unknown) => void>((resolve) =>
      computer.once('client:tool_call', (_request, ack) => resolve(ack)),
    );
    const call = ask(agent, 'client:tool_call', CALL);
    const answer = await held;
    const drained = server.server.drain(60_000);
    expect((await get(`${server.url}/readyz`)).status).toBe(503);
    expect((await get(`${server.url}/healthz`)).status).toBe(200);
    expect(await ask(idle, 'server:join_office', { role: 'computer', name: 'pc2', office_id: 'o' })).toEqual([
      false,
      expect.stringMatching(/^503 /),
    ]);
    await expect(server.connect()).rejects.toThrow();
    const left = next(agent, 'disconnect');
    answer({ content: [], isError: false });
    expect(await call).toEqual([{ content: [], isError: false }]);
    await drained;
    // After "transport close" a client reconnects; after "io server disconnect" it does not.
    expect(await left).toBe('transport close');
  });

  verifies('SRV-OPS-03', 'drain ends in time when the clock is set back', async () => {
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o');
    const called = next(await server.member('computer', 'pc', 'o'), 'client:tool_call');
    agent.emit('client:tool_call', CALL);
    await called;
    const drained = server.server.drain(200);
    const hour = 3_600_000;
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() - hour);
    onTestFinished(() => void vi.restoreAllMocks());
    await drained;
  });

  verifies('SRV-OPS-03', 'drain waits for a pending call no longer than its timeout', async () => {
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o');
    const computer = await server.member('computer', 'pc', 'o');
    const arrived = next(computer, 'client:tool_call');
    agent.emit('client:tool_call', { ...CALL, timeout: 60 }, () => {});
    await arrived;
    const left = next(computer, 'disconnect');
    await server.server.drain(50);
    await left;
  });

  verifies('SRV-OPS-09', 'closing does not wait for a peer that does not close its connection', async () => {
    const { url, close } = await listen({ authenticate: allowAnonymous, port: 0 });
    const { host, hostname, port } = new URL(url);
    const peer = connect(Number(port), hostname);
    onTestFinished(() => void peer.destroy());
    const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13';
    const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    peer.write(`GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n${key}\r\n\r\n`);
    await once(peer, 'data');
    const started = performance.now();
    await close();
    expect(performance.now() - started).toBeLessThan(20_000); // The peer would be waited for for 30 s.
  });

  verifies('SRV-OPS-04', 'attaches to an HTTP server that serves other requests', async () => {
    let server: SMCPServer | undefined;
    const http = createHttpServer((request, response) => {
      if (!server || !handleOperatorRequest(server, request, response)) response.end('another page');
    });
    server = await createServer({
      http,
      authenticate: allowAnonymous,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
    http.listen(0, '127.0.0.1');
    await until(() => http.listening);
    onTestFinished(() => server?.close());
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    expect(await get(`${url}/`)).toEqual({ status: 200, text: 'another page' });
    expect((await get(`${url}/healthz`)).status).toBe(200);
    const socket = await dial(url);
    expect(await ask(socket, 'server:join_office', { role: 'agent', name: 'a', office_id: 'o' })).toEqual([true, null]);
  });
});

describe('trace context', () => {
  verifies('SRV-OPS-02', 'is the parent of the Server’s span, which is the parent for the Computer', async () => {
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    onTestFinished(() => {
      trace.disable();
      propagation.disable();
      context.disable();
    });
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o');
    const computer = await server.member('computer', 'pc', 'o');
    const seen = new Promise<{ traceparent: string }>((resolve) =>
      computer.once('client:tool_call', (payload, ack) => {
        resolve(payload);
        ack({ content: [], isError: false });
      }),
    );
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await ask(agent, 'client:tool_call', { ...CALL, traceparent: `00-${traceId}-b7ad6b7169203331-01` });
    const [span] = exporter.getFinishedSpans();
    expect(span?.name).toBe('client:tool_call');
    expect(span?.spanContext().traceId).toBe(traceId);
    expect(span?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect((await seen).traceparent).toBe(`00-${traceId}-${span?.spanContext().spanId}-01`);
    await ask(agent, 'client:tool_call', { ...CALL, computer: 'missing' });
  });
});

describe('the audit log', () => {
  verifies('SRV-AUDIT-01', 'has one record per request, without arguments and results', async () => {
    const server = await serve({ authenticate: ({ auth }) => ({ subject: String(auth.who) }) });
    const agent = await server.member('agent', 'a', 'o', { auth: { who: 'ann' } });
    const computer = await server.member('computer', 'pc', 'o', { auth: { who: 'bob' } });
    computer.on('client:tool_call', (_request, ack) =>
      ack({ content: [{ type: 'text', text: 'the-result' }], isError: false }),
    );
    await ask(agent, 'client:tool_call', { ...CALL, params: { password: 'the-argument' } });
    await ask(agent, 'client:tool_call', { ...CALL, computer: 'missing' });
    await until(() => server.audit.length >= 4);
    expect(server.audit.map(({ event, verdict, subject }) => [event, verdict, subject])).toEqual([
      ['server:join_office', 'ok', 'ann'],
      ['server:join_office', 'ok', 'bob'],
      ['client:tool_call', 'ok', 'ann'],
      ['client:tool_call', 'NotFound', 'ann'],
    ]);
    expect(server.audit[2]).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      event: 'client:tool_call',
      verdict: 'ok',
      subject: 'ann',
      address: expect.stringMatching(/127\.0\.0\.1$/),
      sid: agent.id,
      role: 'agent',
      office: 'o',
      name: 'a',
      req_id: 'r1',
      computer: 'pc',
      tool: 'echo',
      ms: expect.any(Number),
      bytes_in: expect.any(Number),
      bytes_out: expect.any(Number),
    });
    expect(server.audit[3]).toMatchObject({ code: 404 });
    expect(JSON.stringify(server.audit)).not.toMatch(/the-result|the-argument/);
  });

  verifies('SRV-AUDIT-02', 'is rotated by size and keeps the order of records', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'a2c-audit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'deep', 'audit.jsonl');
    const audit = new AuditFile({ path, maxBytes: 1_000, maxFiles: 100 });
    const entry = { event: 'x', verdict: 'ok', subject: '安', address: '::1' };
    for (let i = 0; i < 200; i++) audit.append({ ...entry, time: String(i) });
    await audit.close();
    const again = new AuditFile({ path, maxBytes: 1_000, maxFiles: 100 });
    again.append({ ...entry, time: '200' });
    await again.close();
    const files = readdirSync(join(folder, 'deep'));
    const age = (name: string) => Number(name.split('.')[2] ?? 0);
    const lines = files
      .toSorted((a, b) => age(b) - age(a))
      .flatMap((name) =>
        readFileSync(join(folder, 'deep', name), 'utf8')
          .trim()
          .split('\n'),
      );
    expect(lines.map((line) => Number(JSON.parse(line).time))).toEqual(Array.from({ length: 201 }, (_, i) => i));
    for (const name of files) {
      const { size, mode } = statSync(join(folder, 'deep', name));
      expect(size).toBeLessThanOrEqual(1_000);
      expect(mode & 0o777).toBe(0o600);
    }
    const few = new AuditFile({ path: join(folder, 'few.jsonl'), maxBytes: 200, maxFiles: 3 });
    for (let i = 0; i < 50; i++) few.append({ ...entry, time: String(i) });
    await few.close();
    expect(
      readdirSync(folder)
        .filter((name) => name.startsWith('few'))
        .toSorted(),
    ).toEqual(['few.jsonl', 'few.jsonl.1', 'few.jsonl.2']);
  });

  verifies('SRV-AUDIT-02', 'a write error is reported', async () => {
    const problems: Error[] = [];
    const audit = new AuditFile({ path: '/dev/null/impossible', onError: (error) => problems.push(error) });
    audit.append({ time: '', event: 'x', verdict: 'ok', subject: '', address: '' });
    await audit.close();
    expect(problems).toHaveLength(1);
  });
});
