import { fileURLToPath } from 'node:url';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { agentIn, ask, boot, call, folder, joined, serve, server, textOf, until, workshop } from './harness.js';

const SHELF = fileURLToPath(new URL('servers/shelf.mjs', import.meta.url));
const REQUEST = { agent: 'a', req_id: 'q', computer: 'pc' };

/** An office whose key `guest` is limited. */
async function limited(limits: { tools?: readonly string[]; servers?: readonly string[] }) {
  const { url } = await serve({
    authenticate: async ({ auth }) =>
      auth.api_key === 'guest' ? { subject: 'guest', ...limits } : { subject: 'owner' },
  });
  return { url, as: (api_key: string) => agentIn(url, 'o', 'a', { auth: { api_key } }) };
}

/** An MCP server with a resource and a skill. */
function shelf(name: string, more: object = {}) {
  const resources = [
    { uri: 'file:///notes', text: `notes of ${name}` },
    { uri: 'skill://h/reader', _meta: { source: 'resources' } },
    { uri: 'skill://h/reader/SKILL.md', text: '---\nname: reader\ndescription: Reads\n---\nBody\n' },
  ];
  const parameters = { command: process.execPath, args: [SHELF], env: { SHELF: JSON.stringify(resources) } };
  return server(name, { server_parameters: parameters, ...more });
}

verifies('SEC-SCOPE-01', 'a server that is denied by its name is denied by its bundle id too', async () => {
  // The bundle id of the fourth one is the name of the fifth.
  const mcpServers = [
    shelf('open'),
    shelf('my shelf'),
    shelf('ops', { bundle_id: 'ops-tools' }),
    shelf('hidden', { bundle_id: 'public' }),
    shelf('public', { bundle_id: 'public-2' }),
  ];
  const [{ url, as }, computer] = await Promise.all([
    limited({ servers: ['!my shelf', '!ops', '!hidden'] }),
    boot({ mcpServers, skills: { home: folder() }, limits: { skillDebounceMs: 10, skillStartMs: 100_000 } }),
  ]);
  await joined(computer, url);
  await until(() => computer.skills().length === mcpServers.length);
  const agent = await as('guest');
  for (const mcp_server of ['my shelf', 'my_shelf', 'ops', 'ops-tools', 'hidden', 'public'])
    for (const uri of [undefined, 'file:///notes'])
      expect(await ask(agent, 'client:get_resources', { ...REQUEST, mcp_server, uri })).toMatchObject([{ code: 403 }]);
  for (const id of ['my_shelf', 'ops-tools', 'public'])
    expect(await ask(agent, 'client:get_skill', { ...REQUEST, name: `mcp:${id}:reader` })).toMatchObject([
      { code: 403 },
    ]);
  const [{ skills }] = (await ask(agent, 'client:get_skills', REQUEST)) as [{ skills: { name: string }[] }];
  expect(skills.map(({ name }) => name)).toEqual(['mcp:open:reader', 'mcp:public-2:reader']);
  expect(await ask(agent, 'client:get_resources', { ...REQUEST, mcp_server: 'open' })).toMatchObject([
    { resources: expect.arrayContaining([expect.objectContaining({ uri: 'file:///notes' })]) },
  ]);
});

verifies('COMP-NAME-01', 'full names of a tool are accepted where the tool list is known, and limited', async () => {
  const [{ url, as }, computer] = await Promise.all([
    limited({ tools: ['echo'] }),
    boot({ mcpServers: [server('my shelf'), server('w')] }),
  ]);
  await joined(computer, url);
  const owner = await as('owner');
  await ask(owner, 'client:get_tools', REQUEST);
  for (const tool of ['w.echo', 'w/echo', 'my shelf.echo', 'my shelf/echo', 'my_shelf__echo'])
    expect(textOf(await call(owner, tool, { message: tool }))).toBe(tool);
  expect((await call(owner, 'w/none', {})).error).toMatchObject({ code: 404 });
  await ask(owner, 'server:leave_office', { office_id: 'o' });
  const guest = await as('guest');
  expect(textOf(await call(guest, 'w/echo', { message: 'hi' }))).toBe('hi');
  expect((await call(guest, 'w/sleep', { ms: 1 })).error).toMatchObject({ code: 403 });
});

verifies('COMP-NAME-01', 'the Computer decides which tool a short name means that several servers have', async () => {
  const [{ url, as }, computer] = await Promise.all([
    limited({ servers: ['w'] }),
    boot({ mcpServers: [server('w'), server('other')] }),
  ]);
  await joined(computer, url);
  const newer = await agentIn(url, 'o', 'b', { auth: { api_key: 'owner' }, query: { a2c_version: '0.4.0' } });
  await ask(newer, 'client:get_tools', { ...REQUEST, agent: 'b' });
  await ask(newer, 'server:leave_office', { office_id: 'o' });
  const guest = await as('guest');
  expect(textOf(await call(guest, 'echo', { message: 'hi' }))).toBe('hi');
  expect((await call(guest, 'other.echo', { message: 'hi' })).error).toMatchObject({ code: 403 });
});

