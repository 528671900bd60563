import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type ApprovedTarget, TrustError, TrustGuard, UNTRUSTED } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { SdkHttpError } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { call, connect, http, open, start, until } from './harness.js';
import { json, type Message, type Seen, said, serve, stream } from './http-server.js';

const LEGACY = { versionNegotiation: { mode: 'legacy' } } as const;
const within = (timeout: number | null, sse_read_timeout: number | null) => ({
  server: { timeouts: { timeout, sse_read_timeout } },
});
const answerTo = ({ id }: Message, text: string) => ({ jsonrpc: '2.0', id, result: said(text) });

/** The error of a promise, which must come long before the default timeout of a request. */
async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const began = performance.now();
  const error = await promise.then(
    () => new Error('it did not fail'),
    (caught: Error) => caught,
  );
  expect(performance.now() - began).toBeLessThan(30_000);
  return error;
}

describe('what a server is sent', () => {
  verifies('KIT-HTTP-03', 'are the configured headers, with every request', async () => {
    const { place } = await start('sdk.mjs', 'legacy-http');
    const http_headers = { 'X-Client': 'my-app', Authorization: 'Bearer abc' };
    const { client, transport } = await connect(http(place, { http_headers }), {}, LEGACY);
    await call(client, 'echo', { text: 'x' });
    await transport.close();
    const seen = (await (await fetch(new URL('/requests', place))).json()) as Seen[];
    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['POST', 'GET', 'DELETE']));
    for (const { headers } of seen)
      expect(headers).toMatchObject({ 'x-client': 'my-app', authorization: 'Bearer abc' });
  });

  verifies('HUB-HTTP-02', 'goes to `url`, and `sse_url` is read', async () => {
    const { place } = await start('sdk.mjs', 'legacy-http');
    const sse_url = place.replace('/mcp', '/events');
    const { client } = await connect(http(place, { sse_url }), {}, LEGACY);
    const logs: unknown[] = [];
    client.setNotificationHandler('notifications/tools/list_changed', () => void logs.push('changed'));
    const requests = async () => (await (await fetch(new URL('/requests', place))).json()) as Seen[];
    await until(async () => (await requests()).some(({ method }) => method === 'GET'), 'the stream');
    await call(client, 'notify');
    await until(() => logs.length > 0, 'the notification');
    for (const { method, url } of await requests()) expect(url).toBe(method === 'GET' ? '/events' : '/mcp');
  });

  verifies('HUB-HTTP-04', 'is the end of the session, if `terminate_on_close` is set', async () => {
    for (const terminate_on_close of [true, false]) {
      const { url, seen } = await serve({ session: 's1', onDelete: (response) => void response.end() });
      const { transport } = await connect(http(url, { terminate_on_close }), {}, LEGACY);
      await transport.close();
      const deletes = seen.filter(({ method }) => method === 'DELETE');
      expect(deletes.map(({ headers }) => headers['mcp-session-id'])).toEqual(terminate_on_close ? ['s1'] : []);
    }
  });

  verifies('HUB-HTTP-04', 'may be ignored without a delay', async () => {
    const { url } = await serve({ session: 's1', onDelete: () => {} });
    const { transport } = await connect(http(url), { limits: { stopGraceMs: 200 } }, LEGACY);
    const began = performance.now();
    await transport.close();
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});

