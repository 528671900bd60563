import { createHash } from 'node:crypto';
import { executionOf, parseAnswer, SMCPError } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { type Authenticator, apiKey } from '@a2c/server';
import { describe, expect } from 'vitest';
import { ask, CALL, type RawSocket, recordEvents, serve, settle, type TestServer, until } from './harness.js';

const VERSIONS = { '0.1': '0.1.2', '0.2': '0.2.2', '0.3': '0.3.1', '0.4': '0.4.0', '0.5': '0.5.0' } as const;
type Known = keyof typeof VERSIONS;

const as = (generation: Known, more: object = {}) => ({ query: { a2c_version: VERSIONS[generation] }, ...more });
const REQUEST = { agent: 'a', req_id: 'r1', computer: 'pc' };

/** An Agent and a foreign Computer in an office of their own. */
async function pair(server: TestServer, agent: Known | 'spec', computer: Known, office = `${agent}-${computer}`) {
  const how = agent === 'spec' ? as('0.1', { auth: { dialect: 'spec' } }) : as(agent);
  return {
    agent: await server.member('agent', 'a', office, how),
    computer: await server.member('computer', 'pc', office, as(computer)),
  };
}

/** Answers a request of the Server and records its payloads. */
function answer(computer: RawSocket, event: string, value: unknown): Record<string, unknown>[] {
  const payloads: Record<string, unknown>[] = [];
  computer.on(event, (payload: Record<string, unknown>, ack: (value: unknown) => void) => {
    payloads.push(payload);
    ack(typeof value === 'function' ? value(payload) : value);
  });
  return payloads;
}

describe('one office with all generations', () => {
  verifies('GEN-SRV-01', 'admits a Computer of each, shows their versions and relays to each', async () => {
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o', as('0.4'));
    for (const generation of ['0.1', '0.2', '0.3', '0.4'] as const) {
      const computer = await server.member('computer', generation, 'o', as(generation));
      answer(computer, 'client:tool_call', { content: [], isError: false });
      expect(await ask(agent, 'client:tool_call', { ...CALL, req_id: generation, computer: generation })).toEqual([
        { content: [], isError: false },
      ]);
    }
    const [room] = await ask(agent, 'server:list_room', { agent: 'a', req_id: 'l', office_id: 'o' });
    const versions = (room as { sessions: { a2c_version: string }[] }).sessions.map(({ a2c_version }) => a2c_version);
    expect(versions.toSorted()).toEqual(['0.1.2', '0.2.2', '0.3.1', '0.4.0', '0.4.0']);
  });

  verifies('GEN-SRV-02', 'answers errors to each Agent in its form, never with its req_id', async () => {
    const server = await serve();
    for (const generation of ['0.1', '0.2', '0.3', '0.4'] as const) {
      const agent = await server.member('agent', 'a', generation, as(generation));
      const [error] = await ask(agent, 'client:get_tools', REQUEST);
      const nested = generation === '0.1' ? { error: expect.objectContaining({ code: 404 }) } : {};
      const name = generation === '0.1' ? {} : { computer_name: 'pc' };
      expect(error).toEqual({
        code: 404,
        message: expect.any(String),
        details: { computer: 'pc', ...name },
        ...nested,
      });
    }
  });

  verifies('GEN-SRV-04', 'sends update_skills to members from 0.2 on only', async () => {
    const server = await serve();
    const members = await Promise.all(
      (['0.1', '0.2', '0.3', '0.4'] as const).map(async (generation) => ({
        generation,
        heard: recordEvents(await server.member('computer', generation, 'o', as(generation))),
      })),
    );
    const silent = recordEvents(await server.member('agent', 'a', 'o'));
    const computer = await server.member('computer', 'pc', 'o', as('0.4'));
    expect(await ask(computer, 'server:update_skills', { computer: 'pc' })).toEqual([]);
    const got = () =>
      members.filter(({ heard }) => heard.some(([event]) => event === 'notify:update_skills')).map((m) => m.generation);
    await until(() => got().length === 3);
    await settle();
    expect(got()).toEqual(['0.2', '0.3', '0.4']);
    expect(silent.filter(([event]) => event === 'notify:update_skills')).toEqual([]);
  });
});

