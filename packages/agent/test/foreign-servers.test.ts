import { createHash } from 'node:crypto';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { agentAt, listenIn, next, until } from './harness.js';
import { type Ack, type Script, scripted } from './scripted-server.js';
import { tool } from './test-computer.js';

const SHORT = { graceMs: 200 };

type Payload = Record<string, unknown>;

/** The answers of the Python SDK's server and Computer, including null and missing ones. */
const PYTHON: Script = {
  'server:join_office': ({ name }: Payload, ack: Ack) =>
    name === 'late' ? ack(false, 'Internal server error: Agent already in room') : ack(true, null),
  'server:list_room': ({ req_id }: Payload, ack: Ack) =>
    ack({
      sessions: [
        { sid: '1', name: 'pc', role: 'computer', office_id: 'o' },
        { sid: '2', name: 'a', role: 'agent', office_id: 'o' },
      ],
      req_id,
    }),
  'client:get_tools': ({ req_id }: Payload, ack: Ack) =>
    ack({ tools: [{ ...tool('echo'), description: 'None', meta: null }], req_id }),
  'client:tool_call': ({ tool_name, params }: Payload, ack: Ack) => {
    if (tool_name === 'echo') {
      const block = { type: 'text', text: (params as Payload).text, annotations: null, meta: null };
      ack({ meta: null, content: [block], structuredContent: null, isError: false });
    }
    if (tool_name === 'missing') {
      const structuredContent = { error: "Tool 'missing' not found in any active server", error_type: 'ValueError' };
      ack({ meta: null, content: [], structuredContent, isError: true });
    }
    // Anything else raises an exception and gets no answer.
  },
  'client:get_desktop': ({ req_id }: Payload, ack: Ack) => ack({ desktops: ['window://x\n\ntext'], req_id }),
  'client:get_config': (_: Payload, ack: Ack) => ack(), // it has no route for this
};

describe('behind the Python server', () => {
  verifies('AGT-PEER-01', 'the Agent discovers, calls and reads the desktop', async () => {
    const server = await scripted(PYTHON);
    const agent = await agentAt(server.url, { dialect: '0.1' });
    expect(agent.computers.get('pc')).toMatchObject({ state: 'ready', tools: [{ name: 'echo', meta: {} }] });
    expect(await agent.callTool('pc', 'echo', { text: 'hi' })).toEqual({
      content: [{ type: 'text', text: 'hi' }],
      isError: false,
    });
    expect(await agent.callTool('pc', 'missing')).toMatchObject({
      isError: true,
      structuredContent: { error_type: 'ValueError' },
    });
    expect(await agent.getDesktop('pc')).toEqual(['window://x\n\ntext']);
    const changed = next(agent, 'desktopRefreshed');
    server.say('notify:update_desktop', { computer: 'pc' });
    expect(await changed).toEqual({ computer: 'pc' });
  });

  verifies(
    ['AGT-PEER-01', 'SMCP-ERR-04', 'WIRE-NORM-07'],
    'silence becomes 408, an empty answer an error',
    async () => {
      const server = await scripted(PYTHON);
      const agent = await agentAt(server.url, { dialect: '0.1', limits: SHORT });
      const silent = agent.callTool('elsewhere', 'raises', {}, { timeout: 1, reqId: 'r1' });
      await expect(silent).rejects.toMatchObject({ code: 408, details: { req_id: 'r1' } });
      await until(() => server.heard.at(-1)?.event === 'server:tool_call_cancel');
      await expect(agent.getConfig('pc')).rejects.toMatchObject({
        code: 400,
        message: expect.stringMatching(/may not support this event/),
      });
    },
  );

  verifies('AGT-PEER-01', 'refusals of taken seats and credentials are typed', async () => {
    const server = await scripted(PYTHON);
    await expect(agentAt(server.url, { name: 'late' })).rejects.toMatchObject({
      code: 403,
      message: 'Internal server error: Agent already in room',
    });
    const closed = await scripted(PYTHON, new Error('Invalid connection request'));
    await expect(agentAt(closed.url)).rejects.toMatchObject({ kind: 'Unauthorized', code: 401 });
  });
});

/** The answers of the Rust SDK's server: results in `Ok`, errors as texts in `Err`, no tool results. */
const RUST: Script = {
  'server:join_office': ({ name }: Payload, ack: Ack) =>
    name === 'late' ? ack(false, 'Failed to join room: Session error: Agent already exists in room') : ack(true, null),
  'server:list_room': ({ req_id }: Payload, ack: Ack) =>
    ack({ sessions: [{ sid: '1', name: 'pc', role: 'computer', office_id: 'o' }], req_id }),
  'client:get_tools': ({ req_id }: Payload, ack: Ack) =>
    ack({ Ok: { tools: [{ ...tool('echo'), return_schema: null, meta: undefined }], req_id } }),
  'client:tool_call': ({ tool_name }: Payload, ack: Ack) => {
    if (tool_name === 'echo')
      ack({ Ok: { content: [{ type: 'image', data: 'AA==', mime_type: 'image/png' }], is_error: false } });
    if (tool_name === 'lost') ack({ Ok: null });
    if (tool_name === 'slow') ack({ Err: 'Timeout error: tool call' });
    if (tool_name === 'bad') ack({ Err: 'Invalid request: missing field' });
    if (tool_name === 'gone') ack({ Err: 'Session error: Session not found: abc' });
  },
  'client:get_config': (_: Payload, ack: Ack) => ack({ Ok: { servers: [['files', true, 'running']] } }),
  'client:get_desktop': ({ req_id }: Payload, ack: Ack) => ack([{ Ok: { desktops: [], req_id } }]),
};

