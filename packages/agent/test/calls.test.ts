import { META_KEYS, REQUEST_EVENTS, SMCPError, wireNames } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { agentAt, listenIn, next, serve, settle, until } from './harness.js';
import { scripted } from './scripted-server.js';
import { TestComputer, text, tool } from './test-computer.js';

const TOOLS = ['echo', 'fail', 'deny', 'gate', 'silent'].map((name) => tool(name));

async function office(limits = {}) {
  const server = await serve({ limits });
  const computer = await TestComputer.join(server.url, { tools: TOOLS });
  const agent = await agentAt(server.url);
  return { server, computer, agent };
}

describe('a call', () => {
  verifies(
    ['SMCP-TOOL-01', 'SMCP-TOOL-06', 'SMCP-EVENT-01', 'AGT-CALL-01'],
    'reaches the Computer with all fields and returns its result',
    async () => {
      const { agent, computer } = await office();
      expect(await agent.callTool('pc', 'echo', { text: 'hello' }, { timeout: 7 })).toEqual(text('hello'));
      expect(computer.heard.at(-1)).toMatchObject({
        event: 'client:tool_call',
        payload: {
          agent: 'a',
          req_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          computer: 'pc',
          tool_name: 'echo',
          params: { text: 'hello' },
          timeout: 7,
          accept_blobs: true,
          tool_names: 'display',
        },
      });
    },
  );

  verifies('SEC-NAME-50', 'by the name in the list says which MCP server is meant', async () => {
    const tools = [tool('echo', { bundle_id: 'files' }), tool('other')];
    const { url } = await serve();
    const computer = await TestComputer.join(url, { tools });
    const agent = await agentAt(url);
    const sent = () => computer.heard.at(-1)?.payload;
    await agent.callNamed('pc__echo');
    expect(sent()).toMatchObject({ tool_name: 'echo', bundle_id: 'files' });
    await agent.toAISDKTools().pc__echo?.execute({}, {});
    expect(sent()).toMatchObject({ tool_name: 'echo', bundle_id: 'files' });
    await agent.callTool('pc', 'echo', {}, { bundleId: 'files' });
    expect(sent()).toMatchObject({ tool_name: 'echo', bundle_id: 'files' });
    // A model that has read the former list means the former server.
    const former = agent.toAISDKTools();
    computer.tools = [tool('echo', { bundle_id: 'evil' })];
    computer.announce('server:update_tool_list');
    await until(() => agent.tools()[0]?.tool.bundle_id === 'evil');
    const runs = computer.runs.length;
    await expect(former.pc__echo?.execute({}, {})).rejects.toMatchObject({ kind: 'ToolNotFound' });
    expect(computer.runs).toHaveLength(runs);
    await agent.callTool('pc', 'echo');
    expect(sent()).not.toHaveProperty('bundle_id');
  });

  verifies(
    'AGT-CALL-01',
    'of a failing tool returns a result; of an unavailable tool rejects with a typed error',
    async () => {
      const { agent } = await office();
      expect(await agent.callTool('pc', 'fail')).toEqual(text('it broke', true));
      const cases = [
        ['pc', 'deny', { name: 'SMCPError', kind: 'ToolDisabled', code: 403, message: 'switched off' }],
        ['pc', 'no-such-tool', { kind: 'ToolNotFound', code: 404 }],
        ['absent', 'echo', { kind: 'NotFound', code: 404, details: { computer: 'absent' } }],
      ] as const;
      for (const [computer, name, error] of cases) {
        const thrown = await agent.callTool(computer, name).catch((reason: unknown) => reason);
        expect(thrown).toBeInstanceOf(SMCPError);
        expect(thrown).toMatchObject(error);
      }
    },
  );

  verifies(['SMCP-MSG-01', 'SMCP-CAT-04'], 'that is malformed rejects with 400 and is not sent', async () => {
    const { agent, computer, server } = await office();
    const sent = server.audit.length;
    const wrong = [
      () => agent.callTool('pc', 'echo', [] as unknown as Record<string, unknown>),
      () => agent.callTool('', 'echo'),
      () => agent.callTool('pc', 7 as unknown as string),
      () => agent.callTool('pc', 'echo', {}, { timeout: -1 }),
      () => agent.callTool('pc', 'echo', {}, { reqId: 'x'.repeat(1_000) }),
    ];
    for (const call of wrong) await expect(call()).rejects.toMatchObject({ code: 400 });
    await settle();
    expect(server.audit).toHaveLength(sent);
    expect(computer.runs).toEqual([]);
    // Every event that the Agent sent under the reserved prefixes is defined by the protocol.
    const known = new Set<string>(REQUEST_EVENTS.flatMap((event) => wireNames(event)));
    expect(server.audit.filter(({ event }) => event !== 'connect' && !known.has(event))).toEqual([]);
  });

  verifies('SMCP-CALL-02', "has a unique id; a reused id returns that call's result", async () => {
    const { agent, computer } = await office();
    await Promise.all(Array.from({ length: 20 }, () => agent.callTool('pc', 'echo', { text: 'x' })));
    expect(new Set(computer.runs).size).toBe(20);
    const first = await agent.callTool('pc', 'echo', { text: 'first' }, { reqId: 'mine' });
    expect(await agent.callTool('pc', 'echo', { text: 'second' }, { reqId: 'mine' })).toEqual(first);
    expect(computer.runs.filter((id) => id === 'mine')).toHaveLength(1);
  });

  verifies('AGT-CALL-05', 'is repeated after a 429', async () => {
    const { agent, computer } = await office({ callsPerSecond: 20, officeCallsPerSecond: 20 });
    const calls = Array.from({ length: 60 }, (_, i) => agent.callTool('pc', 'echo', { text: `${i}` }));
    expect((await Promise.all(calls)).map(({ content }) => content[0]?.text)).toEqual(
      Array.from({ length: 60 }, (_, i) => `${i}`),
    );
    expect(computer.runs).toHaveLength(60);
  });

  verifies('AGT-CALL-05', 'is not repeated when the Server asks for a delay beyond its deadline', async () => {
    const server = await scripted({
      'server:join_office': (_, ack) => ack(true, null),
      'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
      'client:tool_call': (_, ack) => ack({ code: 429, message: 'later', details: { retry_after: 3_600 } }),
    });
    const agent = await agentAt(server.url);
    await expect(agent.callTool('pc', 'echo', {}, { timeout: 60 })).rejects.toMatchObject({ code: 429 });
    expect(server.heard.filter(({ event }) => event === 'client:tool_call')).toHaveLength(1);
  });
});