describe('requests of newer generations', () => {
  const NEW = {
    'client:get_resources': { mcp_server: 's' },
    'client:get_skills': {},
    'client:get_skill': { name: 'x' },
    'client:get_blob': { blob_handle: 'h'.repeat(303) },
    'client:put_blob': { chunk_offset: 0, eof: true, blob: 'AA==', total_size: 1, sha256: 'ab' },
  };

  verifies('GEN-SRV-03', 'are relayed to a Computer that knows them', async () => {
    const { agent, computer } = await pair(await serve(), '0.4', '0.4');
    for (const [event, fields] of Object.entries(NEW)) {
      const heard = answer(computer, event, { req_id: 'r1', done: event });
      expect(await ask(agent, event, { ...REQUEST, ...fields })).toEqual([{ req_id: 'r1', done: event }]);
      expect(heard).toEqual([{ ...REQUEST, ...fields }]);
    }
  });

  verifies('GEN-SRV-03', 'are answered for an older Computer, which is not asked', async () => {
    const server = await serve();
    const { agent, computer } = await pair(server, '0.4', '0.1');
    const heard = recordEvents(computer);
    const answers = await Promise.all(
      Object.entries(NEW).map(async ([event, fields]) => (await ask(agent, event, { ...REQUEST, ...fields }))[0]),
    );
    expect(answers).toMatchObject([
      { code: 4015, mcp_server: 's', capability: 'resources' },
      { skills: [], req_id: 'r1' },
      { code: 4014 },
      { code: 4018, details: { reason: 'invalid_handle' } },
      { code: 4019, details: { reason: 'forbidden' } },
    ]);
    expect(heard.filter(([event]) => event.startsWith('client:'))).toEqual([]);
    for (const generation of ['0.2', '0.3'] as const) {
      const older = await pair(server, '0.4', generation);
      const put = ask(older.agent, 'client:put_blob', { ...REQUEST, ...NEW['client:put_blob'] });
      expect(await put).toMatchObject([{ code: 4019, details: { reason: 'forbidden' } }]);
    }
  });
});

verifies('GEN-EVENT-02', 'retired requests are answered with 400, and not relayed', async () => {
  const { agent, computer } = await pair(await serve(), '0.4', '0.4');
  const heard = recordEvents(computer);
  for (const event of ['client:get_dpe', 'client:open_dpe', 'client:get_finder', 'server:update_finder'])
    expect(await ask(agent, event, REQUEST), event).toMatchObject([{ code: 400 }]);
  expect(heard).toEqual([]);
});

