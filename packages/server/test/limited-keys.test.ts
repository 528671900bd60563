import { GENERATIONS } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { ask, eventually, serve } from './harness.js';

type Scope = { readonly tools?: readonly string[]; readonly servers?: readonly string[] };
interface Tool {
  /** The bundle id. */
  readonly server: string;
  /** The name of the server; its bundle id by default. */
  readonly named?: string;
  readonly name: string;
  readonly alias?: string;
}

const TOOLS: readonly Tool[] = [
  { server: 'my_shell', name: 'run', alias: 'r' },
  { server: 'notes', name: 'read_secret' },
  { server: 'notes', name: 'read' },
];
const entry = (name: string) => ({ type: 'stdio', name, server_parameters: { command: 'x', args: [], env: null } });
const REQUEST = { agent: 'a', req_id: 'q', computer: 'pc' };
let ids = 0;

/** A limited Agent and a Computer of another maker, which knows no limits. */
async function limited(scope: Scope, generation: '0.1' | '0.2' | '0.4' = '0.4', tools = TOOLS) {
  const server = await serve({
    authenticate: async ({ auth }) => ({ subject: String(auth.api_key), ...(auth.api_key === 'guest' && scope) }),
  });
  const query = { a2c_version: GENERATIONS[generation].version };
  const computer = await server.member('computer', 'pc', 'o', { query, auth: { api_key: 'pc' } });
  const isNew = generation === '0.4';
  const asked: string[] = [];
  computer.on('client:get_tools', ({ req_id }, ack) => {
    asked.push('tools');
    const wire = tools.map(({ server: id, name, alias }) => ({
      ...{ name: isNew ? `${id}__${name}` : name, description: '', params_schema: { type: 'object' } },
      ...{
        return_schema: null,
        meta: {
          a2c_tool_meta: JSON.stringify({ alias: alias ?? null }),
          ...(generation === '0.2' && { a2c_server: id }),
        },
      },
      ...(isNew && { bundle_id: id }),
    }));
    ack({ tools: wire, req_id });
  });
  const others = tools.map(({ server: id, named = id }) => [id, entry(named)]);
  const config = { ...Object.fromEntries(others), my_shell: entry('my shell') };
  computer.on('client:get_config', (_request, ack) => ack({ servers: config, inputs: [] }));
  computer.on('client:tool_call', ({ tool_name }, ack) => {
    asked.push(tool_name);
    ack({ content: [{ type: 'text', text: 'ran' }], isError: false });
  });
  for (const event of ['client:get_desktop', 'client:get_resources', 'client:get_skills', 'client:get_blob'])
    computer.on(event, () => asked.push(event));
  const agent = await server.member('agent', 'a', 'o', {
    query: { a2c_version: '0.4.0' },
    auth: { api_key: 'guest' },
  });
  const request = async (event: string, more: object = {}) =>
    (await ask(agent, event, { ...REQUEST, req_id: `r${ids++}`, ...more }))[0] as Record<string, unknown>;
  const call = (tool_name: string) => request('client:tool_call', { tool_name, params: {}, timeout: 5 });
  return { computer, asked, request, call };
}

