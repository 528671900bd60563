import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { ask, CALL, listenIn, next, office, serve, settle } from './harness.js';

describe('announcements', () => {
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
    'reach each member in its own dialect, with the sender’s real name, and not the sender',
    async () => {
      const server = await serve();
      const spec = await server.member('agent', 'a', 'o', { auth: { dialect: 'spec' } });
      const sdk = await server.member('computer', 'old', 'o', { auth: { dialect: 'sdk' } });
      const unknown = await server.member('computer', 'shy', 'o');
      const sender = await server.member('computer', 'pc', 'o');
      const outsider = listenIn(await server.member('agent', 'b', 'o2'));
      const heard = [spec, sdk, unknown, sender].map(listenIn);
      const news = { computer: 'pc' };
      for (const [sent, bySpec, bySdk] of [
        ['server:update_mcp_config', 'notify:update_mcp_config', 'notify:update_config'],
        ['server:update_config', 'notify:update_mcp_config', 'notify:update_config'],
        ['server:desktop_refresh', 'notify:desktop_refresh', 'notify:update_desktop'],
        ['server:update_desktop', 'notify:desktop_refresh', 'notify:update_desktop'],
      ] as const) {
        expect(await ask(sender, sent, { computer: 'somebody else' })).toEqual([]);
        await settle(40);
        expect(heard[0]?.splice(0)).toEqual([[bySpec, news]]);
        expect(heard[1]?.splice(0)).toEqual([[bySdk, news]]);
        expect(heard[2]?.splice(0).toSorted()).toEqual(
          [
            [bySpec, news],
            [bySdk, news],
          ].toSorted(),
        );
        expect(heard[3]).toEqual([]);
      }
      await ask(sender, 'server:update_tool_list', { computer: 'pc' });
      await settle(40);
      expect(heard[0]).toEqual([['notify:update_tool_list', news]]);
      expect(outsider).toEqual([]);
    },
  );

  verifies('WIRE-EVENT-02', 'and requests use the name the Computer knows, once it has shown which', async () => {
    const { server, agent, computer } = await office();
    const silent = next(computer, 'client:get_config');
    agent.emit('client:get_mcp_config', CALL, () => {});
    await silent;
    await ask(computer, 'server:update_mcp_config', { computer: 'pc' });
    const shown = next(computer, 'client:get_mcp_config');
    agent.emit('client:get_config', CALL, () => {});
    await shown;
    const declared = await server.member('computer', 'pc9', 'o', { auth: { protocol: 'a2c-smcp', version: '0.1.0' } });
    const asked = next(declared, 'client:get_mcp_config');
    agent.emit('client:get_mcp_config', { ...CALL, computer: 'pc9' }, () => {});
    await asked;
  });

  verifies(
    ['SRV-ROOM-02', 'W-PY-09'],
    'are refused from outside an office and from Agents, and reach nobody',
    async () => {
      const { server, agent, computer } = await office();
      const heard = [agent, computer].map(listenIn);
      const left = await server.member('computer', 'pc2', 'o');
      await ask(left, 'server:leave_office', { office_id: 'o' });
      await settle();
      for (const log of heard) log.length = 0;
      for (const event of ['server:update_config', 'server:update_tool_list', 'server:update_desktop']) {
        for (const socket of [left, await server.connect(), agent]) {
          expect(await ask(socket, event, { computer: 'pc' })).toEqual([expect.objectContaining({ code: 403 })]);
        }
      }
      await settle();
      expect(heard).toEqual([[], []]);
    },
  );

  verifies(['SRV-ROOM-02', 'W-PY-13'], 'an office named like a socket hears nothing of that socket’s', async () => {
    const { server, agent, computer } = await office();
    const office_ids = [computer.id, `all:${computer.id}`, 'sdk:o', 'all:o', 'o:sdk'];
    const spies: [string, unknown][][] = [];
    for (const id of office_ids) spies.push(listenIn(await server.member('agent', 'spy', String(id))));
    computer.on('client:tool_call', (_request, ack) => ack({ content: [], isError: false }));
    await ask(agent, 'client:tool_call', CALL);
    await ask(computer, 'server:update_config', { computer: 'pc' });
    await settle();
    expect(spies.flat()).toEqual([]);
  });
});
