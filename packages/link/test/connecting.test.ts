import { once } from 'node:events';
import { Agent, createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROTOCOL_VERSION, type Role, SMCPError } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { handshakeQuery } from '../src/handshake.js';
import { isFinal, isSeatTaken, OptionsError } from '../src/index.js';
import { isOwnDeparture, needsNewConnection, readConnectError } from '../src/refusals.js';
import { checkHeaders, readServerUrl } from '../src/server-url.js';
import { linkTo } from './harness.js';

describe('connecting', () => {
  verifies('WIRE-VER-01', 'the query states role, version and, where it is known, the office', () => {
    expect(handshakeQuery('agent', '0.4', 'o')).toEqual({ role: 'agent', a2c_version: PROTOCOL_VERSION, office: 'o' });
    expect(handshakeQuery('computer', '0.4')).toEqual({ role: 'computer', a2c_version: PROTOCOL_VERSION });
  });

  verifies('SMCP-SEC-03', 'connections without TLS to other hosts are refused', () => {
    const isClear = (url: string) => {
      expect(readServerUrl(url, true).origin).toBe(new URL(url).origin);
      try {
        return !readServerUrl(url);
      } catch (error) {
        return (
          error instanceof OptionsError &&
          /without TLS to .*use https:.*\(allowInsecure, --insecure\)/.test(error.message)
        );
      }
    };
    for (const url of [
      'http://a.example',
      'ws://10.0.0.1:7000',
      'http://localhost.example',
      'http://127.0.0.1.nip.io',
    ]) {
      expect(isClear(url), url).toBe(true);
    }
    for (const url of [
      'https://a.example',
      'wss://a',
      'http://localhost:1',
      'http://x.localhost',
      'ws://127.1.2.3',
      'http://[::1]:1',
    ])
      expect(isClear(url), url).toBe(false);
  });

  verifies('WIRE-CONN-01', 'invalid addresses are refused, and a path is the path of Socket.IO', () => {
    for (const [url, problem] of [
      ['nonsense', '"nonsense" is not a URL; expected https://host[:port]'],
      ['ftp://a.example', 'cannot connect over "ftp:"'],
      ['https://ann:secret@a.example', 'credentials do not belong in the URL'],
    ] as const) {
      expect(() => readServerUrl(url)).toThrow(problem);
      expect(() => readServerUrl(url)).toThrow(OptionsError);
    }
    expect(readServerUrl('https://a.example:7000')).toEqual({
      origin: 'https://a.example:7000',
      path: '/socket.io/',
    });
    expect(readServerUrl('wss://a.example/a2c')).toEqual({ origin: 'wss://a.example', path: '/a2c' });
  });

  verifies('WIRE-CONN-01', 'an invalid header is named without its value', () => {
    for (const [name, value] of [
      ['a b', 'c'],
      ['x-key', 'secret\nvalue'],
      ['x-key', '密钥'],
    ] as const) {
      expect(() => checkHeaders({ fine: 'yes', [name]: value })).toThrow(OptionsError);
      expect(() => checkHeaders({ [name]: value })).toThrow(
        `the header "${name}" cannot be sent: its name or value has characters that HTTP forbids`,
      );
    }
    checkHeaders({ authorization: 'Bearer ünïcode-of-Latin-1' });
    checkHeaders();
  });

  verifies('WIRE-CONN-02', 'the reason of a failed connection is read from the error of Socket.IO', () => {
    const read = (message: string, fields: object = {}) =>
      readConnectError(Object.assign(new Error(message), fields), 'http://a');
    const tls = Object.assign(new Error('80:error:0A:SSL routines:x:alert bad\n'), { reason: 'alert bad certificate' });
    expect(read('Invalid namespace')).toMatchObject({ code: 404, message: 'Invalid namespace: no SMCP there' });
    expect(read('Invalid connection request')).toMatchObject({ kind: 'Unauthorized' });
    expect(read('no', { data: { code: 503, message: 'draining' } })).toMatchObject({ code: 503, message: 'draining' });
    for (const [fields, reason] of [
      [{ description: 502, context: { responseText: '<html>' } }, 'HTTP 502'],
      [{ description: { message: 'Unexpected server response: 400' } }, 'Unexpected server response: 400'],
      [{ description: 0, context: { statusText: new Error('connect ECONNREFUSED') } }, 'connect ECONNREFUSED'],
      [{ description: 0, context: { statusText: tls } }, 'alert bad certificate'],
      [{ description: 0, context: {} }, 'xhr poll error'],
    ] as const) {
      expect(read('xhr poll error', fields)).toMatchObject({ code: 503, message: `cannot reach http://a: ${reason}` });
    }
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    for (const fields of [
      { context: { statusText: refused } },
      { description: { message: refused.message, error: refused } },
      { description: { message: 'x', error: new AggregateError([refused, refused]) } },
    ])
      expect(read('websocket error', fields).details).toEqual({ code: 'ECONNREFUSED' });
    const finality = (['BadRequest', 'Unauthorized', 'Forbidden', 'NotFound', 'VersionMismatch'] as const).map((kind) =>
      isFinal(new SMCPError(kind, 'x')),
    );
    expect(finality).toEqual([true, true, true, true, true]);
    expect(isSeatTaken(new SMCPError('RoomFull', 'x'))).toBe(true);
    expect(isSeatTaken(new SMCPError('Forbidden', 'a Computer named "pc" already exists'))).toBe(true);
    expect(isSeatTaken(new SMCPError('Forbidden', 'not allowed'))).toBe(false);
    for (const kind of ['Timeout', 'TooManyRequests', 'InternalError', 'Unavailable'] as const)
      expect(isFinal(new SMCPError(kind, 'x')), kind).toBe(false);
  });

  verifies('WIRE-CONN-04', 'only the departure of the same name and role is our own', () => {
    const isOurs = (role: Role, event: string, payload: unknown) =>
      isOwnDeparture({ role, name: 'me', instance: 'i' }, event, payload);
    expect(isOurs('computer', 'notify:leave_office', { office_id: 'o', computer: 'me' })).toBe(true);
    expect(isOurs('agent', 'notify:leave_office', { office_id: 'o', agent: 'me' })).toBe(true);
    for (const payload of [
      { agent: 'me' },
      { computer: 'other' },
      { computer: 'me', instance: 'i' },
      {},
      null,
      'me',
      [],
    ])
      expect(isOurs('computer', 'notify:leave_office', payload)).toBe(false);
    expect(isOurs('computer', 'notify:enter_office', { computer: 'me' })).toBe(false);
  });

  verifies('WIRE-ERR-03', 'a wrong node is recognised by its reason or by the text of a refused join', () => {
    const refusal = (...args: ConstructorParameters<typeof SMCPError>) => needsNewConnection(new SMCPError(...args));
    expect(refusal('Unavailable', 'elsewhere', { details: { reason: 'wrong_node' } })).toBe(true);
    expect(refusal('Unavailable', 'wrong node: connect with ?office=o')).toBe(true);
    expect(refusal('Unavailable', 'this node is shutting down')).toBe(false);
    expect(refusal('Forbidden', 'wrong node')).toBe(false);
  });
});

verifies('SEC-REDIRECT-02', 'the key is sent to no other host that a redirect names', async () => {
  const requests: string[] = [];
  const listening = async (answer: RequestListener, host: string) => {
    const http = createServer(answer);
    onTestFinished(() => void http.close());
    http.listen(0, host);
    await once(http, 'listening');
    return `http://${host}:${(http.address() as AddressInfo).port}`;
  };
  const other = await listening((request, response) => {
    requests.push(JSON.stringify(request.headers));
    response.end();
  }, '127.0.0.2');
  for (const status of [301, 302, 303, 307, 308]) {
    const url = await listening(
      (_request, response) => response.writeHead(status, { location: other }).end(),
      '127.0.0.1',
    );
    for (const transports of [undefined, ['websocket']] as const) {
      const link = linkTo(url, { apiKey: 'secret', transports, httpAgent: async () => new Agent() });
      await expect(link.connect()).rejects.toThrow(/redirects to another address|server response: 30/);
      const plain = linkTo(url, { apiKey: 'secret', transports });
      await expect(plain.connect()).rejects.toThrow(/redirects to another address|server response: 30/);
    }
  }
  expect(requests).toEqual([]);
});