verifies('SEC-ONCE-08', 'a call that may have run is not sent again after a 429', async () => {
  const details = { retry_after: 0.01, [META_KEYS.execution]: 'unknown' };
  const server = await scripted({
    'server:join_office': (_, ack) => ack(true, null),
    'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
    'client:tool_call': (_, ack) => ack({ code: 429, message: 'later', details }),
  });
  const agent = await agentAt(server.url);
  await expect(agent.callTool('pc', 'echo', {}, { timeout: 2 })).rejects.toMatchObject({ code: 429 });
  expect(server.heard.filter(({ event }) => event === 'client:tool_call')).toHaveLength(1);
});

verifies('COST-AGENT-03', 'a refusal that asks for no delay is not repeated in a loop without a pause', async () => {
  const server = await scripted({
    'server:join_office': (_, ack) => ack(true, null),
    'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
    'client:tool_call': (_, ack) => ack({ code: 429, message: 'later', details: { retry_after: 0.000_1 } }),
  });
  const agent = await agentAt(server.url);
  await expect(agent.callTool('pc', 'echo', {}, { timeout: 2 })).rejects.toMatchObject({ code: 429 });
  // Hundreds if it were repeated at once.
  expect(server.heard.filter(({ event }) => event === 'client:tool_call').length).toBeLessThan(20);
});

describe('cancellation', () => {
  verifies(
    ['SMCP-TOOL-04', 'SMCP-TOOL-05', 'SMCP-TOOL-07', 'AGT-CALL-04', 'AGT-EVENT-01'],
    'by id ends the call with the answer of the Computer',
    async () => {
      const { agent, computer } = await office();
      const call = agent.callTool('pc', 'gate', {}, { reqId: 'r7' });
      await until(() => computer.waiting === 1);
      const cancelled = next(agent, 'callCancelled');
      agent.cancel('r7');
      expect(await call).toMatchObject({ isError: true, _meta: { a2c_cancelled: true } });
      expect(await cancelled).toEqual({ agent: 'a', reqId: 'r7' });
      expect(computer.stopped).toEqual(['r7']);
    },
  );

  verifies('AGT-CALL-02', 'by signal rejects at once with the reason and cancels on the Computer', async () => {
    const { agent, computer } = await office();
    const stop = new AbortController();
    const call = agent.callTool('pc', 'gate', {}, { signal: stop.signal, reqId: 'r8' });
    await until(() => computer.waiting === 1);
    stop.abort(new Error('changed my mind'));
    await expect(call).rejects.toThrow('changed my mind');
    await until(() => computer.stopped.includes('r8'));
    const runs = computer.runs.length;
    await expect(agent.callTool('pc', 'echo', {}, { signal: stop.signal })).rejects.toThrow('changed my mind');
    await expect(agent.getDesktop('pc', { signal: stop.signal })).rejects.toThrow('changed my mind');
    expect(computer.runs).toHaveLength(runs);
  });
});

