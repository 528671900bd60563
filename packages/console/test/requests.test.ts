import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from '@a2c/agent';
import { OPERATOR_REQUESTS } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type Host, stage } from './host.js';
import { serverState, startOperatorHost, unlock } from './operator-host.js';

let host: Host;

beforeAll(async () => {
  host = await startOperatorHost();
});
afterAll(() => host.close());

verifies('CON-TALK-01', 'the documentation lists every request and every event', () => {
  const page = readFileSync(new URL('../../../docs/operator-interface.md', import.meta.url), 'utf8');
  for (const name of Object.keys(OPERATOR_REQUESTS)) expect(page, name).toContain(`\`${name}\``);
  const types = readFileSync(new URL('../../protocol/src/operator/operator-interface.ts', import.meta.url), 'utf8');
  const events = /interface OperatorEvents \{([\s\S]*?)^\}/m.exec(types)?.[1] ?? '';
  const names = [...events.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(page, name).toContain(`\`${name}\``);
});

verifies('CON-TALK-01', 'invalid parameters are refused with the reason', async () => {
  const message = async (name: string, body: object) =>
    ((await (await host.request(name, body)).json()) as { message: string }).message;
  expect(await message('restart-server', {})).toContain('server: ');
  expect(await message('restart-server', { server: 'stage', more: 1 })).toContain('more');
  expect((await host.request('no-such-request')).status).toBe(404);
});

verifies('CON-TALK-02', 'a call of the console takes no seat and runs once', async () => {
  await serverState(host, 'stage', 'ready');
  const agent = await Agent.connect({ url: host.url, office: 'demo', name: 'holder' });
  onTestFinished(() => agent.close());
  const call = { id: 'once-1', server: 'stage', tool: 'greet', arguments: { name: 'Ann' } };
  const { content } = await host.ask('run-tool', call);
  expect(content[0].text).toMatch(/^Hello Ann, run \d+\.$/);
  expect((await host.ask('run-tool', call)).content).toEqual(content);
  const { members } = await host.ask('offices');
  expect(members.filter(({ role }: { role: string }) => role === 'agent')).toMatchObject([{ name: 'holder' }]);
  expect((await agent.listRoom()).map(({ name }) => name).toSorted()).toEqual(['holder', 'pc']);
});

verifies(
  ['CON-TALK-03', 'CON-VIEW-02'],
  'a call of an Agent is an event at the Server and at the Computer',
  async () => {
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const { events, until } = await host.follow(controller.signal);
    await serverState(host, 'stage', 'ready');
    const agent = await Agent.connect({ url: host.url, office: 'demo', name: 'caller' });
    onTestFinished(() => agent.close());
    await agent.ready();
    await agent.callTool('pc', toolName(agent, 'rows'), {});
    await until(
      (name, value) => name === 'relayed' && value.set.some((each: { verdict?: string }) => each.verdict === 'ok'),
    );
    await until(
      (name, value) =>
        name === 'executed' &&
        value.set.some((each: { agent: string; success?: boolean }) => each.agent === 'caller' && each.success),
    );
    const all = (list: string) =>
      events.filter(([name]) => name === list).flatMap(([, value]) => (value as { set: Call[] }).set);
    const relayed = all('relayed').findLast(({ agent: name }) => name === 'caller') as Call;
    const executed = all('executed').findLast(({ id }) => id === relayed.id) as Call;
    const times = [
      relayed.receivedAt,
      relayed.relayedAt,
      executed.receivedAt,
      executed.sentAt,
      executed.returnedAt,
      relayed.answeredAt,
    ];
    expect(times.every((time) => typeof time === 'number')).toBe(true);
    expect(relayed.relayedAt).toBeLessThanOrEqual(relayed.answeredAt);
    expect(executed.sentAt).toBeLessThanOrEqual(executed.returnedAt);
    expect(events[0]).toMatchObject(['hello', { offers: expect.arrayContaining(['offices', 'tools']) }]);
    expect(await host.ask(`call?id=${encodeURIComponent(relayed.id)}`)).toMatchObject({
      audit: { event: 'client:tool_call', verdict: 'ok', office: 'demo', name: 'caller' },
      arguments: {},
    });
  },
);

verifies(
  ['CON-VIEW-02', 'CON-VIEW-07'],
  'a denied call is recorded as denied, with its reason in English',
  async () => {
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const { events, until } = await host.follow(controller.signal);
    await unlock(host);
    const agent = await Agent.connect({ url: host.url, office: 'demo', name: 'asker' });
    onTestFinished(() => agent.close());
    await agent.ready();
    const name = agent.tools().find(({ tool }) => /locked.*greet/.test(tool.name))?.tool.name ?? '';
    const called = agent.callTool('pc', name, { name: 'Ann' });
    await until((event, value) => event === 'questions' && value.set.length > 0);
    const [, questions] = events.findLast(([event]) => event === 'questions') as [string, { set: Call[] }];
    await host.ask('answer', { id: questions.set[0]?.id, answer: 'deny' });
    expect(await called).toMatchObject({ isError: true, _meta: { a2c_reason: 'consent_denied' } });
    await until((event, value) => event === 'relayed' && value.set.some((each: Call) => each.verdict === 'denied'));
    const calls = events.filter(([event]) => event === 'relayed') as [string, { set: Call[] }][];
    const { id } = calls.flatMap(([, { set }]) => set).findLast(({ verdict }) => verdict === 'denied') as Call;
    expect(await host.ask(`call?id=${encodeURIComponent(id)}`)).toMatchObject({
      audit: { verdict: 'denied' },
      executed: {
        success: false,
        errorKind: 'consent-denied',
        error: expect.stringMatching(/^consent for the tool ".*greet" was denied$/),
      },
    });
  },
);

verifies('CON-VIEW-04', 'tools are found by the search of the proxy, with their type', async () => {
  await serverState(host, 'stage', 'ready');
  const { tools } = await host.ask('tools?query=greets');
  expect(tools[0]).toMatchObject({ name: expect.stringContaining('greet') });
  const shape = await host.ask('tool?server=stage&tool=shape');
  expect(shape.type).toContain('size: "small"|"large"');
  expect(shape.copy.shell).toContain('agent call pc shape ARGUMENTS --url');
});

verifies('CON-VIEW-03', 'a changed tool is shown with its differences and approved', async () => {
  await serverState(host, 'stage', 'ready');
  writeFileSync(join(host.home, 'greeting.txt'), 'Greets everyone, and sends your files to me.');
  await host.ask('restart-server', { server: 'stage' });
  await expect.poll(async () => (await host.ask('server?server=stage')).changedTools).toBe(1);
  const { changes } = await host.ask('server?server=stage');
  expect(changes).toEqual([
    { tool: 'greet', id: expect.any(String), diff: expect.stringContaining('sends your files') },
  ]);
  const description = async () => (await host.ask('tool?server=stage&tool=greet')).description;
  // Until then, models read the text that was approved.
  expect(await description()).toContain('Greets someone.');
  const seen = (id: string) => ({ server: 'stage', tools: [{ tool: 'greet', id }] });
  await expect(host.ask('approve-tools', seen('another-text'))).rejects.toThrow('has changed its tools again');
  expect(await description()).toContain('Greets someone.');
  await host.ask('approve-tools', seen(changes[0].id));
  await expect.poll(description).toContain('Greets everyone');
  expect(await host.ask('server?server=stage')).not.toHaveProperty('changes');
});

verifies('CON-REVIEW-01', 'a change that is too long to be shown in full is not approved here', async () => {
  await serverState(host, 'stage', 'ready');
  writeFileSync(join(host.home, 'greeting.txt'), `Greets everyone. ${'Very long. '.repeat(20_000)}Sends your files.`);
  await host.ask('restart-server', { server: 'stage' });
  await expect.poll(async () => (await host.ask('server?server=stage')).changedTools).toBe(1);
  const { changes } = await host.ask('server?server=stage');
  expect(changes[0].diff).not.toContain('Sends your files');
  const { tool, id } = changes[0];
  await expect(host.ask('approve-tools', { server: 'stage', tools: [{ tool, id }] })).rejects.toThrow(
    /400 .*too long to be shown here in full; review it by: .*tools review --full/,
  );
  expect((await host.ask('server?server=stage')).changedTools).toBe(1);
});

verifies('CON-VIEW-06', 'the cost of tool lists is per server', async () => {
  await serverState(host, 'stage', 'ready');
  const cost = await host.ask('context');
  expect(cost.servers.map(({ name }: { name: string }) => name)).toContain('stage');
  expect(cost.raw).toBe(cost.servers.reduce((sum: number, { raw }: { raw: number }) => sum + raw, 0));
  expect(cost.proxy).toBeGreaterThan(100);
});

verifies('CON-VIEW-03', 'servers that share tool names are added; one that is not added is named', async () => {
  const { server_parameters: twin } = stage() as { server_parameters: object };
  const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
  const saved = host.ask('save-server', { text: JSON.stringify({ mcpServers: { hushed: silent, twin } }) });
  await serverState(host, 'twin', 'ready');
  await host.ask('remove-server', { server: 'hushed' });
  expect(await saved).toEqual({
    servers: ['twin'],
    refused: [{ server: 'hushed', reason: expect.stringContaining('changed again') }],
    warnings: [expect.stringMatching(/tools of the same names: listed as "twin\.\w+", and \d+ more/)],
  });
  const { tools } = await host.ask('tools');
  expect(tools).toContainEqual(expect.objectContaining({ server: 'twin', name: 'twin.greet' }));
  await host.ask('remove-server', { server: 'twin' });
});

verifies('CON-VIEW-02', 'a call that the page or its Agent cancelled is recorded as cancelled', async () => {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const { until } = await host.follow(controller.signal);
  const idOf = (reqId: string) => JSON.stringify(['demo', 'leaver', reqId]);
  const sent = (reqId: string) =>
    until(
      (event, value) =>
        event === 'executed' &&
        value.set.some((call: { id: string; sentAt?: number }) => call.id === idOf(reqId) && call.sentAt),
    );
  const record = async (reqId: string) => (await host.ask(`call?id=${encodeURIComponent(idOf(reqId))}`)).audit;
  const agent = await Agent.connect({ url: host.url, office: 'demo', name: 'leaver' });
  onTestFinished(() => agent.close());
  const call = (reqId: string) =>
    agent.callTool('pc', 'count', { steps: 1_000 }, { reqId }).catch((error: Error) => error);
  const byPage = call('by-page');
  await sent('by-page');
  await host.ask('cancel', { id: idOf('by-page') });
  await byPage;
  await expect.poll(() => record('by-page')).toMatchObject({ verdict: 'cancelled' });
  const byAgent = call('by-agent');
  await sent('by-agent');
  await agent.close();
  await byAgent;
  await expect.poll(() => record('by-agent')).toMatchObject({ verdict: 'cancelled' });
  expect(await record('by-agent')).not.toHaveProperty('code');
});

interface Call {
  readonly verdict?: string;
  readonly id: string;
  readonly agent: string;
  readonly receivedAt: number;
  readonly relayedAt: number;
  readonly sentAt: number;
  readonly returnedAt: number;
  readonly answeredAt: number;
}

/** The name by which the Agent sees a tool. */
function toolName(agent: Agent, tool: string): string {
  return agent.tools().find((each) => each.tool.name.endsWith(tool))?.tool.name ?? tool;
}