describe('time', () => {
  verifies('HUB-HTTP-03', 'runs out when a list is not answered', async () => {
    const { url } = await serve({ onCall: () => {} });
    const { client } = await connect(http(url), within(2, null), LEGACY);
    expect((await failureOf(client.listTools())).message).toContain('did not answer within 2000 ms');
  });

  verifies('HUB-HTTP-03', 'runs out when a list is not finished', async () => {
    const { url } = await serve({
      onCall: (response) => void response.setHeader('content-type', 'application/json').write('{"jsonrpc"'),
    });
    const { client } = await connect(http(url), within(2, null), LEGACY);
    expect((await failureOf(client.listTools())).message).toContain('did not finish its answer within 2000 ms');
  });

  verifies('HUB-HTTP-03', 'does not run out for a stream that sends data', async () => {
    const { url } = await serve({
      onCall: (response, message) => {
        stream(response);
        let pings = 0;
        const timer = setInterval(() => {
          pings += 1;
          if (pings < 25) response.write(': still here\n\n');
          else response.end(`data: ${JSON.stringify(answerTo(message, 'done'))}\n\n`);
          if (response.writableEnded) clearInterval(timer);
        }, 100);
      },
    });
    const { client } = await connect(http(url), within(2, 2), LEGACY);
    expect(await call(client, 'x')).toBe('done');
  });

  verifies('HUB-HTTP-03', 'does not run out for a call, whether its answer is a stream or not', async () => {
    const run = async (begin: typeof stream | (() => void)) => {
      const { url } = await serve({
        onCall: (response, message) => {
          begin(response);
          const text = JSON.stringify(answerTo(message, 'done'));
          setTimeout(() => {
            if (response.headersSent) response.end(`data: ${text}\n\n`);
            else response.setHeader('content-type', 'application/json').end(text);
          }, 2_000);
        },
      });
      const { client } = await connect(http(url), within(1, 1), LEGACY);
      expect(await call(client, 'x')).toBe('done');
    };
    await Promise.all([run(stream), run(() => {})]);
  });

  verifies('HUB-HTTP-03', 'makes a silent server stream be resumed', async () => {
    const { url, seen } = await serve({ session: 's1', onGet: (response) => stream(response, 'retry: 50\n\n') });
    const { transport } = await connect(http(url), within(null, 0.2), LEGACY);
    await until(() => seen.filter(({ method }) => method === 'GET').length >= 3, 'the second and third stream');
    expect(transport.diagnostics().ended).toBeNull();
  });

  verifies('HUB-HTTP-01', 'is not wasted on a server whose stream cannot be resumed', async () => {
    let gets = 0;
    const { url } = await serve({
      session: 's1',
      onGet: (response) => {
        gets += 1;
        if (gets > 1) response.writeHead(500).end();
        else {
          stream(response, 'retry: 20\n\n');
          setTimeout(() => response.destroy(), 50);
        }
      },
    });
    const { transport } = await connect(http(url), {}, LEGACY);
    await until(() => transport.diagnostics().ended !== null, 'the end');
    expect(transport.diagnostics().ended).toContain('could not be resumed');
  });
});