describe('deadlines', () => {
  verifies(
    ['AGT-CALL-03', 'AGT-CALL-02', 'SMCP-ERR-04'],
    'are staggered: the Server answers for a silent Computer, and the call is cancelled',
    async () => {
      const { agent, computer } = await office();
      const started = performance.now();
      await expect(agent.callTool('pc', 'silent', {}, { timeout: 1, reqId: 'late' })).rejects.toMatchObject({
        kind: 'ToolTimeout',
        code: 408,
        message: expect.stringMatching(/did not answer within 3 s/),
      });
      expect((performance.now() - started) / 1_000).toBeGreaterThan(2.9);
      await until(() => computer.stopped.includes('late'));
    },
  );

  verifies(
    ['AGT-CALL-03', 'AGT-CALL-02', 'SMCP-ERR-04'],
    'are enforced by the Agent when the Server is silent as well',
    async () => {
      const server = await scripted({
        'server:join_office': (_, ack) => ack(true, null),
        'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
      });
      const agent = await agentAt(server.url, { limits: { graceMs: 500, queryMs: 500 } });
      const started = performance.now();
      await expect(agent.callTool('pc', 'x', {}, { timeout: 0.2, reqId: 'r1' })).rejects.toMatchObject({
        kind: 'ToolTimeout',
        code: 408,
        details: { computer: 'pc', tool: 'x', req_id: 'r1' },
      });
      expect((performance.now() - started) / 1_000).toBeGreaterThan(1.4); // 0.2 s is one whole second on the wire
      await until(() => server.heard.some(({ event }) => event === 'server:tool_call_cancel'));
      expect(server.heard.at(-1)?.payload).toEqual({ agent: 'a', req_id: 'r1' });
      expect(server.heard.find(({ event }) => event === 'client:tool_call')?.payload.timeout).toBe(1);
      await expect(agent.getConfig('pc')).rejects.toMatchObject({ kind: 'Timeout', code: 408 });
    },
  );
});

describe('queries', () => {
  verifies(
    ['SMCP-TOOL-02', 'SMCP-DESK-01', 'WIRE-EVENT-01', 'WIRE-EVENT-02'],
    'for configuration, desktop and room are answered in both dialects',
    async () => {
      for (const dialect of ['spec', '0.1'] as const) {
        const { url, audit } = await serve();
        const computer = await TestComputer.join(url, { dialect });
        const agent = await agentAt(url, { dialect });
        expect(await agent.getConfig('pc')).toEqual({ servers: { files: { type: 'stdio' } }, inputs: [{ id: 'key' }] });
        expect(computer.heard.at(-1)?.event).toBe(dialect === 'spec' ? 'client:get_mcp_config' : 'client:get_config');
        expect(await agent.getDesktop('pc')).toEqual(['window://one', 'window://two']);
        expect(await agent.getDesktop('pc', { size: 1 })).toEqual(['window://one']);
        expect(await agent.getDesktop('pc', { window: 'window://x' })).toEqual(['window://x']);
        const room = await agent.listRoom();
        expect(room.map(({ name, role, office_id }) => [name, role, office_id])).toEqual([
          ['pc', 'computer', 'o'],
          ['a', 'agent', 'o'],
        ]);
        expect(audit.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
      }
    },
  );

  verifies(
    ['AGT-CALL-06', 'WIRE-NORM-07'],
    'reject when the answer belongs to another request or is empty',
    async () => {
      const server = await scripted({
        'server:join_office': (_, ack) => ack(true, null),
        'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id }),
        'client:get_desktop': (_, ack) => ack({ desktops: ['not yours'], req_id: 'another' }),
        'client:get_config': (_, ack) => ack(),
        'client:tool_call': (_, ack) => ack(null),
      });
      const agent = await agentAt(server.url);
      await expect(agent.getDesktop('pc')).rejects.toMatchObject({
        code: 400,
        message: expect.stringMatching(/answer has another req_id/),
      });
      await expect(agent.getConfig('pc')).rejects.toMatchObject({
        code: 400,
        message: expect.stringMatching(/the answer is empty/),
      });
      await expect(agent.callTool('pc', 'x')).rejects.toMatchObject({
        code: 400,
        message: expect.stringMatching(/the answer is empty/),
      });
    },
  );
});

verifies('SMCP-EXT-06', 'unknown fields in answers are accepted', async () => {
  const server = await scripted({
    'server:join_office': (_, ack) => ack(true, null),
    'server:list_room': ({ req_id }, ack) => ack({ sessions: [], req_id, page: 1 }),
    'client:tool_call': (_, ack) => ack({ ...text('x'), novelty: { a: 1 } }),
  });
  const agent = await agentAt(server.url);
  expect(listenIn(agent)).toEqual([]);
  expect(await agent.callTool('pc', 'x')).toEqual({ ...text('x'), novelty: { a: 1 } });
});