describe('answers of a foreign Computer', () => {
  const TOOL = { name: 'add', description: 'd', params_schema: {}, return_schema: null, meta: {} };
  const STDIO = { name: 'my srv', type: 'stdio', disabled: false, server_parameters: { command: 'x', args: ['y'] } };
  const CONFIG = { servers: { 'my srv': STDIO }, inputs: [{ id: 'p', type: 'pickString', options: ['a', 'b'] }] };

  verifies('GEN-SRV-05', 'tools get a bundle id for Agents from 0.3 on; names pass unchanged', async () => {
    const server = await serve();
    for (const [agentGeneration, computerGeneration, bundleId] of [
      ['0.4', '0.1', 'pc'],
      ['0.3', '0.2', 'pc'],
      ['0.2', '0.1', undefined],
    ] as const) {
      const { agent, computer } = await pair(server, agentGeneration, computerGeneration);
      answer(computer, 'client:get_tools', { tools: [TOOL], req_id: 'r1' });
      const [listed] = await ask(agent, 'client:get_tools', REQUEST);
      expect(listed).toEqual({ tools: [bundleId ? { ...TOOL, bundle_id: bundleId } : TOOL], req_id: 'r1' });
    }
    const named = await pair(server, '0.4', '0.1', 'named');
    answer(named.computer, 'client:get_tools', { tools: [{ ...TOOL, meta: { a2c_server: 'my srv' } }], req_id: 'r1' });
    expect(await ask(named.agent, 'client:get_tools', REQUEST)).toMatchObject([{ tools: [{ bundle_id: 'my_srv' }] }]);
    const { agent, computer } = await pair(server, '0.1', '0.4');
    const exposed = { ...TOOL, name: 'srv__add', bundle_id: 'srv' };
    answer(computer, 'client:get_tools', { tools: [exposed], req_id: 'r1' });
    expect(await ask(agent, 'client:get_tools', REQUEST)).toEqual([{ tools: [exposed], req_id: 'r1' }]);
  });

  verifies(
    ['GEN-SRV-05', 'GEN-DOC-04'],
    'a configuration has the keys and the shape of the Agent’s generation',
    async () => {
      const server = await serve();
      const { agent, computer } = await pair(server, '0.4', '0.1');
      answer(computer, 'client:get_config', CONFIG);
      const [newer] = await ask(agent, 'client:get_config', REQUEST);
      expect(newer).toMatchObject({
        servers: { my_srv: { name: 'my srv', bundle_id: 'my_srv', server_parameters: { command: 'x', env: null } } },
        inputs: [
          {
            options: [
              { label: 'a', value: 'a' },
              { label: 'b', value: 'b' },
            ],
          },
        ],
      });
      // Computers of 0.3.0 to 0.3.2 have texts as options, later ones of 0.3 have objects.
      const early = await pair(server, '0.3', '0.3');
      answer(early.computer, 'client:get_config', { ...(newer as object), inputs: CONFIG.inputs });
      expect(await ask(early.agent, 'client:get_config', REQUEST)).toMatchObject([
        { servers: { my_srv: { bundle_id: 'my_srv' } }, inputs: [{ options: [{ label: 'a', value: 'a' }, {}] }] },
      ]);
      const document = await pair(server, 'spec', '0.4');
      answer(document.computer, 'client:get_config', newer);
      const [older] = await ask(document.agent, 'client:get_mcp_config', REQUEST);
      expect(older).toMatchObject({
        servers: { 'my srv': { type: 'stdio', command: 'x', disabled: false, tool_meta: {} } },
        inputs: [{ options: ['a', 'b'] }],
      });
    },
  );

  verifies('GEN-SRV-05', 'an MCP server is addressed as the Computer knows it', async () => {
    const server = await serve();
    const older = await pair(server, '0.4', '0.2');
    answer(older.computer, 'client:get_config', CONFIG);
    const asked = answer(older.computer, 'client:get_resources', { resources: [], req_id: 'r1' });
    await ask(older.agent, 'client:get_resources', { ...REQUEST, mcp_server: 'my_srv' });
    const newer = await pair(server, '0.2', '0.4');
    answer(newer.computer, 'client:get_config', { servers: { my_srv: { ...STDIO, bundle_id: 'my_srv' } } });
    const askedNewer = answer(newer.computer, 'client:get_resources', { resources: [], req_id: 'r1' });
    await ask(newer.agent, 'client:get_resources', { ...REQUEST, mcp_server: 'my srv' });
    await ask(newer.agent, 'client:get_resources', { ...REQUEST, mcp_server: 'other' });
    expect(asked.map(({ mcp_server }) => mcp_server)).toEqual(['my srv']);
    expect(askedNewer.map(({ mcp_server }) => mcp_server)).toEqual(['my_srv', 'other']);
  });

  verifies('GEN-SRV-02', 'an error has the form of the Agent’s generation', async () => {
    const server = await serve();
    const { agent, computer } = await pair(server, '0.1', '0.4');
    answer(computer, 'client:get_tools', { code: 404, message: 'no', details: {} });
    expect(await ask(agent, 'client:get_tools', REQUEST)).toMatchObject([{ error: { code: 404 } }]);
    const other = await pair(server, '0.4', '0.1');
    answer(other.computer, 'client:get_desktop', { error: { code: 404, message: 'no', details: { a2c_code: 4014 } } });
    const [flat] = await ask(other.agent, 'client:get_desktop', REQUEST);
    expect(flat).toMatchObject({ code: 4014 });
    expect(flat).not.toHaveProperty('error');
    // The MCP server has another field in 0.2.
    const resources = { ...REQUEST, mcp_server: 'x' };
    const newer = await pair(server, '0.2', '0.3');
    answer(newer.computer, 'client:get_config', { servers: {} });
    answer(newer.computer, 'client:get_resources', { code: 4014, message: 'no', mcp_server: 'x' });
    expect(await ask(newer.agent, 'client:get_resources', resources)).toMatchObject([
      { code: 4014, mcp_server: 'x', mcp_server_name: 'x' },
    ]);
    const older = await pair(server, '0.4', '0.2');
    answer(older.computer, 'client:get_config', { servers: {} });
    answer(older.computer, 'client:get_resources', { code: 4014, message: 'no', mcp_server_name: 'x' });
    expect(await ask(older.agent, 'client:get_resources', resources)).toMatchObject([{ code: 4014, mcp_server: 'x' }]);
  });
});

