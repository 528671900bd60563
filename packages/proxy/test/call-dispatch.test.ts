import { PassThrough } from 'node:stream';
import { type StdioOptions, serveHttp, serveStdio } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { ProtocolError } from '@modelcontextprotocol/server';
import { describe, expect } from 'vitest';
import { atEnd } from './doors.js';
import { fixture, text } from './fixture.js';
import { start } from './hub-over.js';

type Message = Readonly<Record<string, unknown>>;

/** How many calls of `hang` were cancelled. */
let cancelled = 0;

const echo = fixture('echo', {
  say: { run: ({ words }) => text(String(words)) },
  refuse: {
    run: () => {
      throw new ProtocolError(-32_002, 'no such thing', { uri: 'demo://gone' });
    },
  },
  count: {
    run: async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken === undefined) return text('no one waits for progress');
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1, message: 'one' } });
      return text('counted');
    },
  },
  ask: {
    run: async (_args, { mcpReq }) => {
      const params = { message: 'Name?', requestedSchema: { type: 'object' as const, properties: {} } };
      const { action } = await mcpReq.elicitInput(params);
      return text(action);
    },
  },
  hang: {
    run: (_args, { mcpReq: { signal } }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          cancelled += 1;
          reject(signal.reason);
        }),
      ),
  },
});

/** A proxy over the echo server. */
async function startedProxy() {
  // Nothing here waits for the end of this time.
  const { proxy, started } = await start({ echo: await echo.entry() }, { limits: { drainMs: 600_000 } });
  await started;
  return proxy;
}

/** What a client has received. */
function inbox() {
  const received: Message[] = [];
  /** The messages up to the answer to a request, which `write` has sent. */
  const until = async (isLast: (message: Message) => boolean): Promise<readonly Message[]> => {
    await expect.poll(() => received.some(isLast), { timeout: 30_000 }).toBe(true);
    return received.splice(0, received.findIndex(isLast) + 1);
  };
  return { received, until };
}

/** A client that writes and reads lines. */
async function connect(options: StdioOptions = {}) {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const proxy = await startedProxy();
  const errors: string[] = [];
  const onError = ({ message }: Error) => void errors.push(message);
  const endpoint = serveStdio(proxy, { passThrough: true, onError, ...options, input, output });
  atEnd(() => endpoint.close());
  const { received, until } = inbox();
  let rest = '';
  output.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    received.push(...lines.map((line) => JSON.parse(line) as Message));
  });
  const write = (message: unknown) =>
    input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  const cancel = (requestId: number) =>
    write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'enough' } });
  return { write, cancel, until, errors, received, end: () => input.end(), closed: endpoint.closed };
}

/** A client that posts each message. `answered`: the headers of the responses, in the order of their beginning. */
async function connectHttp() {
  const endpoint = await serveHttp(await startedProxy(), { passThrough: true });
  atEnd(() => endpoint.close());
  const { received, until } = inbox();
  const answered: Headers[] = [];
  const pending = new Map<unknown, AbortController>();
  let session: string | null = null;
  const post = async (message: Message) => {
    const { params, method } = message as { readonly params?: Message; readonly method?: string };
    const meta = params?._meta as Message | undefined;
    const version = String(meta?.['io.modelcontextprotocol/protocolVersion'] ?? '2025-11-25');
    const controller = new AbortController();
    pending.set(message.id, controller);
    const response = await fetch(endpoint.url, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(method !== 'initialize' && { 'mcp-protocol-version': version }),
        ...(session !== null && { 'mcp-session-id': session }),
        ...(session === null && method && { 'mcp-method': method, 'mcp-name': String(params?.name) }),
      },
      body: JSON.stringify(message),
    });
    session ??= response.headers.get('mcp-session-id');
    answered.push(response.headers);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const events = isStream ? text.split('\n\n') : [];
      if (isStream) text = events.pop() ?? '';
      for (const event of events)
        if (event.includes('data: ')) received.push(JSON.parse(event.split('data: ')[1] ?? ''));
    }
    if (text !== '') received.push(JSON.parse(text));
  };
  const write = (message: unknown) => {
    const { id } = message as Message;
    post(message as Message)
      .catch((error: Error) => {
        if (error.name !== 'AbortError') received.push({ error: error.message });
      })
      .finally(() => pending.delete(id));
  };
  const cancel = (requestId: number) => {
    if (session === null) pending.get(requestId)?.abort();
    else write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'enough' } });
  };
  return { write, cancel, until, received, answered, isPending: (id: number) => pending.has(id) };
}

const capabilities = { elicitation: { form: {} } };
const clientInfo = { name: 'raw', version: '1' };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
};
const CLIENTS = [
  { door: 'stdio', generation: '2025-11-25', meta: undefined },
  { door: 'stdio', generation: '2026-07-28', meta: envelope },
  { door: 'http', generation: '2025-11-25', meta: undefined },
  { door: 'http', generation: '2026-07-28', meta: envelope },
] as const;