describe('odd answers', () => {
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const strange = (message: Message) => ({ ...answerTo(message, 'ok'), took: 3, error: null });
  const kinds: Record<string, (response: Parameters<typeof stream>[0], message: Message) => void> = {
    'a stream with foreign keys': (response, message) => stream(response, event(strange(message))),
    'a stream with a batch': (response, message) => stream(response, event([{ x: 1 }, answerTo(message, 'ok')])),
    'a stream with junk': (response, message) => stream(response, `data: hello\n\n${event(answerTo(message, 'ok'))}`),
    'a stream with CRLF and fields': (response, message) =>
      stream(response, `event: message\r\nid: 7\r\ndata: ${JSON.stringify(answerTo(message, 'ok'))}\r\n\r\n`),
    'a stream with very many carriage returns': (response, message) => {
      const returns = '\r'.repeat(2 ** 20);
      const odd = [`${returns}x`, `x${returns}`, `zzz: ${returns}x`, `id: ${returns}x`].join('\n\n');
      stream(response, `${odd}\n\n${event(answerTo(message, 'ok'))}`);
    },
    'data over several lines': (response, message) => {
      const lines = JSON.stringify(answerTo(message, 'ok'), null, 1).split('\n');
      stream(response, `${lines.map((line) => `data:${line}`).join('\n')}\n\n`);
    },
    'a body with foreign keys': (response, message) =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(strange(message))),
    'a body without a type': (response, message) => void response.end(JSON.stringify(answerTo(message, 'ok'))),
    'a compressed body': (response, message) =>
      void response
        .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify(answerTo(message, 'ok')))),
    'a body with the name of a method of objects as its compression': (response, message) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'constructor' })
        .end(JSON.stringify(answerTo(message, 'ok'))),
  };
  for (const [kind, onCall] of Object.entries(kinds)) {
    verifies('HUB-HTTP-09', `are understood: ${kind}`, async () => {
      const { url } = await serve({ onCall });
      const { client } = await connect(http(url), {}, LEGACY);
      expect(await call(client, 'x', {})).toBe('ok');
    });
  }

  const failures: Record<string, (response: Parameters<typeof stream>[0], message: Message) => void> = {
    'a stream that ends without it': (response) => {
      stream(response);
      response.end();
    },
    'a stream that breaks off': (response) => {
      stream(response);
      setTimeout(() => response.destroy(), 20);
    },
    'a stream with no result in it': (response, { id }) => stream(response, event({ jsonrpc: '2.0', id, result: 5 })),
    'a body that is no JSON': (response) => void response.setHeader('content-type', 'application/json').end('oops'),
    'an empty body': (response) => void response.setHeader('content-type', 'application/json').end(),
    'an answer to another': (response) => json(response, { id: 'other', method: 'x' }),
    'a body that breaks off': (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
    },
    'a page': (response) => void response.setHeader('content-type', 'text/html').end('<p>hello</p>'),
  };
  for (const [kind, onCall] of Object.entries(failures)) {
    verifies('HUB-HTTP-09', `fail their request at once, and nothing else: ${kind}`, async () => {
      let first = true;
      const { url } = await serve({
        onCall: (response, message) => {
          if (first) onCall(response, message);
          else json(response, message, said('next'));
          first = false;
        },
      });
      const { client } = await connect(http(url), {}, LEGACY);
      expect((await failureOf(call(client, 'x'))).message).not.toContain('did not fail');
      expect(await call(client, 'x')).toBe('next');
    });
  }

  verifies('HUB-HTTP-08', 'of a server that lost the session have the status 404', async () => {
    const { url } = await serve({
      session: 's1',
      onCall: (response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('Session not found'),
    });
    const { client } = await connect(http(url), {}, LEGACY);
    const error = await failureOf(call(client, 'x'));
    expect(error).toBeInstanceOf(SdkHttpError);
    expect((error as SdkHttpError).status).toBe(404);
  });
});