describe('blobs of a foreign Computer', () => {
  const DATA = Buffer.alloc(300_000, 'x');
  const sha256 = createHash('sha256').update(DATA).digest('hex');
  const block = (handle: string) => ({
    type: 'image',
    data: '',
    mimeType: 'image/png',
    _meta: { a2c_blob_handle: handle, a2c_total_size: DATA.length, a2c_sha256: sha256, own: 1 },
  });

  function offerBlobs(computer: RawSocket, totalSize = DATA.length, digest = sha256) {
    answer(computer, 'client:tool_call', { content: [block('h')], isError: false, meta: null });
    return answer(computer, 'client:get_blob', ({ chunk_offset = 0, blob_handle, req_id }: Record<string, number>) => {
      const chunk = DATA.subarray(chunk_offset, chunk_offset + 200_000);
      const eof = chunk_offset + chunk.length === DATA.length;
      const facts = { blob_handle, mime_type: 'image/png', total_size: totalSize, sha256: digest, chunk_offset, eof };
      return { ...facts, blob: chunk.toString('base64'), req_id };
    });
  }

  verifies('GEN-SRV-06', 'are inserted for an Agent of 0.1 and left to one of 0.2', async () => {
    const server = await serve();
    const older = await pair(server, '0.1', '0.4');
    const fetched = offerBlobs(older.computer);
    expect(await ask(older.agent, 'client:tool_call', CALL)).toEqual([
      {
        content: [{ type: 'image', data: DATA.toString('base64'), mimeType: 'image/png', _meta: { own: 1 } }],
        isError: false,
        meta: null,
      },
    ]);
    expect(fetched).toHaveLength(2);
    const newer = await pair(server, '0.2', '0.4');
    const notFetched = offerBlobs(newer.computer);
    expect(await ask(newer.agent, 'client:tool_call', CALL)).toMatchObject([{ content: [block('h')] }]);
    expect(notFetched).toEqual([]);
  });

  verifies('GEN-SRV-06', 'that are too large or damaged become an error', async () => {
    const server = await serve();
    const huge = await pair(server, '0.1', '0.4', 'huge');
    offerBlobs(huge.computer, 1e9);
    expect(await ask(huge.agent, 'client:tool_call', CALL)).toMatchObject([
      { isError: true, error: { details: { a2c_code: 4003, bytes: 1e9 } } },
    ]);
    const damaged = await pair(server, '0.1', '0.4', 'damaged');
    offerBlobs(damaged.computer, DATA.length, '00');
    expect(await ask(damaged.agent, 'client:tool_call', CALL)).toMatchObject([{ error: { code: 500 } }]);
  });

  verifies('SEC-RESULT-02', 'that are refused do not make a call that has run one that has not', async () => {
    const refusals = [
      { code: 4018, message: 'no', details: { reason: 'invalid_handle' } },
      { code: 429, message: 'busy', details: {} },
      { code: 403, message: 'no', details: {} },
      { blob: 5 },
    ];
    const { agent, computer } = await pair(await serve(), '0.1', '0.4');
    answer(computer, 'client:tool_call', { content: [block('bogus')], isError: false });
    const left = [...refusals];
    answer(computer, 'client:get_blob', () => left.shift());
    for (const i of refusals.keys()) {
      const ack = await ask(agent, 'client:tool_call', { ...CALL, req_id: `r${i}` });
      const error = await (async () => parseAnswer('client:tool_call', ack))().catch((thrown: Error) => thrown);
      expect(error).toBeInstanceOf(SMCPError);
      expect(executionOf(error)).toBe('ran');
    }
  });
});