describe.each(CLIENTS)('calls of a client of $generation over $door', ({ door, generation, meta }) => {
  const opened = async () => {
    const client = await (door === 'stdio' ? connect() : connectHttp());
    if (!meta) {
      const params = { protocolVersion: generation, capabilities, clientInfo };
      client.write({ jsonrpc: '2.0', id: 'first', method: 'initialize', params });
      await client.until(({ id }) => id === 'first');
      client.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    }
    let last = 0;
    const call = (name: string, more: object = {}, { _meta = {}, ...params }: { readonly _meta?: object } = {}) => {
      const id = ++last;
      const allMeta = { ...meta, ..._meta };
      const withMeta = Object.keys(allMeta).length > 0 && { _meta: allMeta };
      client.write({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, ...more, ...withMeta, ...params } });
      return id;
    };
    /** What a client gets for a call, without the ids of requests. */
    const outcome = async (...args: Parameters<typeof call>) => {
      const id = call(...args);
      const messages = await client.until((message) => message.id === id && !('method' in message));
      return messages.map(({ id: _, ...message }) => message);
    };
    return { ...client, call, outcome };
  };

  verifies('MCPX-SERVE-09', 'get the same answers as the first one, which the SDK handles', async () => {
    const { outcome } = await opened();
    const calls: Parameters<typeof outcome>[] = [
      ['say', { arguments: { words: 'hello' } }],
      ['say'],
      ['refuse'],
      ['nothing'],
      ['count', {}, { _meta: { progressToken: 'p' } }],
      ['count'],
    ];
    for (const each of calls) {
      const handledByProxy = (await outcome('say')) && (await outcome(...each));
      // An unknown member makes the SDK handle it.
      const [name, more = {}, params] = each;
      const handledBySdk = await outcome(name, { ...more, 'x-unknown': 1 }, params);
      expect(handledByProxy).toEqual(handledBySdk);
    }
    const [progress, counted] = await outcome('count', {}, { _meta: { progressToken: 7 } });
    expect(progress).toMatchObject({ method: 'notifications/progress', params: { progressToken: 7, message: 'one' } });
    expect(counted).toMatchObject({ result: { content: [{ text: 'counted' }] } });
  });

  verifies('MCPX-SERVE-09', 'can ask the person at the client', async () => {
    const { call, until, write, outcome } = await opened();
    await outcome('say');
    const id = call('ask');
    if (!meta) {
      const [question] = await until(({ method }) => method === 'elicitation/create');
      write({ jsonrpc: '2.0', id: question?.id, result: { action: 'decline' } });
      expect(await until((message) => message.id === id)).toMatchObject([
        { result: { content: [{ text: 'decline' }] } },
      ]);
      return;
    }
    const [{ result }] = (await until((message) => message.id === id)) as [{ result: Message }];
    expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    const [key = ''] = Object.keys(result.inputRequests as object);
    const repeated = { requestState: result.requestState, inputResponses: { [key]: { action: 'decline' } } };
    expect(await outcome('ask', repeated)).toMatchObject([{ result: { content: [{ text: 'decline' }] } }]);
  });

  verifies('MCPX-SERVE-09', 'are cancelled, without an answer', async () => {
    const { call, cancel, outcome, received, ...client } = await opened();
    await outcome('say');
    const before = cancelled;
    const requestId = call('hang');
    await outcome('say');
    cancel(requestId);
    await expect.poll(() => cancelled, { timeout: 30_000 }).toBe(before + 1);
    await outcome('say');
    expect(received).toEqual([]);
    // The response ends.
    if ('isPending' in client) await expect.poll(() => client.isPending(requestId), { timeout: 30_000 }).toBe(false);
  });
});

describe.each(CLIENTS.filter(({ door }) => door === 'http'))('over HTTP, calls of $generation', ({ meta }) => {
  verifies('MCPX-SERVE-09', 'are dispatched after the first one, also with equal ids at the same time', async () => {
    const { write, until, answered } = await connectHttp();
    if (!meta) {
      write({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize });
      await until(({ id }) => id === 0);
    }
    const call = (id: number, name: string, more: object = {}) => {
      const params = { name, ...more, ...((meta || name === 'count') && { _meta: { ...meta, progressToken: 'p' } }) };
      write({ jsonrpc: '2.0', id, method: 'tools/call', params });
    };
    call(1, 'say', { arguments: { words: 'first' } });
    await until(({ id }) => id === 1);
    // The SDK sends no length.
    expect(answered.splice(0).at(-1)?.get('content-length')).toBeNull();
    for (let count = 0; count < 5; count++) call(2, 'say', { arguments: { words: `${count}` } });
    const texts: unknown[] = [];
    for (let count = 0; count < 5; count++) {
      const [{ result }] = (await until(({ id }) => id === 2)) as [{ result: { content: [{ text: string }] } }];
      texts.push(result.content[0].text);
    }
    expect(texts.toSorted()).toEqual(['0', '1', '2', '3', '4']);
    expect(answered.splice(0).every((headers) => headers.has('content-length'))).toBe(true);
    call(3, 'count');
    expect(await until(({ id }) => id === 3)).toMatchObject([{ method: 'notifications/progress' }, { result: {} }]);
    expect(answered[0]?.get('content-type')).toBe('text/event-stream');
  });
});

