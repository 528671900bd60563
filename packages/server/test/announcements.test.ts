import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { ask, CALL, expectEvents, next, office, recordEvents, serve, settle } from './harness.js';

describe('change notifications', () => {
  verifies(
    [
      'SMCP-STAT-03',
      'SMCP-STAT-06',
      'SMCP-STAT-08',
      'SMCP-DESK-02',
      'SMCP-DESK-03',
      'WIRE-EVENT-01',
      'WIRE-EVENT-02',
      'SMCP-CAT-02',
      'SMCP-CAT-03',
      'WIRE-DIALECT-01',
      'W-PY-10',
    ],
    'reach each member except the sender in its own dialect, with the sender’s real name',
    async () => {
      const server = await serve();
      const spec = await server.member('agent', 'a', 'o', { auth: { dialect: 'spec' } });
      const sdk = await server.member('computer', 'old', 'o', { auth: { dialect: 'sdk' } });
      const unknown = await server.member('computer', 'new', 'o');
      const sender = await server.member('computer', 'pc', 'o');
      const outsider = recordEvents(await server.member('agent', 'b', 'o2'));
      const received = [spec, sdk, unknown, sender].map(recordEvents);
      const payload = { computer: 'pc' };
      for (const [sent, bySpec, bySdk] of [
        ['server:update_mcp_config', 'notify:update_mcp_config', 'notify:update_config'],
        ['server:update_config', 'notify:update_mcp_config', 'notify:update_config'],
        ['server:desktop_refresh', 'notify:desktop_refresh', 'notify:update_desktop'],
        ['server:update_desktop', 'notify:desktop_refresh', 'notify:update_desktop'],
      ] as const) {
        expect(await ask(sender, sent, { computer: 'another' })).toEqual([]);
        const [specLog = [], sdkLog = [], unknownLog = [], senderLog = []] = received;
        await expectEvents(specLog, [[bySpec, payload]]);
        await expectEvents(sdkLog, [[bySdk, payload]]);
        await expectEvents(unknownLog, [
          [bySdk, payload],
          [bySpec, payload],
        ]);
        expect(senderLog).toEqual([]);
        for (const log of received) log.length = 0;
      }
      await ask(sender, 'server:update_tool_list', { computer: 'pc' });
      await expectEvents(received[0] ?? [], [['notify:update_tool_list', payload]]);
      expect(outsider).toEqual([]);
    },
  );

  verifies('WIRE-EVENT-02', 'requests use the dialect of the Computer, once it is known', async () => {
    const { server, agent, computer } = await office();
    const undeclared = next(computer, 'client:get_config');
    agent.emit('client:get_mcp_config', CALL, () => {});
    await undeclared;
    await ask(computer, 'server:update_mcp_config', { computer: 'pc' });
    const seen = next(computer, 'client:get_mcp_config');
    agent.emit('client:get_config', CALL, () => {});
    await seen;
    const declared = await server.member('computer', 'pc9', 'o', { auth: { protocol: 'a2c-smcp', version: '0.1.0' } });
    const asked = next(declared, 'client:get_mcp_config');
    agent.emit('client:get_mcp_config', { ...CALL, computer: 'pc9' }, () => {});
    await asked;
  });

  verifies(['SRV-ROOM-02', 'W-PY-09'], 'are refused from Agents and from outside an office', async () => {
    const { server, agent, computer } = await office();
    const received = [agent, computer].map(recordEvents);
    const left = await server.member('computer', 'pc2', 'o');
    await ask(left, 'server:leave_office', { office_id: 'o' });
    await settle();
    for (const log of received) log.length = 0;
    for (const event of ['server:update_config', 'server:update_tool_list', 'server:update_desktop']) {
      for (const socket of [left, await server.connect(), agent]) {
        expect(await ask(socket, event, { computer: 'pc' })).toEqual([expect.objectContaining({ code: 403 })]);
      }
    }
    await settle();
    expect(received).toEqual([[], []]);
  });

  verifies(['SRV-ROOM-02', 'W-PY-13'], 'an office with the id of a socket or room receives nothing of it', async () => {
    const { server, agent, computer } = await office();
    const office_ids = [computer.id, `all:${computer.id}`, 'sdk:o', 'all:o', 'o:sdk'];
    const spies: [string, unknown][][] = [];
    for (const id of office_ids) spies.push(recordEvents(await server.member('agent', 'spy', String(id))));
    computer.on('client:tool_call', (_request, ack) => ack({ content: [], isError: false }));
    await ask(agent, 'client:tool_call', CALL);
    await ask(computer, 'server:update_config', { computer: 'pc' });
    await settle();
    expect(spies.flat()).toEqual([]);
  });
});

verifies('AGT-CALL-08', 'progress reaches only the Agent of the call that asked for it', async () => {
  const server = await serve({ officePolicy: () => ({ agents: 'many' }) });
  const [agent, other] = [await server.member('agent', 'a', 'o'), await server.member('agent', 'b', 'o')];
  const computer = await server.member('computer', 'pc', 'o');
  const stranger = await server.member('computer', 'pc2', 'o');
  const received = [agent, other].map(recordEvents);
  const [log = []] = received;
  const progress = { computer: 'pc', agent: 'a', req_id: 'watched', progress: 1 };
  const calls = [
    { ...CALL, req_id: 'watched', progress: true },
    { ...CALL, req_id: 'unwatched' },
  ];
  for (const call of calls) {
    const called = next(computer, 'client:tool_call');
    agent.emit('client:tool_call', call, () => {});
    await called;
  }
  await ask(stranger, 'server:tool_call_progress', progress);
  await ask(computer, 'server:tool_call_progress', { ...progress, agent: 'b' });
  await ask(computer, 'server:tool_call_progress', { ...progress, req_id: 'unwatched' });
  await ask(computer, 'server:tool_call_progress', { ...progress, computer: 'another', junk: 'x' });
  await expectEvents(log, [['notify:tool_call_progress', progress]]);
  await settle();
  expect(received).toEqual([[['notify:tool_call_progress', progress]], []]);
});