verifies('SEC-SCOPE-05', 'tools are denied and allowed by their full names, however they are called', async () => {
  for (const [patterns, mayEcho] of [
    [['!w.echo'], false],
    [['*', '!w.*'], false],
    [['!w/echo'], false],
    [['!other.echo'], true],
    [['w.echo'], true],
    [['w/*'], true],
  ] as const) {
    const [{ url, as }, computer] = await Promise.all([
      limited({ tools: patterns }),
      boot({ mcpServers: [server('other'), server('w')] }),
    ]);
    await joined(computer, url);
    const guest = await as('guest');
    for (const isListKnown of [false, true]) {
      if (isListKnown) await ask(guest, 'client:get_tools', REQUEST); // The Server then checks its names, too.
      for (const name of ['w.echo', 'w/echo', 'w__echo']) {
        const { isError = false } = await call(guest, name, { message: 'hi' });
        expect([patterns, name, isListKnown, !isError]).toEqual([patterns, name, isListKnown, mayEcho]);
      }
    }
  }
});

verifies('SEC-SCOPE-02', 'the result of a forbidden tool is not given to a limited key by its req_id', async () => {
  const [{ url, as }, computer] = await Promise.all([limited({ tools: ['!echo', '!sleep'] }), boot()]);
  await joined(computer, url);
  const owner = await as('owner');
  const done = (agent: typeof owner) => call(agent, 'w__echo', { message: 'secret' }, { req_id: 'done' });
  expect(textOf(await done(owner))).toBe('secret');
  const pending = computer.executeTool('pending', 'w__sleep', { ms: 1_000 }, { agent: 'a', office: 'o' });
  await ask(owner, 'server:leave_office', { office_id: 'o' });
  const guest = await as('guest');
  // The Server has no list, by which it would know these names.
  const calls = [call(guest, 'w__sleep', { ms: 1_000 }, { req_id: 'pending' }), done(guest)];
  for (const answer of await Promise.all(calls)) {
    expect(textOf(answer)).toMatch(/^Tool '\w+' is disabled by configuration$/);
    expect(answer.error).toMatchObject({ code: 403, details: { a2c_execution: 'ran' } });
  }
  expect(textOf(await pending)).toBe('slept');
  const other = await call(guest, 'w__echo', { message: 'hi' }, { req_id: 'new' });
  expect(other.error).toMatchObject({ code: 403, details: { a2c_execution: 'not-run' } });
});

const named = (name: string, ...tools: readonly string[]) =>
  server(name, {
    server_parameters: workshop({ WORKSHOP_TOOLS: JSON.stringify(tools.map((tool) => ({ name: tool }))) }),
  });

verifies('SEC-NAME-04', 'a key for the tools of one server does not allow a tool that is named like them', async () => {
  const mcpServers = [named('evil', 'github__create', 'github.create'), named('github', 'create')];
  const [{ url, as }, computer] = await Promise.all([
    limited({ tools: ['github__*', 'github.*'] }),
    boot({ mcpServers }),
  ]);
  await joined(computer, url);
  const guest = await as('guest');
  for (const tool of ['github__create', 'github.create']) {
    expect(textOf(await call(guest, tool, {}))).toBe('called create');
    const refused = await call(guest, `evil.${tool}`, {});
    expect(refused.error).toMatchObject({ code: 403 });
    // The Computer checks it too: it knows all names.
    const options = { agent: 'a', office: 'o', scope: { tools: ['github__*', 'github.*'] } };
    const checked = await computer.executeTool(`evil.${tool}`, `evil.${tool}`, {}, options);
    expect(textOf(checked)).toMatch(/is disabled by configuration$/);
  }
  const [{ tools }] = (await ask(guest, 'client:get_tools', REQUEST)) as [{ tools: { name: string }[] }];
  expect(tools.map(({ name }) => name)).toEqual(['create']);
});