describe('a limited key at a Computer of another maker', () => {
  verifies('SEC-SCOPE-03', 'runs no other tool, by whichever name, before and after a list was relayed', async () => {
    // The server is denied by its name, which only the configuration has.
    const { computer, call, asked, request } = await limited({ tools: ['!read_secret'], servers: ['!my shell'] });
    const denied = [
      'run',
      'r',
      'my_shell__run',
      'my_shell__r',
      'read_secret',
      'notes__read_secret',
      'unlisted',
      'x__y',
    ];
    for (const change of [
      () => {},
      () => request('client:get_tools'),
      () => ask(computer, 'server:update_tool_list', { computer: 'pc' }),
    ]) {
      await change();
      for (const name of denied) {
        const answer = await call(name);
        expect([name, answer.isError]).toEqual([name, true]);
        expect(answer.code).toBeOneOf([403, 4001]);
      }
      expect(await call('notes__read')).toMatchObject({ isError: false });
    }
    expect(new Set(asked)).toEqual(new Set(['tools', 'notes__read']));
    expect(asked.filter((what) => what === 'tools').length).toBeLessThan(5); // The list is kept.
  });

  verifies('SEC-SCOPE-03', 'sees only its tools', async () => {
    const { request } = await limited({ tools: ['!read_secret'], servers: ['!my shell'] });
    const { tools } = await request('client:get_tools');
    expect((tools as Tool[]).map(({ name }) => name)).toEqual(['notes__read']);
  });

  verifies('SEC-SCOPE-03', 'reads nothing that cannot be limited to its MCP servers', async () => {
    const { request, asked } = await limited({ servers: ['notes'] });
    for (const [event, more] of [
      ['client:get_mcp_config', {}],
      ['client:get_desktop', {}],
      ['client:get_resources', { mcp_server: 'notes' }],
      ['client:get_skills', {}],
      ['client:get_skill', { name: 'mcp:my_shell:x' }],
      ['client:get_blob', { blob_handle: 'h' }],
    ] as const)
      expect([event, await request(event, more)]).toMatchObject([event, { code: 403 }]);
    expect(asked).toEqual([]);
  });

  verifies('SEC-SCOPE-03', 'uses no tool whose MCP server or own name is not known', async () => {
    const old = await limited({ servers: ['!other'] }, '0.1');
    expect(await old.call('read')).toMatchObject({ code: 403 });
    const byTool = await limited({ tools: ['read'] }, '0.1');
    expect(await byTool.call('read')).toMatchObject({ isError: false });
    expect(await byTool.call('run')).toMatchObject({ code: 403 });
    const aliased = await limited({ tools: ['!run'] }, '0.4', [{ server: 'notes', name: 'r', alias: 'r' }]);
    expect(await aliased.call('notes__r')).toMatchObject({ code: 403 });
  });

  verifies('COST-NAME-04', 'is checked in linear time, whatever the list of tools contains', async () => {
    const marks = '\u0315\u0300\u0316\u0334'.repeat(15_000);
    const many = await limited(
      { tools: ['!delete_*'] },
      '0.4',
      Array.from({ length: 3_000 }, () => ({ server: 'notes', name: 't' })),
    );
    const strange = await limited(
      { tools: ['!delete_*'] },
      '0.4',
      Array.from({ length: 50 }, (_, n) => ({ server: 'notes', name: `${n}${marks.slice(0, 1_000)}` })),
    );
    const aliased = await limited({ tools: ['!delete_*'] });
    aliased.computer.off('client:get_tools');
    aliased.computer.on('client:get_tools', ({ req_id }, ack) =>
      ack({ tools: [{ name: 'notes__t', bundle_id: 'notes', meta: { a2c_tool_meta: { alias: marks } } }], req_id }),
    );
    const before = process.cpuUsage();
    expect((await many.request('client:get_tools')).tools).toEqual([]);
    for (let n = 0; n < 100; n++) expect(await many.call('notes__t')).toMatchObject({ code: 403 });
    expect((await strange.request('client:get_tools')).tools).toEqual([]);
    expect(await aliased.request('client:get_tools')).toMatchObject({ code: 403 });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6, 'seconds of CPU time; more than 40 before').toBeLessThan(5);
  });

  verifies('SEC-SCOPE-03', 'runs nothing if the list of tools cannot be had', async () => {
    const { computer, call, asked } = await limited({ tools: ['!run'] });
    computer.off('client:get_tools');
    computer.on('client:get_tools', (_request, ack) => ack({ code: 500, message: 'broken' }));
    expect(await call('read')).toMatchObject({
      code: 403,
      message: expect.stringContaining('the limits of this key cannot be checked'),
      details: { computer: 'pc' },
    });
    expect(asked).toEqual([]);
  });

  verifies('SEC-SCOPE-09', 'is not refused because another Agent leaves while the tools are loaded', async () => {
    const server = await serve({
      authenticate: async ({ auth }) => ({
        subject: String(auth.api_key),
        ...(auth.api_key !== 'pc' && { tools: ['*'] }),
      }),
      officePolicy: () => ({ agents: 'many' }),
    });
    const computer = await server.member('computer', 'pc', 'o', { auth: { api_key: 'pc' } });
    const lists: (() => void)[] = [];
    computer.on('client:get_tools', ({ req_id }, ack) =>
      lists.push(() => ack({ tools: [{ name: 'read', description: '', params_schema: {} }], req_id })),
    );
    computer.on('client:get_config', (_request, ack) => ack({ servers: {}, inputs: [] }));
    computer.on('client:tool_call', (_request, ack) => ack({ content: [], isError: false }));
    const [first, second] = await Promise.all(
      ['first', 'second'].map((name) => server.member('agent', name, 'o', { auth: { api_key: name } })),
    );
    const call = (agent: typeof first) =>
      ask(agent as NonNullable<typeof first>, 'client:tool_call', {
        ...REQUEST,
        tool_name: 'read',
        params: {},
        timeout: 5,
      });
    void call(first);
    await eventually(async () => expect(lists).toHaveLength(1));
    const answer = call(second);
    await new Promise((resolve) => setTimeout(resolve, 50)); // It waits for the same list.
    first?.disconnect();
    await eventually(async () => expect(lists).toHaveLength(2));
    lists[1]?.();
    expect(await answer).toMatchObject([{ isError: false }]);
  });

  verifies('SEC-SCOPE-06', 'uses no tool of an unknown MCP server that a full name may deny, and others', async () => {
    for (const pattern of [
      '!notes.read',
      '!notes/read',
      '!notes__read',
      '!notes__*',
      '!*/r*d',
      '!a.b.read',
      '!\u{1f600}\u{1f600}\u{1f600}\u{1f600}.read',
    ]) {
      const { call, asked, request } = await limited({ tools: [pattern] }, '0.1');
      expect([pattern, await call('read')]).toMatchObject([pattern, { code: 403 }]);
      const { tools } = await request('client:get_tools');
      expect((tools as Tool[]).map(({ name }) => name)).not.toContain('read');
      expect(asked).not.toContain('read');
    }
    for (const pattern of ['!notes.write', '!notes__r', '!re*d_secret', '!read.', '!.read']) {
      const { call } = await limited({ tools: [pattern] }, '0.1');
      expect([pattern, await call('read')]).toMatchObject([pattern, { isError: false }]);
    }
    const named = await limited({ tools: ['!my_shell__*', '!other.read'] }, '0.2');
    for (const name of ['run', 'r']) expect(await named.call(name)).toMatchObject({ code: 403 });
    expect(await named.call('read')).toMatchObject({ isError: false });
  });

  verifies('SEC-SCOPE-07', 'compares names whatever their Unicode normalisation', async () => {
    const tools = [
      { server: 'cafe', named: 'cafe\u0301', name: 'lire' },
      { server: 'notes', name: 'e\u0301crire' },
    ];
    const { call } = await limited({ tools: ['!caf\u00e9.lire', '!\u00e9crire'] }, '0.4', tools);
    for (const { server, name } of tools) expect(await call(`${server}__${name}`)).toMatchObject({ code: 403 });
    const allowed = await limited({ tools: ['caf\u00e9.*'] }, '0.4', tools);
    expect(await allowed.call('cafe__lire')).toMatchObject({ isError: false });
  });

  verifies(
    'SEC-SCOPE-08',
    'allows by a full name only the tool of the MCP server that has the longest name',
    async () => {
      const tools = [
        { server: 'a', name: 'b.x' },
        { server: 'a_b', named: 'a.b', name: 'x' },
        { server: 'evil', name: 'a.b.x' },
      ];
      for (const [pattern, allowed] of [
        ['a.b.x', ['a_b__x']],
        ['a.*', ['a_b__x']],
        ['a/*', ['a__b.x']],
        ['!a.b.x', []],
      ] as const) {
        const { call } = await limited({ tools: [pattern] }, '0.4', tools);
        const answers = await Promise.all(
          ['a__b.x', 'a_b__x', 'evil__a.b.x'].map(async (name) => [name, await call(name)] as const),
        );
        const ran = answers.flatMap(([name, { code }]) => (code === undefined ? [name] : []));
        expect([pattern, ran.toSorted()]).toEqual([pattern, allowed.toSorted()]);
      }
    },
  );
});