describe('behind the Rust server', () => {
  verifies('AGT-PEER-02', 'answers are unwrapped', async () => {
    const server = await scripted(RUST);
    const agent = await agentAt(server.url, { dialect: '0.1' });
    expect(agent.computers.get('pc')).toMatchObject({ state: 'ready', tools: [{ name: 'echo' }] });
    expect(await agent.callTool('pc', 'echo')).toEqual({
      content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }],
      isError: false,
    });
    expect(await agent.getConfig('pc')).toEqual({
      servers: { files: { name: 'files', active: true, state: 'running' } },
    });
    expect(await agent.getDesktop('pc')).toEqual([]);
  });

  verifies(['AGT-PEER-02', 'WIRE-NORM-07'], 'errors are typed, also for a result the server lost', async () => {
    const server = await scripted(RUST);
    const agent = await agentAt(server.url, { dialect: '0.1' });
    for (const [name, code] of [
      ['lost', 400],
      ['slow', 408],
      ['bad', 400],
      ['gone', 404],
    ] as const) {
      await expect(agent.callTool('pc', name)).rejects.toMatchObject({ name: 'SMCPError', code });
    }
    await expect(agentAt(server.url, { name: 'late' })).rejects.toMatchObject({ code: 403 });
  });

  verifies(
    'AGT-PEER-02',
    'repeated enter notifications are one, and a leave of our former connection is not a takeover',
    async () => {
      const server = await scripted(RUST);
      const agent = await agentAt(server.url, { limits: { reconnectMinMs: 10 } });
      const heard = listenIn(agent);
      server.say('notify:enter_office', { office_id: 'o', computer: 'pc' });
      // a former connection of the Agent, closed late
      server.say('notify:leave_office', { office_id: 'o', agent: 'a' });
      server.say('notify:enter_office', { office_id: 'o', computer: 'pc' });
      server.say('notify:update_tool_list', { computer: 'pc' });
      await until(() => server.heard.filter(({ event }) => event === 'client:get_tools').length >= 3);
      expect(heard).toEqual([]);
      server.say('notify:leave_office', { office_id: 'o', agent: 'a' });
      server.say('notify:x_news', {});
      server.drop('disconnect');
      await next(agent, 'reconnected');
      expect(agent.state).toBe('joined');
    },
  );
});

describe('a file of a skill', () => {
  /** The content of the n-th request for the skill, and of the n-th request for its blob. */
  async function behind(listed: readonly string[], fetched: readonly (string | object)[]) {
    const asked = { skills: 0, blobs: 0 };
    const facts = (text: string) => ({
      ...{ mime_type: 'text/markdown', total_size: Buffer.byteLength(text) },
      sha256: createHash('sha256').update(text).digest('hex'),
    });
    const server = await scripted({
      'server:join_office': (_: Payload, ack: Ack) => ack(true, null),
      'server:list_room': ({ req_id }: Payload, ack: Ack) => ack({ sessions: [], req_id }),
      'client:get_skill': ({ name, req_id }: Payload, ack: Ack) => {
        const text = listed[asked.skills++] ?? '';
        ack({ name, rel_path: 'a.md', ...facts(text), blob_handle: 'h', req_id });
      },
      'client:get_blob': ({ blob_handle, req_id }: Payload, ack: Ack) => {
        const given = fetched[asked.blobs++] ?? '';
        if (typeof given !== 'string') return ack(given);
        const blob = Buffer.from(given).toString('base64');
        ack({ ...facts(given), blob_handle, chunk_offset: 0, eof: true, blob, req_id });
      },
    });
    return { asked, agent: await agentAt(server.url) };
  }

  verifies('MEM-SKILL-09', 'that changes while it is fetched is fetched again', async () => {
    const { agent, asked } = await behind(['first', 'second!'], ['second!', 'second!']);
    expect((await agent.skill('pc', 'letters', 'a.md')).text).toBe('second!');
    expect(asked).toEqual({ skills: 2, blobs: 2 });
  });

  verifies('MEM-SKILL-09', 'is asked for three times, and once if the refusal is final', async () => {
    const changing = await behind(['1', '2', '3', '4'], ['a', 'b', 'c', 'd']);
    await expect(changing.agent.skill('pc', 'letters', 'a.md')).rejects.toMatchObject({ kind: 'BlobNotAccessible' });
    expect(changing.asked).toEqual({ skills: 3, blobs: 3 });
    for (const reason of ['gone', 'forbidden', 'invalid_handle']) {
      const { agent, asked } = await behind(['1', '1'], [{ code: 4018, message: 'no', details: { reason } }]);
      await expect(agent.skill('pc', 'letters', 'a.md')).rejects.toMatchObject({ details: { reason } });
      expect(asked).toEqual({ skills: 1, blobs: 1 });
    }
  });
});