verifies('SEC-SCOPE-07', 'a tool with an alias is denied by both names, whatever their normalisation', async () => {
  const names = ['rm', 'e\u0301crire'];
  const shell = server('cafe\u0301', {
    bundle_id: 'shell',
    server_parameters: workshop({ WORKSHOP_TOOLS: JSON.stringify(names.map((name) => ({ name }))) }),
    tool_meta: { rm: { alias: 'remove', auto_apply: true } },
  });
  for (const [patterns, mayRemove, mayWrite] of [
    [['!shell__rm', '!shell__\u00e9crire'], false, false],
    [['!shell__remove'], false, true],
    [['!caf\u00e9.rm', '!caf\u00e9/\u00e9*'], false, false],
    [['caf\u00e9.*', '!other__rm'], true, true],
  ] as const) {
    const [{ url, as }, computer] = await Promise.all([limited({ tools: patterns }), boot({ mcpServers: [shell] })]);
    await joined(computer, url);
    const guest = await as('guest');
    for (const isListKnown of [false, true]) {
      if (isListKnown) await ask(guest, 'client:get_tools', REQUEST);
      for (const [name, mayCall] of [
        ...['cafe\u0301.rm', 'cafe\u0301/remove', 'shell__remove'].map((each) => [each, mayRemove] as const),
        ['shell__e\u0301crire', mayWrite],
      ] as const) {
        const { isError = false } = await call(guest, name, {});
        expect([patterns, name, isListKnown, !isError]).toEqual([patterns, name, isListKnown, mayCall]);
      }
    }
  }
});

verifies('SEC-SCOPE-08', 'a full name allows only the tool of the server with the longest name', async () => {
  for (const [pattern, allowed] of [
    ['a.b.x', ['a_b__x']],
    ['a/*', ['a__b.x']],
    ['!a.b.x', []],
  ] as const) {
    const [{ url, as }, computer] = await Promise.all([
      limited({ tools: [pattern] }),
      boot({ mcpServers: [named('a', 'b.x'), named('evil', 'a.b.x')] }),
    ]);
    // The names of tools depend on servers that start later, too.
    await computer.addOrUpdateServer(named('a.b', 'x'));
    await computer.startServer('a.b');
    await joined(computer, url);
    const guest = await as('guest');
    for (const isListKnown of [false, true]) {
      if (isListKnown) await ask(guest, 'client:get_tools', REQUEST);
      const ran: string[] = [];
      for (const name of ['a_b__x', 'a__b.x', 'evil.a.b.x']) if (!(await call(guest, name, {})).isError) ran.push(name);
      expect([pattern, isListKnown, ran]).toEqual([pattern, isListKnown, allowed]);
    }
  }
});

verifies('SEC-NAME-50', 'a call for one MCP server does not run at another one, with and without limits', async () => {
  const mcpServers = [named('bank', 'pay'), named('evil', 'pay')];
  const [{ url, as }, computer] = await Promise.all([limited({ servers: ['bank', 'evil'] }), boot({ mcpServers })]);
  await joined(computer, url);
  const guest = await as('guest');
  expect(textOf(await call(guest, 'pay', {}, { bundle_id: 'bank' }))).toBe('called pay');
  await computer.stopServer('bank');
  const refused = await call(guest, 'pay', {}, { bundle_id: 'bank' });
  expect(refused.error).toMatchObject({ code: 404, details: { a2c_execution: 'not-run' } });
  expect(textOf(await call(guest, 'pay', {}, { bundle_id: 'evil' }))).toBe('called pay');
  expect(textOf(await call(guest, 'pay', {}))).toBe('called pay');
});

verifies('SEC-NAME-50', 'the server that a call names gives no access to its tools', async () => {
  const mcpServers = [named('open', 'read'), named('shell', 'rm')];
  const [{ url, as }, computer] = await Promise.all([limited({ servers: ['!shell'] }), boot({ mcpServers })]);
  await joined(computer, url);
  const guest = await as('guest');
  for (const bundle_id of ['open', 'shell', undefined]) {
    const refused = await call(guest, 'rm', {}, { ...(bundle_id && { bundle_id }) });
    expect(refused.error).toMatchObject({ details: { a2c_execution: 'not-run' } });
  }
});

verifies(
  ['NEW-ERROR-06', 'SEC-SCOPE-05'],
  'a call to a server that does not run gets the reason, if the caller may use it',
  async () => {
    const broken = server('broken', { server_parameters: { command: 'no-such-program' } });
    const computer = await boot({ mcpServers: [broken] });
    const call = (scope?: { servers: readonly string[] }) =>
      computer.executeTool(String(scope?.servers), 'broken.x', {}, { agent: 'a', ...(scope && { scope }) });
    for (const scope of [undefined, { servers: ['broken'] }])
      expect(textOf(await call(scope))).toMatch(/server "broken" could not be started: .*"no-such-program"/);
    expect(textOf(await call({ servers: ['!broken'] }))).toBe("Tool 'broken.x' not found in any active server");
    await computer.stopServer('broken');
    const stopped = await computer.executeTool('r', 'broken.x', {}, { agent: 'a' });
    expect(textOf(stopped)).toMatch(/server "broken" is not running: start it first/);
    expect(stopped._meta).toMatchObject({ a2c_execution: 'not-run' });
  },
);