describe('errors', () => {
  const secret = 'sk-verysecret';

  verifies('HUB-HTTP-07', 'show where, but no path, query, credentials or header values', async () => {
    const refused = createServer().listen(0, '127.0.0.1');
    await once(refused, 'listening');
    const { port } = refused.address() as AddressInfo;
    refused.close();
    await once(refused, 'close');
    const echoing = await serve({
      before: (request, response) => {
        response.writeHead(403).end(`no: ${request.headers.authorization} ${request.headers['x-key']}`);
        return true;
      },
    });
    const silent = await serve({ before: () => true });
    const places: [string, string][] = [
      [`http://user:${secret}@127.0.0.1:${port}/${secret}?key=${secret}`, `http://127.0.0.1:${port}`],
      [`${echoing.url}/${secret}?key=${secret}`, '***'],
      [`${silent.url}/${secret}?key=${secret}`, `http://127.0.0.1:${silent.port}`],
    ];
    const http_headers = { Authorization: `Bearer ${secret}`, 'x-key': secret };
    for (const [url, shown] of places) {
      const error = await failureOf(connect(http(url, { http_headers }), within(2, null), LEGACY));
      expect(error.message).toContain(shown);
      expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(secret);
    }
  });

  verifies('HUB-HTTP-07', 'report an unreachable server, and end the connection', async () => {
    const server = await start('sdk.mjs', 'http');
    const { client, transport } = await connect(http(server.place));
    await server.kill();
    // A call may still use the old connection; one of the next fails.
    const unreachable = async () =>
      (await failureOf(call(client, 'echo', { text: 'x' }))).message.includes('is the server running?');
    await until(unreachable, 'the reason');
    await until(() => transport.diagnostics().ended !== null, 'the end');
    expect(transport.diagnostics().ended).toContain('is the server running?');
  });

  verifies('HUB-HTTP-03', 'report a host that does not accept the connection', async () => {
    const mute = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1');
    onTestFinished(() => void mute.close());
    await once(mute, 'listening');
    const place = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const transport = await open(http(`${place}/x`), { limits: { connectTimeoutMs: 200 } });
    await transport.start();
    const error = await failureOf(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    expect(error.message).toBe(`${place} did not open a connection within 200 ms`);
  });
});

/** A guard that allows the first origin and treats every other as untrusted. */
class AllBut extends TrustGuard {
  readonly asked: string[] = [];
  readonly #allowed: readonly string[];

  constructor(...allowed: readonly string[]) {
    super(UNTRUSTED, async () => ['127.0.0.1']);
    this.#allowed = allowed;
  }

  override check(): [] {
    return [];
  }

  override async approveUrl(url: string, server: string): Promise<ApprovedTarget> {
    this.asked.push(url);
    if (this.#allowed.some((allowed) => url.startsWith(allowed))) return { url, addresses: ['127.0.0.1'] };
    return super.approveUrl(url, server);
  }
}

describe('dialling', () => {
  verifies(
    ['HUB-HTTP-05', 'KIT-HTTP-07'],
    'connects only to approved addresses, with the configured host name',
    async () => {
      const heard: Buffer[] = [];
      const listener = createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', (bytes: Buffer) => {
          heard.push(bytes);
          socket.destroy();
        });
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void listener.close());
      await once(listener, 'listening');
      const { port } = listener.address() as AddressInfo;
      const guard = new TrustGuard({ ...UNTRUSTED, allow_private_ip: true }, async () => ['127.0.0.1']);
      const transport = await open(http(`https://mcp.example.com:${port}/`), { guard });
      await transport.start();
      await failureOf(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' }));
      expect(heard.map((hello) => hello.includes('mcp.example.com'))).toEqual([true]);
    },
  );

  verifies('KIT-HTTP-07', 'is refused for addresses that an untrusted configuration may not reach', async () => {
    const guard = new TrustGuard(UNTRUSTED, async () => ['10.0.0.1']);
    for (const url of [
      'http://mcp.example.com/',
      'https://localhost/',
      'https://127.0.0.1/',
      'https://mcp.example.com/',
    ]) {
      await expect(open(http(url), { guard })).rejects.toBeInstanceOf(TrustError);
    }
  });

  verifies('HUB-HTTP-05', 'asks the guard for every request and every redirect', async () => {
    const inside = await serve({ onCall: (response, message) => json(response, message, said('secret')) });
    const { url, port } = await serve({
      onCall: (response) => void response.writeHead(307, { location: inside.url }).end(),
    });
    const place = url.replace('127.0.0.1', 'mcp.example.com');
    const guard = new AllBut(`http://mcp.example.com:${port}`);
    const { client } = await connect(http(place), { guard }, LEGACY);
    const error = await failureOf(call(client, 'x'));
    expect(error.message).toContain('rule https-only');
    expect(inside.seen).toEqual([]);
    expect(guard.asked.at(-1)).toBe(inside.url);
  });
});

