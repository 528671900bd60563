import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, OptionsError } from '@a2c/agent';
import { judgeVersion, PROTOCOL_VERSION } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { apiKey, authFile } from '@a2c/server';
import { issue } from '@a2c/test-certificates';
import { describe, expect, onTestFinished } from 'vitest';
import { agentAt, next, serve, settle } from './harness.js';
import { scripted } from './scripted-server.js';
import { TestComputer, text } from './test-computer.js';

const OFFICE = {
  'server:join_office': (_: unknown, ack: (...args: unknown[]) => void) => ack(true, null),
  'server:list_room': ({ req_id }: Record<string, unknown>, ack: (...args: unknown[]) => void) =>
    ack({ sessions: [], req_id }),
};

describe('the handshake', () => {
  verifies(
    ['AGT-CONNECT-05', 'SMCP-VER-01', 'SMCP-NS-02'],
    'states protocol, version, office, role and a stable instance on every connection',
    async () => {
      const server = await scripted(OFFICE);
      const agent = await agentAt(server.url, { limits: { reconnectMinMs: 10 } });
      server.drop('network');
      await next(agent, 'reconnected');
      const [first, again] = server.handshakes;
      expect(first?.auth).toEqual({
        protocol: 'a2c-smcp',
        version: PROTOCOL_VERSION,
        instance: expect.stringMatching(/^[0-9a-f]{32}$/),
        attempt: 1,
        adapts: true,
      });
      expect(first?.query).toMatchObject({ office: 'o', role: 'agent', a2c_version: PROTOCOL_VERSION });
      expect([again?.auth, again?.query.office]).toEqual([{ ...first?.auth, attempt: 2 }, 'o']);
      await agent.close();
      await agentAt(server.url);
      expect(server.handshakes.at(-1)?.auth.instance).not.toBe(first?.auth.instance);
    },
  );

  verifies('AGT-CONNECT-04', 'sends keys, auth and headers in all places that Servers read', async () => {
    const server = await scripted(OFFICE);
    const credentials = { apiKey: 'key-1', headers: { 'x-team': 'blue' }, auth: { tenant: 7, version: 'mine' } };
    await agentAt(server.url, credentials);
    expect(server.handshakes[0]?.auth).toMatchObject({ api_key: 'key-1', tenant: 7, version: PROTOCOL_VERSION });
    expect(server.handshakes[0]?.headers).toMatchObject({ 'x-api-key': 'key-1', 'x-team': 'blue' });
    const ours = await serve({ authenticate: apiKey('key-2') });
    const bearer = { headers: { authorization: 'Bearer key-2' } };
    for (const how of [
      { apiKey: 'key-2' },
      { auth: { token: 'key-2' } },
      { auth: () => ({ api_key: 'key-2' }) },
      bearer,
    ]) {
      await (await Agent.connect({ url: ours.url, office: 'o', name: 'a', ...how })).close();
    }
  });

  verifies('SMCP-NS-01', 'works over polling only and over websocket only', async () => {
    const { url } = await serve();
    await TestComputer.join(url);
    for (const transport of ['polling', 'websocket'] as const) {
      await using agent = await Agent.connect({ url, office: 'o', name: 'a', transports: [transport] });
      expect(await agent.callTool('pc', 'echo', { text: transport })).toEqual(text(transport));
    }
  });
});