verifies(
  'MCPX-SERVE-08',
  'a body with too many values is refused without being parsed, a long text is not',
  async () => {
    const { write, until } = await connectHttp();
    write({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize });
    await until(({ id }) => id === 0);
    const call = (id: number, words: unknown) =>
      write({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'say', arguments: { words } } });
    call(1, Array(600_000).fill(0));
    const refusal = { error: { code: -32_602, message: expect.stringContaining('has more than 100000 values') } };
    expect(await until(({ id }) => id === 1)).toMatchObject([refusal]);
    call(2, ',"\\'.repeat(400_000));
    expect(await until(({ id }) => id === 2)).toMatchObject([{ result: {} }]);
  },
);

verifies('MCPX-SERVE-09', 'a 2026 client with an invalid envelope is refused, also after valid calls', async () => {
  const { write, until } = await connect();
  const send = async (id: number, _meta: object) => {
    write({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'say', _meta } });
    return (await until((message) => message.id === id)).at(-1);
  };
  expect(await send(1, envelope)).toHaveProperty('result');
  expect(await send(2, envelope)).toHaveProperty('result');
  for (const [index, invalid] of [
    {},
    { ...envelope, 'io.modelcontextprotocol/clientCapabilities': 'all' },
    { ...envelope, 'io.modelcontextprotocol/clientInfo': 'me' },
  ].entries()) {
    expect(await send(3 + index, invalid)).toMatchObject({ error: { code: -32_602 } });
  }
  expect(await send(9, envelope)).toHaveProperty('result');
});

verifies(
  'MCPX-SERVE-10',
  'an invalid message on stdio is answered with what is wrong, and the next one is served',
  async () => {
    const { write, until, errors } = await connect();
    const base = { jsonrpc: '2.0', method: 'ping' };
    const invalid: readonly (readonly [unknown, number | null, RegExp])[] = [
      [[{ ...base, id: 1 }], null, /one JSON-RPC object/],
      [7, null, /a JSON object/],
      [{ id: 2, method: 'ping' }, 2, /"jsonrpc" must be "2.0"/],
      [{ ...base, id: 1.5 }, null, /"id" must be/],
      [{ ...base, id: 3, method: 4 }, 3, /"method" must be a string/],
      [{ jsonrpc: '2.0', id: 4 }, 4, /"method" is missing/],
      [{ ...base, id: 5, params: [] }, 5, /"params" must be an object/],
      [{ ...base, id: 6, params: { _meta: 1 } }, 6, /"params._meta" must be/],
      [{ ...base, id: 7, params: { _meta: { progressToken: {} } } }, 7, /progressToken/],
    ];
    for (const [message, id, why] of invalid) {
      write(message);
      const answer = (await until((each) => 'error' in each)).at(-1);
      expect(answer).toMatchObject({ id, error: { code: -32_600, message: expect.stringMatching(why) } });
    }
    write('not JSON');
    expect(await until((each) => 'error' in each)).toMatchObject([{ id: null, error: { code: -32_700 } }]);
    // An answer that is invalid is not answered.
    write({ jsonrpc: '2.0', id: 99, result: null });
    write(
      `\ufeff${JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'initialize', unknown: true, params: initialize })}`,
    );
    expect(await until(({ id }) => id === 8)).toMatchObject([{ result: { protocolVersion: '2025-11-25' } }]);
    expect(errors).toHaveLength(invalid.length + 2);
  },
);

const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;

verifies(
  'MCPX-SERVE-08',
  'metadata that nests too deeply is refused on stdio, in the first call and later',
  async () => {
    const { write, until } = await connect();
    write({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize });
    await until(({ id }) => id === 0);
    for (const [index, _meta] of [
      `{"io.modelcontextprotocol/logLevel":${deep}}`,
      undefined,
      `{"io.modelcontextprotocol/clientInfo":${deep}}`,
    ].entries()) {
      const id = index + 1;
      write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"say","_meta":${_meta ?? '{}'}}}`);
      const answer = (await until((message) => message.id === id)).at(-1);
      const refusal = { error: { code: -32_602, message: expect.stringContaining('nests deeper than 1000 levels') } };
      expect(answer).toMatchObject(_meta ? refusal : { result: {} });
    }
  },
);

verifies('MCPX-SERVE-10', 'requests that were sent before the end of the input are answered', async () => {
  const { write, until, end, closed } = await connect();
  write({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize });
  write({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'say', arguments: { words: 'one' } } });
  write({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'say', arguments: { words: 'two' } } });
  end();
  await closed;
  const answers = await until(() => true);
  const all = [...answers, ...(await until(() => true)), ...(await until(() => true))];
  expect(all.map(({ id }) => id).toSorted()).toEqual([0, 1, 2]);
});

verifies('MCPX-SERVE-10', 'open subscriptions do not delay the end', async () => {
  const { write, until, end, closed } = await connect();
  const params = { notifications: { toolsListChanged: true }, _meta: envelope };
  write({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
  await until(({ method }) => method === 'notifications/subscriptions/acknowledged');
  end();
  await closed;
});

const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