describe('blobs that the Server fetches', () => {
  const MIB = 2 ** 20;
  const CHUNK = Buffer.alloc(MIB, 'x').toString('base64');
  const as1 = (key: string) => as('0.1', { auth: { api_key: key } });
  const authenticate: Authenticator = ({ auth }) => ({ subject: String(auth.api_key) });

  /** Sends the first MiB of each blob, and then nothing. Returns the offsets that were asked for. */
  async function endless(server: TestServer, office: string, key: string): Promise<number[]> {
    const computer = await server.member('computer', 'pc', office, as('0.4', { auth: { api_key: key } }));
    const offsets: number[] = [];
    const _meta = { a2c_blob_handle: 'h' };
    answer(computer, 'client:tool_call', { content: [{ type: 'image', data: '', _meta }], isError: false });
    computer.on('client:get_blob', ({ chunk_offset, req_id }, ack) => {
      offsets.push(chunk_offset);
      const facts = { blob_handle: 'h', mime_type: '', total_size: 2 * MIB, sha256: '', chunk_offset, eof: false };
      if (chunk_offset === 0) ack({ ...facts, blob: CHUNK, req_id });
    });
    return offsets;
  }

  const held = (offsets: readonly number[]) => offsets.filter((offset) => offset === MIB).length;
  const call = (agent: RawSocket, req_id: string, timeout = 60) =>
    ask(agent, 'client:tool_call', { ...CALL, req_id, timeout }, 60_000).then(([result]) => JSON.stringify(result));

  verifies('COST-MEMBER-15', 'count to the memory of the Agent, and those of others are not affected', async () => {
    const server = await serve({ authenticate, limits: { unfinishedBytes: 8 * MIB } });
    const others = await endless(server, 'honest', 'honest');
    const honest = await server.member('agent', 'a', 'honest', as1('honest'));
    let isEnded = false;
    void call(honest, 'h1').then(() => (isEnded = true));
    await until(() => held(others) === 1);
    await endless(server, 'evil', 'evil');
    const evil = await server.member('agent', 'a', 'evil', as1('evil'));
    const failed: string[] = [];
    for (let i = 0; i < 12; i++) void call(evil, `e${i}`).then((result) => failed.push(result));
    // 8 MiB are 6 blobs of 1 MiB as Base64, of which one is that of the other identity.
    await until(() => failed.length >= 7);
    expect(failed.every((result) => result.includes('too much memory'))).toBe(true);
    expect([failed.length, isEnded, evil.connected]).toEqual([7, false, true]);
  });

  verifies('COST-MEMBER-15', 'have the deadline of the call', async () => {
    const server = await serve({ authenticate });
    await endless(server, 'o', 'k');
    const agent = await server.member('agent', 'a', 'o', as1('k'));
    const started = performance.now();
    expect(await call(agent, 'r1', 1)).toContain('did not answer within 3 s');
    expect(performance.now() - started).toBeLessThan(25_000); // The timeout of one request for a blob is 30 s.
  });

  verifies('COST-MEMBER-15', 'are dropped when the Agent cancels the call, or is gone', async () => {
    const server = await serve({ authenticate, limits: { unfinishedBytes: 4 * MIB } });
    const offsets = await endless(server, 'o', 'k');
    const agent = await server.member('agent', 'a', 'o', as1('k'));
    const calls = ['r1', 'r2'].map((id) => call(agent, id));
    await until(() => held(offsets) === 2);
    await ask(agent, 'server:tool_call_cancel', { agent: 'a', req_id: 'r1' });
    expect(await calls[0]).toContain('cancelled');
    await ask(agent, 'server:leave_office', { office_id: 'o' });
    expect(await calls[1]).toContain('the Agent is gone');
    // There is memory for three, so the first two no longer have any.
    const next = await server.member('agent', 'a', 'o', as1('k'));
    const failed: string[] = [];
    for (const id of ['r3', 'r4', 'r5']) void call(next, id).then((result) => failed.push(result));
    await until(() => held(offsets) === 5);
    await settle();
    expect(failed).toEqual([]);
  });

  verifies('COST-MEMBER-15', 'count to the answers that are kept for repetitions', async () => {
    const { agent, computer } = await pair(await serve(), '0.1', '0.4');
    const data = Buffer.alloc(6 * MIB);
    const sha256 = createHash('sha256').update(data).digest('hex');
    const _meta = { a2c_blob_handle: 'h' };
    const calls = answer(computer, 'client:tool_call', {
      content: [{ type: 'image', data: '', _meta }],
      isError: false,
    });
    const facts = { blob_handle: 'h', mime_type: '', total_size: data.length, sha256, chunk_offset: 0, eof: true };
    const blob = data.toString('base64');
    answer(computer, 'client:get_blob', ({ req_id }: { req_id: string }) => ({ ...facts, blob, req_id }));
    for (const req_id of ['r1', 'r2', 'r3']) expect(await call(agent, req_id)).toContain('AAAA');
    // 16 MiB are kept.
    expect(await call(agent, 'r1')).toContain('make room for newer ones');
    expect(calls).toHaveLength(3);
  });

  verifies('COST-MEMBER-15', 'as attachments count to the answers that are kept for repetitions, too', async () => {
    const { agent, computer } = await pair(await serve(), '0.4', '0.4');
    const calls = answer(computer, 'client:tool_call', {
      content: [{ type: 'text', text: 'x', more: Buffer.alloc(7 * MIB) }],
      isError: false,
    });
    for (const req_id of ['r1', 'r2', 'r3']) await call(agent, req_id);
    expect(await call(agent, 'r1')).toContain('make room for newer ones');
    expect(calls).toHaveLength(3);
  });
});