describe('versions', () => {
  /** A server of another version: it refuses ours with the body that the protocol defines. */
  async function refusing(version: string) {
    const verdict = judgeVersion(PROTOCOL_VERSION, 'strict', version);
    if (verdict.ok) throw new Error('expected a refusal');
    let requests = 0;
    const http = createServer((_, response) => {
      requests++;
      response.writeHead(verdict.refusal.status, verdict.refusal.headers).end(JSON.stringify(verdict.refusal.body));
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, requests: () => requests };
  }

  verifies(
    'WIRE-VER-05',
    'that are refused stop the Agent with an error that names both, over either transport',
    async () => {
      for (const transports of [undefined, ['websocket'] as const]) {
        const { url, requests } = await refusing('2.0.0');
        await expect(Agent.connect({ url, office: 'o', name: 'a', transports })).rejects.toMatchObject({
          kind: 'VersionMismatch',
          a2cCode: 4008,
          message: `protocol version refused: the Server speaks 2.0.0 and serves 2.0.0 to 2.0.999, this side speaks ${PROTOCOL_VERSION}; update one of them`,
          details: { server_version: '2.0.0', client_version: PROTOCOL_VERSION },
        });
        const made = requests();
        await settle();
        expect(requests()).toBe(made);
      }
    },
  );

  verifies('WIRE-VER-05', 'that are refused after an upgrade of the Server end the Agent', async () => {
    const server = await scripted(OFFICE);
    const port = Number(new URL(server.url).port);
    const agent = await agentAt(server.url, { limits: { reconnectMinMs: 10 } });
    const ended = next(agent, 'ended');
    await server.stop();
    const verdict = judgeVersion(PROTOCOL_VERSION, 'strict', '0.9.0');
    const http = createServer((_, response) => {
      if (!verdict.ok) response.writeHead(400, verdict.refusal.headers).end(JSON.stringify(verdict.refusal.body));
    });
    await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    expect(await ended).toMatchObject({ kind: 'VersionMismatch', details: { server_version: '0.9.0' } });
    expect(agent.state).toBe('closed');
  });
});

describe('security', () => {
  verifies(
    ['SMCP-SEC-03', 'WIRE-CONN-01'],
    'plain connections to other hosts are refused before anything is sent',
    async () => {
      const connect = (url: string, allowInsecure = false) =>
        Agent.connect({ url, office: 'o', name: 'a', apiKey: 'secret', allowInsecure, limits: { connectMs: 5_000 } });
      for (const url of ['http://example.com', 'ws://10.0.0.1:7000', 'http://127.0.0.1.example.com', 'http://[::2]']) {
        await expect(connect(url)).rejects.toThrow(OptionsError);
        await expect(connect(url)).rejects.toThrow(/without TLS to .*use https/);
      }
      for (const url of ['nonsense', 'ftp://example.com', 'https://user:pass@example.com']) {
        await expect(connect(url)).rejects.toThrow(OptionsError);
      }
      const odd = { url: 'https://a.example', office: 'o', name: 'a', apiKey: 'two\nlines' };
      await expect(Agent.connect(odd)).rejects.toThrow('the header "x-api-key" cannot be sent');
      // Loopback and explicitly allowed addresses are tried.
      for (const url of ['http://127.0.0.1:1', 'http://localhost:1', 'ws://[::1]:1']) {
        await expect(connect(url)).rejects.toMatchObject({ code: 503 });
      }
      await expect(connect('http://name.invalid', true)).rejects.not.toThrow(OptionsError);
    },
  );

  verifies('SMCP-SEC-02', 'a client certificate is sent to a Server that requires one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'a2c-agent-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const write = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const ca = issue('Test CA');
    const own = issue('server', ca);
    const bot = issue('bot', ca);
    const known = { keys: [], certificates: [{ subject: 'bot', roles: ['agent'], names: ['bot'] }] };
    const { url } = await serve({
      tls: { cert: write('cert.pem', own.cert), key: write('key.pem', own.key), clientCa: write('ca.pem', ca.cert) },
      authenticate: await authFile({ path: write('auth.json', JSON.stringify(known)) }),
    });
    const at = { url, office: 'o', name: 'bot' };
    for (const transports of [undefined, ['websocket'] as const]) {
      const tls = { ca: ca.cert, cert: bot.cert, key: bot.key };
      await using agent = await Agent.connect({ ...at, tls, transports });
      expect(agent.state).toBe('joined');
      await expect(Agent.connect({ ...at, tls: { ca: ca.cert }, transports })).rejects.toMatchObject({ code: 503 });
      await expect(Agent.connect({ ...at, transports })).rejects.toMatchObject({ code: 503 });
    }
  });
});