describe('redirects', () => {
  verifies('HUB-HTTP-06', 'take no configured header to another origin', async () => {
    const target = await serve({ onCall: (response, message) => json(response, message, said('there')) });
    const { url } = await serve({
      before: (_request, response) => {
        response.writeHead(308, { location: target.url }).end();
        return true;
      },
    });
    const http_headers = { Authorization: 'Bearer abc', Cookie: 'a=b', 'X-Api-Key': 'abc' };
    const { client } = await connect(http(url, { http_headers }), {}, LEGACY);
    expect(await call(client, 'x')).toBe('there');
    expect(target.seen.length).toBeGreaterThan(2);
    for (const { headers } of target.seen) {
      expect(headers).toMatchObject({ accept: expect.stringContaining('text/event-stream') });
      for (const name of ['authorization', 'cookie', 'x-api-key']) expect(headers).not.toHaveProperty(name);
    }
  });

  verifies('HUB-HTTP-06', 'keep them within the origin', async () => {
    const { url, seen } = await serve({
      before: (request, response) => {
        if (request.url !== '/mcp') return false;
        response.writeHead(307, { location: '/moved' }).end();
        return true;
      },
      onCall: (response, message) => json(response, message, said('moved')),
    });
    const { client } = await connect(http(url, { http_headers: { 'X-Api-Key': 'abc' } }), {}, LEGACY);
    expect(await call(client, 'x')).toBe('moved');
    expect(seen.find(({ url: path }) => path === '/moved')?.headers).toMatchObject({ 'x-api-key': 'abc' });
  });

  verifies(
    'SEC-REDIRECT-01',
    'lead from a public address to no other kind, also in a trusted configuration',
    async () => {
      const inside = await serve({ onCall: (response, message) => json(response, message, said('secret')) });
      const { url } = await serve({
        onCall: (response) => void response.writeHead(307, { location: inside.url }).end(),
      });
      // The name has a public address for the guard, and the address of the test server for the connection.
      const place = url.replace('127.0.0.1', 'localhost');
      const guard = new TrustGuard({ ...UNTRUSTED, trusted: true }, async () => ['93.184.216.34']);
      const { client } = await connect(http(place), { guard }, LEGACY);
      expect((await failureOf(call(client, 'x'))).message).toContain(
        'a loopback address that the configuration does not name',
      );
      expect(inside.seen).toEqual([]);
    },
  );

  const refusals: [string, number, string, string][] = [
    ['in a circle', 307, '/mcp', 'redirects more than 5 times'],
    ['that would turn a post into a get', 302, 'http://other.example/', 'configure that address instead'],
    ['to something else than HTTP', 307, 'file:///etc/passwd', 'is not HTTP'],
    ['to a socket', 307, 'http+unix://%2Ftmp%2Fx/', 'is not HTTP'],
    ['to nowhere', 307, 'http://', 'an invalid URL'],
  ];
  for (const [title, status, location, message] of refusals) {
    verifies('HUB-HTTP-06', `are not followed ${title}`, async () => {
      const { url } = await serve({
        before: (_request, response) => {
          response.writeHead(status, { location }).end();
          return true;
        },
      });
      expect((await failureOf(connect(http(url), {}, LEGACY))).message).toContain(message);
    });
  }
});

verifies('HUB-HTTP-10', 'a thousand requests leave no listener and no warning', async () => {
  const warnings: string[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning.name);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const { url, seen } = await serve({ onCall: (response, message) => json(response, message, said('x')) });
  const { client } = await connect(http(url), {}, LEGACY);
  for (let count = 0; count < 20; count += 1) {
    await Promise.all(Array.from({ length: 50 }, () => call(client, 'x')));
  }
  expect(seen.length).toBeGreaterThan(1_000);
  expect(warnings).toEqual([]);
});

for (const kind of ['stream', 'body'] as const) {
  verifies('HUB-HTTP-12', `a large ${kind} is parsed once, and progress before it arrives first`, async () => {
    const large = 'x'.repeat(1_000_000);
    const { url } = await serve({
      onCall: (response, message) => {
        if (kind === 'body') return json(response, message, said(large));
        const progress = {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: 1, progress: 1 },
        };
        const answer = answerTo(message, large);
        stream(response, [progress, answer].map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));
      },
    });
    const { client, transport } = await connect(http(url), {}, LEGACY);
    const order: string[] = [];
    const deliver = transport.onmessage;
    transport.onmessage = (message) => {
      order.push('method' in message ? message.method : 'answer');
      deliver?.(message);
    };
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    expect(await call(client, 'x')).toBe(large);
    expect(parse.mock.calls.filter(([text]) => text.length > large.length)).toHaveLength(1);
    expect(order).toEqual(kind === 'body' ? ['answer'] : ['notifications/progress', 'answer']);
  });
}

verifies('HUB-HTTP-11', 'a server that takes no answers to its requests gets a limited number of them', async () => {
  const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
  let held = 0;
  let finish = () => {};
  const { url } = await serve({
    onCall: (response, message) => {
      if (message.method === undefined) {
        held += 1; // Never answered.
        if (held === 256) finish();
        return;
      }
      stream(response, Array.from({ length: 400 }, (_, index) => event({ id: index, method: 'ping' })).join(''));
      finish = () => response.end(event(answerTo(message, 'done')));
    },
  });
  const { client, transport } = await connect(http(url), {}, LEGACY);
  const errors: string[] = [];
  client.onerror = ({ message }) => void errors.push(message);
  expect(await call(client, 'any')).toBe('done');
  await transport.close();
  expect(held).toBe(256);
  expect(errors.filter((message) => message.includes('the server does not read what is sent to it'))).toHaveLength(144);
});