verifies(
  'GEN-SRV-07',
  'a Computer of a2c is asked in the Agent’s generation, and its answer passes unchanged',
  async () => {
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o', as('0.1'));
    const computer = await server.member('computer', 'pc', 'o', { ...as('0.4'), auth: { adapts: true } });
    const heard = answer(computer, 'client:get_config', { servers: { as: 'it likes' } });
    expect(await ask(agent, 'client:get_config', { ...REQUEST, agent_generation: '0.3' })).toEqual([
      { servers: { as: 'it likes' } },
    ]);
    expect(heard).toEqual([{ ...REQUEST, agent_generation: '0.1' }]);
  },
);

describe('rules of the document', () => {
  verifies(
    'GEN-DOC-01',
    'a repeated req_id reaches a foreign Computer once, while pending and afterwards',
    async () => {
      const { agent, computer } = await pair(await serve(), '0.4', '0.4');
      const calls = answer(computer, 'client:tool_call', { content: [{ type: 'text', text: 'done' }], isError: false });
      const [first, second] = await Promise.all([
        ask(agent, 'client:tool_call', CALL),
        ask(agent, 'client:tool_call', CALL),
      ]);
      expect([second, await ask(agent, 'client:tool_call', CALL)]).toEqual([first, first]);
      expect(calls).toHaveLength(1);
      const [other] = await ask(agent, 'client:tool_call', { ...CALL, params: { x: 2 } });
      expect(other).toMatchObject({ code: 400, message: expect.stringContaining('belongs to another call') });
      await ask(agent, 'client:tool_call', { ...CALL, req_id: 'r2' });
      expect(calls).toHaveLength(2);
    },
  );

  verifies('GEN-DOC-01', 'a call that was lost with the Computer is not repeated on its new connection', async () => {
    const server = await serve();
    const { agent, computer } = await pair(server, '0.4', '0.4');
    const lost = ask(agent, 'client:tool_call', CALL);
    computer.on('client:tool_call', () => computer.disconnect());
    expect(await lost).toMatchObject([{ code: 404 }]);
    const again = await server.member('computer', 'pc', '0.4-0.4', as('0.4'));
    const calls = answer(again, 'client:tool_call', { content: [], isError: false });
    expect(await ask(agent, 'client:tool_call', CALL)).toMatchObject([
      { code: 404, message: expect.stringContaining('may have run') },
    ]);
    expect(calls).toEqual([]);
  });

  verifies('GEN-DOC-02', 'an acknowledgement that is not an object becomes 500', async () => {
    const server = await serve();
    // Also of a Computer that claims to be a Computer of a2c: its answers are not decoded.
    for (const auth of [{}, { adapts: true }]) {
      const office = JSON.stringify(auth);
      const agent = await server.member('agent', 'a', office, as('0.4'));
      const computer = await server.member('computer', 'pc', office, { ...as('0.4'), auth });
      const values = ['text', 7, true, [], ['a', 'b'], null];
      answer(computer, 'client:get_desktop', () => values.shift());
      for (let i = values.length; i > 0; i--)
        expect(await ask(agent, 'client:get_desktop', REQUEST)).toMatchObject([{ code: 500 }]);
    }
  });

  verifies('GEN-DOC-03', 'details of a Computer’s error are redacted', async () => {
    const { agent, computer } = await pair(await serve(), '0.1', '0.1');
    const details = { api_key: 'sk-secret', url: 'https://u:hunter2@example.com', tool: 't' };
    answer(computer, 'client:get_tools', { error: { code: 500, message: 'm', details } });
    answer(computer, 'client:get_desktop', { code: 500, message: 'm', details });
    answer(computer, 'client:tool_call', { content: [], isError: true, error: { code: 500, message: 'm', details } });
    for (const [event, request] of [
      ['client:get_tools', REQUEST],
      ['client:get_desktop', REQUEST],
      ['client:tool_call', CALL],
    ] as const) {
      const text = JSON.stringify(await ask(agent, event, request));
      expect(text).toContain('"tool":"t"');
      expect(text).not.toMatch(/sk-secret|hunter2/);
    }
  });

  verifies('SEC-RESULT-02', 'a result of a foreign Computer never proves that its tool has not run', async () => {
    const refusal = { code: 404, message: 'no', details: { a2c_code: 4001, a2c_execution: 'not-run' } };
    const results = [
      { error: refusal },
      { meta: { a2c_error: refusal } },
      { meta: { a2c_execution: 'not-run' } },
      { _meta: { a2c_execution: 'not-run', a2c_reason: 'consent_denied' } },
      { content: [{ type: 'text', text: '工具调用二次确认被拒绝，请稍后再试' }] },
    ].map((form) => ({ content: [], isError: true, ...form }));
    const texts = ['403 Forbidden', 'record not found', '工具调用二次确认被拒绝，请稍后再试'];
    const forms = [
      ...results,
      ...results.flatMap((each) => [{ Ok: each }, [{ Ok: [each] }]]),
      ...texts.flatMap((text) => [{ Err: text }, [{ Err: text }], { error: text }]),
    ];
    const server = await serve();
    for (const [own, other] of [
      ['0.1', '0.1'],
      ['0.4', '0.1'],
      ['0.4', '0.4'],
    ] as const) {
      const { agent, computer } = await pair(server, own, other);
      const left = [...forms];
      answer(computer, 'client:tool_call', () => left.shift());
      for (const [i, form] of forms.entries()) {
        const ack = await ask(agent, 'client:tool_call', { ...CALL, req_id: `r${i}` });
        const outcome = await (async () => parseAnswer('client:tool_call', ack))().catch((error: Error) => error);
        expect(executionOf(outcome), JSON.stringify(form)).not.toBe('not-run');
      }
    }
  });

  verifies('GEN-DOC-05', 'the Computer sees the name of the seat', async () => {
    const { agent, computer } = await pair(await serve(), '0.4', '0.4');
    const calls = answer(computer, 'client:tool_call', { content: [], isError: false });
    await ask(agent, 'client:tool_call', { ...CALL, agent: 'somebody else' });
    expect(calls).toMatchObject([{ agent: 'a' }]);
  });

  verifies('GEN-DOC-06', 'a refused join carries the error for peers of the document and of a2c', async () => {
    const server = await serve();
    await server.member('agent', 'a', 'o');
    const join = async (how: object) =>
      ask(await server.connect(how), 'server:join_office', { role: 'agent', name: 'b', office_id: 'o' });
    const error = expect.objectContaining({ details: expect.objectContaining({ office_id: 'o', role: 'agent' }) });
    const reason = expect.stringMatching(/^403\/4101 /);
    expect(await join({ auth: { dialect: 'spec' } })).toEqual([false, reason, error]);
    expect(await join({ ...as('0.4'), auth: { adapts: true } })).toEqual([false, reason, error]);
    expect(await join(as('0.4'))).toEqual([false, reason]);
  });
});

verifies('GEN-LINK-03', 'a key is accepted wherever a generation sends it', async () => {
  const server = await serve({ authenticate: apiKey('k') });
  for (const how of [
    { extraHeaders: { 'x-api-key': 'k' } },
    { extraHeaders: { access_token: 'k' } },
    { auth: { token: 'k' } },
    { auth: { api_key: 'k' } },
  ])
    await server.connect(how);
  await expect(server.connect({ extraHeaders: { access_token: 'wrong' } })).rejects.toThrow('Invalid connection');
});
