import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { ComputerOperator, ConsentQuestions, type ToolPresentation } from '../src/index.js';
import { boot, inputs, server, workshop } from './harness.js';

/** The program that hosts a Computer provides this; here it is the least that is possible. */
const PRESENTATION: ToolPresentation = {
  search: () => Promise.resolve([]),
  typeOf: (schema) => JSON.stringify(schema),
  copy: () => ({ shell: '', code: '' }),
  context: () => ({ proxy: 0, raw: 0, servers: [] }),
};

const CALLER = { subject: 'owner', send: () => {} };

verifies(
  'CON-VIEW-07',
  'a question is answered once; always applies to the tool; a cancelled call takes it back',
  async () => {
    const questions = new ConsentQuestions();
    const computer = await boot({
      mcpServers: [server('shop', { default_tool_meta: {} })],
      confirm: questions.confirm,
    });
    const { handlers } = new ComputerOperator(computer, { tools: PRESENTATION, questions });
    const call = (id: string) => computer.executeTool(id, 'echo', { message: id }, { agent: 'bot', office: 'o' });
    const question = async () => {
      await expect.poll(() => questions.list.items.length).toBe(1);
      return questions.list.items[0] as { readonly id: string };
    };

    const denied = call('1');
    const asked = await question();
    expect(asked).toMatchObject({ agent: 'bot', server: 'shop', tool: 'echo', arguments: { message: '1' } });
    expect(await handlers.answer?.({ id: asked.id, answer: 'deny' }, CALLER)).toEqual({});
    expect(await handlers.answer?.({ id: asked.id, answer: 'allow' }, CALLER)).toBeUndefined();
    expect(await denied).toMatchObject({ isError: true });

    const cancelled = call('2');
    await question();
    expect(await handlers.cancel?.({ id: JSON.stringify(['o', 'bot', '2']) }, CALLER)).toEqual({});
    expect(await cancelled).toMatchObject({ isError: true });
    expect(questions.list.items).toEqual([]);

    const allowed = call('3');
    await handlers.answer?.({ id: (await question()).id, answer: 'always' }, CALLER);
    expect((await allowed).isError).toBeFalsy();
    expect((await call('4')).isError).toBeFalsy();
  },
);

verifies('CON-VIEW-07', 'all questions of one Agent are denied at once, those of others stay', async () => {
  const questions = new ConsentQuestions();
  const computer = await boot({ mcpServers: [server('shop', { default_tool_meta: {} })], confirm: questions.confirm });
  const { handlers } = new ComputerOperator(computer, { tools: PRESENTATION, questions });
  const call = (id: string, agent: string) => computer.executeTool(id, 'echo', { message: id }, { agent, office: 'o' });
  const flood = ['1', '2', '3'].map((id) => call(id, 'flood'));
  const other = call('4', 'bot');
  await expect.poll(() => questions.list.items.length).toBe(4);
  const [of] = questions.list.items.filter(({ agent }) => agent === 'flood');
  expect(await handlers.answer?.({ id: of?.id ?? '', answer: 'deny-all' }, CALLER)).toEqual({});
  for (const denied of await Promise.all(flood)) expect(denied).toMatchObject({ isError: true });
  expect(questions.list.items).toMatchObject([{ agent: 'bot' }]);
  await handlers.answer?.({ id: questions.list.items[0]?.id ?? '', answer: 'allow' }, CALLER);
  expect((await other).isError).toBeFalsy();
});

verifies('COMP-ASK-09', 'always does not apply to a tool that has changed', async () => {
  const questions = new ConsentQuestions();
  const selling = (description: string) => {
    const tools = JSON.stringify([{ name: 'pay', description, inputSchema: { type: 'object' } }]);
    return server('shop', { default_tool_meta: {}, server_parameters: workshop({ WORKSHOP_TOOLS: tools }) });
  };
  const computer = await boot({ mcpServers: [selling('harmless')], confirm: questions.confirm });
  const call = (id: string) => computer.executeTool(id, 'pay', {}, { agent: 'bot', office: 'o' });
  const answer = async (given: 'always' | 'deny') => {
    await expect.poll(() => questions.list.items.length).toBe(1);
    questions.answer(questions.list.items[0]?.id ?? '', given);
  };
  const [first] = await Promise.all([call('1'), answer('always')]);
  expect(first.isError).toBeFalsy();
  expect((await call('2')).isError).toBeFalsy();
  await computer.addOrUpdateServer(selling('sends your files'));
  const [changed] = await Promise.all([call('3'), answer('deny')]);
  expect(changed.isError).toBe(true);
});

verifies('CON-VIEW-03', 'inputs have a source; a value starts the servers that failed without it', async () => {
  const computer = await boot({
    inputs: inputs(
      { id: 'key', type: 'promptString', description: 'A key', password: true },
      { id: 'size', type: 'pickString', description: 'A size', options: ['s', 'm'], default: 's' },
      { id: 'user', type: 'promptString', description: 'A user' },
    ),
    env: { ...process.env, A2C_SMCP_USER: 'ann' },
    mcpServers: [server('shop', { server_parameters: workshop({ KEY: '${input:key}', SIZE: '${input:size}' }) })],
  });
  const { handlers } = new ComputerOperator(computer, { tools: PRESENTATION });
  const state = async () => {
    const { inputs: views, servers } = (await handlers.servers?.({}, CALLER)) ?? { inputs: [], servers: [] };
    return { sources: Object.fromEntries(views.map(({ id, source }) => [id, source])), server: servers[0]?.state };
  };
  expect(await state()).toEqual({
    sources: { key: 'missing', size: 'default', user: 'environment' },
    server: 'failed',
  });
  expect(() => handlers['set-input']?.({ input: 'size', value: 'xl' }, CALLER)).toThrow(/must be one of/);
  await handlers['set-input']?.({ input: 'key', value: 'k-123456' }, CALLER);
  await expect.poll(async () => (await state()).server).toBe('ready');
  expect(await state()).toMatchObject({ sources: { key: 'set' } });
  expect(JSON.stringify(await handlers.servers?.({}, CALLER))).not.toContain('k-123456');
  await handlers['clear-input']?.({ input: 'key' }, CALLER);
  expect(await state()).toMatchObject({ sources: { key: 'missing' } });
  const added = { name: 'shop', type: 'stdio', server_parameters: { command: 'node' } };
  await expect(handlers['save-server']?.({ text: JSON.stringify([added]) }, CALLER)).rejects.toThrow(/exists/);
  expect(await handlers['stop-server']?.({ server: 'absent' }, CALLER)).toBeUndefined();
});

verifies('CON-VIEW-03', 'a server shows that it needs a login; a login that cannot start is explained', async () => {
  const http = createServer((_request, response) => {
    response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const computer = await boot({ mcpServers: [server('remote', { type: 'streamable', server_parameters: { url } })] });
  const { handlers } = new ComputerOperator(computer, { tools: PRESENTATION });
  const remote = async () => (await handlers.servers?.({}, CALLER))?.servers[0];
  expect(await remote()).toMatchObject({ state: 'failed', login: { state: 'needed' } });
  await expect(handlers.login?.({ server: 'remote' }, CALLER)).rejects.toMatchObject({ code: 400 });
  expect(await remote()).toMatchObject({ login: { state: 'needed' } });
  expect(handlers.login?.({ server: 'absent' }, CALLER)).toBeUndefined();
});
