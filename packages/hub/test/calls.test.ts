import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { type ConsentHandler, type ConsentRequest, HubError } from '../src/index.js';
import { hub, jsonOf, run, server, textOf, tools, until } from './hub.js';

verifies('HUB-CALL-01', 'invalid arguments are refused with parameter, expected type and signature', async () => {
  const tool = {
    name: 'edit',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        mode: { enum: ['fast', 'careful'] },
        edits: {
          type: 'array',
          items: { type: 'object', properties: { line: { type: 'integer', minimum: 1 } }, required: ['line'] },
        },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['path', 'edits'],
      additionalProperties: false,
    },
  };
  const manager = await hub([server('w', tools(tool, { name: 'broken', inputSchema: { $ref: '#/nowhere' } }))]);
  const problems = async (args: Record<string, never>) => {
    const error = await manager.executeTool('edit', args).then(
      () => undefined,
      (thrown) => thrown,
    );
    expect(error).toMatchObject({ kind: 'invalid-arguments', server: 'w', tool: 'edit' });
    expect(error.message).toContain(
      'Call it as edit(path: string, edits: object[], mode?: "fast" | "careful", note?: string | null)',
    );
    return error.problems.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`);
  };
  const given = (args: unknown) => args as Record<string, never>;
  expect(await problems(given({ path: 7 }))).toEqual([
    'edits: is required (object[])',
    'path: expected string, got number',
  ]);
  expect(await problems(given({ path: '', edits: [{ line: 0 }, {}] }))).toEqual([
    'edits[0].line: must be at least 1, got 0',
    'edits[1].line: is required (integer)',
  ]);
  expect(await problems(given({ path: '', edits: [], mode: 'slow', pth: 1 }))).toEqual([
    'mode: expected one of "fast","careful", got "slow"',
    'pth: is not a parameter',
  ]);
  expect(await problems(given({ path: '', edits: [], note: 3 }))).toEqual(['note: expected string | null, got number']);
  // With an invalid schema the check is left to the server.
  expect(textOf(await manager.executeTool('broken', { anything: true }))).toBe('called broken');
});

verifies('HUB-CALL-12', 'consent is asked after the arguments were checked and before the tool runs', async () => {
  const manager = await hub([server('w', { tool_meta: { echo: { alias: 'say', auto_apply: false } } })]);
  const asked: unknown[] = [];
  const consent = async ({ tool, arguments: args, signal }: ConsentRequest) => {
    const { server: name, name: own, displayName, meta } = tool;
    asked.push([name, own, displayName, meta?.auto_apply, args, signal.aborted]);
    return args.message !== 'no';
  };
  await expect(manager.executeTool('say', { message: 7 }, { consent })).rejects.toMatchObject({
    kind: 'invalid-arguments',
  });
  await expect(manager.executeTool('nothing', {}, { consent })).rejects.toMatchObject({ kind: 'unknown-tool' });
  expect(asked).toEqual([]);
  expect(textOf(await manager.callTool('w', 'echo', { message: 'yes' }, { consent }))).toBe('yes');
  expect(asked).toEqual([['w', 'echo', 'say', false, { message: 'yes' }, false]]);
  await expect(manager.executeTool('say', { message: 'no' }, { consent })).rejects.toMatchObject({
    kind: 'consent-denied',
    server: 'w',
    tool: 'echo',
  });
  expect(jsonOf(await manager.executeTool('counts', {}))['tools/call']).toBe(2);
});

verifies('HUB-CALL-12', 'consent that is late, cancelled or fails ends the call without running the tool', async () => {
  const manager = await hub([server('w')]);
  const echo = (consent: ConsentHandler, options = {}) =>
    manager.executeTool('echo', { message: 'hi' }, { consent, ...options }).catch(({ kind }) => kind);
  const never = () => new Promise<never>(() => {});
  expect(await echo(never, { timeout: 0.05 })).toBe('consent-timeout');
  expect(await echo(() => Promise.reject(new DOMException('too late', 'TimeoutError')))).toBe('consent-timeout');
  expect(await echo(never, { signal: AbortSignal.abort() })).toBe('cancelled');
  expect(await echo(() => Promise.reject(new Error('no screen')))).toBe('consent-failed');
  expect(await echo(() => Promise.reject(new HubError('consent-unavailable', 'no one')))).toBe('consent-unavailable');
  expect(jsonOf(await manager.executeTool('counts', {}))['tools/call']).toBe(1);
});

verifies('HUB-CALL-12', 'the time for consent counts against the deadline of the call', async () => {
  const manager = await hub([server('w')]);
  const consent = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    return true;
  };
  // Each part alone would be in time.
  const call = manager.executeTool('sleep', { ms: 2_000 }, { consent, timeout: 2.5 });
  await expect(call).rejects.toMatchObject({ kind: 'timeout' });
});

verifies(['HUB-CALL-02', 'SMCP-SEC-08'], 'a call ends at its deadline and is cancelled at the server', async () => {
  const manager = await hub([server('w', { server_parameters: run('workshop.mjs') })]);
  await expect(manager.executeTool('sleep', { ms: 3_600_000 }, { timeout: 0.05 })).rejects.toMatchObject({
    kind: 'timeout',
    message: 'the call of "sleep" took longer than 0.05 s',
  });
  await until(async () => jsonOf(await manager.executeTool('cancelled', {})).length === 1);
  expect(manager.status()[0]).toMatchObject({ state: 'connected', callsInFlight: 0 });
  // Progress does not extend the deadline.
  const onProgress = () => {};
  await expect(manager.executeTool('sleep', { ms: 3_600_000 }, { timeout: 0.05, onProgress })).rejects.toMatchObject({
    kind: 'timeout',
  });
});

verifies('HUB-CALL-02', 'the configured timeout of a server applies if the caller sets none', async () => {
  const slow = server('w', { type: 'stdio', server_parameters: run('workshop.mjs') });
  const manager = await hub([{ ...slow, timeouts: { timeout: 0.05, sse_read_timeout: null } }]);
  await expect(manager.executeTool('sleep', { ms: 3_600_000 })).rejects.toMatchObject({ kind: 'timeout' });
  expect(textOf(await manager.executeTool('sleep', { ms: 100 }, { timeout: 60 }))).toBe('slept');
});

verifies('HUB-CALL-03', 'aborting a call cancels it at the server', async () => {
  const manager = await hub([server('w')]);
  const controller = new AbortController();
  const call = manager.executeTool('sleep', { ms: 3_600_000 }, { signal: controller.signal });
  await until(async () => jsonOf(await manager.executeTool('counts', {})).sleeping === 1);
  controller.abort('changed my mind');
  await expect(call).rejects.toMatchObject({ kind: 'cancelled', cause: 'changed my mind' });
  await until(async () => jsonOf(await manager.executeTool('cancelled', {})).length === 1);
  await expect(manager.executeTool('echo', { message: '' }, { signal: controller.signal })).rejects.toMatchObject({
    kind: 'cancelled',
  });
});

verifies('HUB-CALL-04', 'progress is passed on, step by step', async () => {
  const manager = await hub([server('w')]);
  const steps: unknown[] = [];
  await manager.executeTool('progress', { steps: 3 }, { onProgress: (step) => steps.push(step) });
  expect(steps).toMatchObject([
    { progress: 1, total: 3 },
    { progress: 2, total: 3 },
    { progress: 3, total: 3 },
  ]);
});

verifies('HUB-CALL-05', 'a result is complete, and reserved meta keys of a server are removed', async () => {
  const manager = await hub([server('w')]);
  expect(await manager.executeTool('odd', {})).toEqual({
    content: [
      { type: 'text', text: 'plain', extra: 1 },
      { type: 'hologram', beams: 3 },
      { type: 'resource_link', uri: 'file:///a' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
    structuredContent: [1, 2],
    unheard: 'of',
    _meta: { 'their/own': true },
  });
});

verifies('HUB-CALL-06', 'a VRL script gets the whole result, and its output is added to `_meta`', async () => {
  const vrl =
    '. = { "said": .content[0].text, "tool": .tool_name, "given": .parameters, "bad": .isError, "tags": .meta.a2c_tool_meta.tags }';
  const manager = await hub([server('w', { vrl, default_tool_meta: { tags: ['x'] } })]);
  const result = await manager.executeTool('echo', { message: 'héllo' });
  expect(textOf(result)).toBe('héllo');
  expect(result._meta?.a2c_vrl_transformed).toBe(
    '{"bad":false,"given":{"message":"héllo"},"said":"héllo","tags":["x"],"tool":"echo"}',
  );
  const failed = await manager.executeTool('fail', {});
  expect(failed.isError).toBe(true);
  expect(JSON.parse(failed._meta?.a2c_vrl_transformed as string)).toMatchObject({ bad: true, said: 'it broke' });
});

verifies('HUB-CALL-07', 'a script that fails causes a warning; one that does not compile fails the start', async () => {
  const manager = await hub([server('w', { vrl: '.n = to_int!(.content[0].text)' })]);
  const warnings: string[] = [];
  manager.on('warning', ({ message }) => warnings.push(message));
  const result = await manager.executeTool('echo', { message: 'not a number' });
  expect(result).toEqual({ content: [{ type: 'text', text: 'not a number' }] });
  expect(warnings).toEqual([expect.stringMatching(/^the VRL script failed on a result of "echo": /)]);
  expect((await manager.executeTool('echo', { message: '42' }))._meta).toBeDefined();

  const status = await manager.addOrUpdateServer({ ...server('v', tools('t')), vrl: 'this is not VRL' });
  expect(status).toMatchObject({ state: 'error', retryAt: null, cause: expect.stringMatching(/VRL/i) });
});

verifies(
  'HUB-CALL-07',
  'a script that takes long delays its own call only, and at most until the deadline',
  async () => {
    const vrl =
      'ns = array!(parse_json!(.content[0].text)); for_each(ns) -> |_i, _a| { for_each(ns) -> |_j, b| { .n = b } }';
    const manager = await hub([server('slow', { vrl }), server('other', tools('hello'))]);
    const warnings: string[] = [];
    manager.on('warning', ({ message }) => warnings.push(message));
    const message = JSON.stringify(Array(20_000).fill(1));
    let isOver = false;
    const slow = manager.executeTool('echo', { message }, { timeout: 2 }).finally(() => {
      isOver = true;
    });
    for (let call = 0; call < 5; call++) expect(textOf(await manager.executeTool('hello', {}))).toBe('called hello');
    expect(isOver).toBe(false);
    expect(await slow).toEqual({ content: [{ type: 'text', text: message }] });
    expect(warnings).toEqual([expect.stringMatching(/^the VRL script failed on a result of "echo": /)]);
    await manager.executeTool('echo', { message: `["${'x'.repeat(3_000_000)}"]` });
    expect(warnings[1]).toMatch(/the result has \d+ characters, and a script gets up to \d+$/);
  },
);

verifies(['HUB-CALL-08', 'SMCP-SEC-08'], 'calls over the limits are queued, then refused', async () => {
  const manager = await hub([server('w')], { limits: { callsInFlight: 2, callsQueued: 3 } });
  const release = new AbortController();
  const calls = Array.from({ length: 5 }, () =>
    manager.executeTool('sleep', { ms: 3_600_000 }, { signal: release.signal }).catch((error) => error.kind),
  );
  await until(() => manager.status()[0]?.callsQueued === 3);
  expect(manager.status()[0]).toMatchObject({ callsInFlight: 2, callsQueued: 3 });
  await expect(manager.executeTool('echo', { message: '' })).rejects.toMatchObject({
    kind: 'overloaded',
    message: 'server "w" is busy: 2 calls in flight, 3 waiting; try again later',
  });
  release.abort();
  expect(await Promise.all(calls)).toEqual(Array(5).fill('cancelled'));
  expect(manager.status()[0]).toMatchObject({ callsInFlight: 0, callsQueued: 0 });
  const served = await Promise.all(
    Array.from({ length: 5 }, (_, index) => manager.executeTool('echo', { message: String(index) })),
  );
  expect(served.map(textOf)).toEqual(['0', '1', '2', '3', '4']);
});

verifies(
  ['HUB-CALL-08', 'COST-SHARE-02'],
  'a caller leaves places for others, and waiting callers take turns',
  async () => {
    const manager = await hub([server('w')], { limits: { callsInFlight: 2, callsQueued: 2 } });
    const release = new AbortController();
    const ended: string[] = [];
    const call = (caller: string, ms: number) =>
      manager
        .executeTool('sleep', { ms }, { caller, signal: release.signal })
        .then(() => ended.push(caller))
        .catch(({ kind }) => kind);
    const slow = Array.from({ length: 4 }, () => call('a', 3_600_000));
    expect(manager.status()[0]).toMatchObject({ callsInFlight: 2, callsQueued: 2 });
    expect(await call('a', 0)).toBe('overloaded');
    await call('b', 0);
    expect(ended).toEqual(['b']);
    // Six callers take the last places; five calls of the others wait.
    const last = call('b', 100);
    for (const caller of 'cdefg') void call(caller, 3_600_000);
    const waiting = [call('h', 0), call('h', 0), call('b', 0)];
    await Promise.all([...waiting, last]);
    expect(ended.slice(1, 4)).toEqual(['b', 'b', 'h']);
    release.abort();
    expect(await Promise.all(slow)).toEqual(Array(4).fill('cancelled'));
    expect(manager.status()[0]).toMatchObject({ callsInFlight: 0, callsQueued: 0 });
  },
);

verifies('HUB-CALL-10', 'a JSON-RPC error keeps its code, text and data; a failed tool is a result', async () => {
  const manager = await hub([server('w')]);
  await expect(manager.executeTool('refuse', {})).rejects.toMatchObject({
    kind: 'upstream',
    code: -32_050,
    message: 'not on Sundays',
    data: { day: 0 },
    server: 'w',
  });
  expect(await manager.executeTool('fail', {})).toEqual({
    content: [{ type: 'text', text: 'it broke' }],
    isError: true,
  });
});

verifies('HUB-CALL-11', 'metadata of the caller reaches the server', async () => {
  const manager = await hub([server('w')]);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(jsonOf(await manager.executeTool('metadata', {}, { meta: { traceparent } }))).toMatchObject({ traceparent });
});

verifies('HUB-CALL-01', 'annotations, old drafts and OpenAPI keywords refuse no call', async () => {
  const inputSchema = {
    type: 'object',
    properties: {
      link: { type: 'string', format: 'uri' },
      size: { type: 'number', minimum: 0, exclusiveMinimum: false },
      share: { type: 'number', minimum: 0, exclusiveMinimum: true },
      note: { type: 'string', nullable: true },
      code: { type: 'string', pattern: '(?<broken' },
      format: { type: 'string' },
      place: { $ref: '#/$defs/Place' },
      'odd "name"': { const: { format: 'uri' } },
    },
    required: ['odd "name"'],
    $defs: { Place: { type: 'object', properties: { x: { type: 'integer' }, unit: { enum: ['m', 'km'] } } } },
  };
  const manager = await hub([server('w', tools({ name: 't', inputSchema }))]);
  const fine = { link: 'no uri', size: 0, note: null, code: 'x', format: 'y', 'odd "name"': { format: 'uri' } };
  expect(textOf(await manager.executeTool('t', fine))).toBe('called t');
  const problems = (args: object) =>
    manager.executeTool('t', { ...fine, ...args } as never).then(
      () => [],
      (error) => error.problems.map(({ path, message }: Record<string, string>) => `${path}: ${message}`),
    );
  expect(await problems({ share: 0 })).toEqual(['share: must be above 0, got 0']);
  expect(await problems({ place: { x: 'far', unit: 'mile' } })).toEqual([
    'place.x: expected integer, got string',
    'place.unit: expected one of "m","km", got "mile"',
  ]);
  await expect(manager.executeTool('t', {})).rejects.toMatchObject({
    problems: [{ path: 'odd "name"', message: 'is required ({"format":"uri"})' }],
  });
  expect(await problems({ format: 7 })).toEqual(['format: expected string, got number']);
});

verifies('HUB-CALL-10', 'arguments that are not JSON fail only their own call', async () => {
  const manager = await hub([server('w', { tool_meta: {} })]);
  const other = manager.executeTool('sleep', { ms: 200 });
  await expect(manager.request('w', 'ping', { wide: 10n } as never)).rejects.toMatchObject({ kind: 'refused' });
  expect(textOf(await other)).toBe('slept');
  expect(manager.status()[0]).toMatchObject({ state: 'connected', restarts: 0 });
});

verifies('CHOICE-INSPECT-03', 'a required argument with a default may be left out', async () => {
  const properties = { a: { type: 'string' }, b: { type: 'number', default: 3 } };
  const inputSchema = { type: 'object', properties, required: ['a', 'b'] };
  const manager = await hub([server('w', tools({ name: 'saw', inputSchema }))]);
  expect(textOf(await manager.executeTool('saw', { a: 'x' }))).toBe('called saw');
  await expect(manager.executeTool('saw', { b: 1 })).rejects.toMatchObject({ kind: 'invalid-arguments' });
  await expect(manager.executeTool('saw', { a: 'x', b: 'y' })).rejects.toMatchObject({ kind: 'invalid-arguments' });
});

verifies('HUB-CALL-15', 'an answer is matched by its id, also as text; other answers are ignored', async () => {
  const manager = await hub([server('odd', { server_parameters: run('odd.mjs', {}, ['text-ids']) })]);
  const texts = ['a', 'b', 'c'];
  const results = await Promise.all(texts.map((text) => manager.executeTool('echo', { text })));
  expect(results.map(textOf)).toEqual(texts);
  expect(manager.status()).toMatchObject([{ state: 'connected', restarts: 0 }]);
});
