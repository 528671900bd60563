import { configFor, handshakeHint, PROTOCOL_VERSION } from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import {
  agentIn,
  ask,
  bareServer,
  boot,
  call,
  inputs,
  joined,
  linkOf,
  listenIn,
  office,
  serve,
  settle,
  textOf,
  until,
} from './harness.js';

const REQUEST = { agent: 'a', req_id: 'q', computer: 'pc' };

describe('a request of an Agent', () => {
  verifies(
    [
      'SMCP-TOOL-01',
      'SMCP-TOOL-02',
      'SMCP-TOOL-03',
      'SMCP-TOOL-06',
      'SMCP-DESK-01',
      'SMCP-EVENT-01',
      'SMCP-NS-02',
      'SMCP-EXT-06',
      'WIRE-EVENT-02',
    ],
    'is answered in both dialects',
    async () => {
      for (const dialect of ['spec', '0.1'] as const) {
        const { agent, computer } = await office(
          { inputs: inputs({ id: 'i', type: 'promptString', description: '' }) },
          { dialect },
        );
        await call(agent, 'open_window', { uri: 'window://w/one', body: 'one' });
        expect(textOf(await call(agent, 'echo', { message: '你好' }, { x_unknown: 1 }))).toBe('你好');
        const [{ tools, req_id }] = (await ask(agent, 'client:get_tools', REQUEST)) as [
          { tools: unknown; req_id: string },
        ];
        expect([tools, req_id]).toEqual([computer.getAvailableTools(), 'q']);
        for (const event of ['client:get_config', 'client:get_mcp_config'])
          expect(await ask(agent, event, REQUEST)).toEqual([configFor('0.1', computer.config())]);
        expect(await ask(agent, 'client:get_desktop', { ...REQUEST, desktop_size: 1 })).toEqual([
          { desktops: ['window://w/one\n\none'], req_id: 'q' },
        ]);
      }
    },
  );

  verifies(
    ['COMP-LINK-01', 'SMCP-MSG-01', 'SMCP-ERR-01', 'SMCP-ERR-06', 'SMCP-CAT-04', 'SMCP-EXT-03', 'SMCP-ERR-02'],
    'is answered also when it is malformed',
    async () => {
      const computer = await boot({ mcpServers: [] });
      const { io, url } = await bareServer();
      const link = linkOf(computer, url, { dialect: 'spec' });
      const connection = new Promise<import('socket.io').Socket>((resolve) =>
        io.of('/smcp').once('connection', resolve),
      );
      await link.connect();
      const socket = await connection;
      const say = (event: string, payload: unknown) =>
        socket.timeout(60_000).emitWithAck(event, payload) as Promise<Record<string, unknown>>;
      for (const payload of [null, 7, 'x', [], {}, { ...REQUEST, computer: 7 }]) {
        for (const event of [
          'client:tool_call',
          'client:get_tools',
          'client:get_mcp_config',
          'client:get_desktop',
          'client:get_blob',
        ])
          expect(await say(event, payload), event).toMatchObject({ error: { code: 400, details: {} }, code: 400 });
      }
      expect(await say('client:no_such_thing', REQUEST)).toMatchObject({ error: { code: 400 } });
      expect(await say('client:get_tools', { ...REQUEST, computer: 'other' })).toMatchObject({
        error: { code: 403, message: expect.stringContaining('this is Computer "pc", not "other"') },
      });
      expect(await say('client:tool_call', { ...REQUEST, computer: 'other', tool_name: 't' })).toMatchObject({
        isError: true,
        error: { code: 403 },
      });
      expect(await say('client:get_tools', { ...REQUEST, computer: socket.id })).toMatchObject({ tools: [] });
      socket.emit('notify:something_new', { any: 'thing' });
      socket.emit('notify:tool_call_cancel', 'nonsense');
      socket.emit('client:get_tools', REQUEST); // without acknowledgement
      expect(await say('client:get_tools', REQUEST)).toMatchObject({ tools: [] });
    },
  );

  verifies(['SMCP-ERR-05', 'WIRE-ERR-04', 'SMCP-ERR-09'], 'internal errors are 500 and reveal nothing', async () => {
    const { agent, computer } = await office();
    computer.getAvailableTools = () => {
      throw new Error('secret path /etc/keys of 10.0.0.7');
    };
    const [answer] = await ask(agent, 'client:get_tools', REQUEST);
    expect(answer).toMatchObject({ error: { code: 500 } });
    expect(JSON.stringify(answer)).not.toMatch(/keys|10\.0/);
  });

  verifies(['SMCP-TOOL-04', 'SMCP-TOOL-05', 'COMP-CANCEL-01'], 'can be cancelled down to the MCP server', async () => {
    const { agent, computer } = await office();
    const slow = call(agent, 'sleep', { ms: 60_000 }, { req_id: 'slow' });
    const other = call(agent, 'sleep', { ms: 300 }, { req_id: 'other' });
    await until(() => computer.status()[0]?.callsInFlight === 2);
    agent.emit('server:tool_call_cancel', { agent: 'a', req_id: 'slow' });
    expect(await slow).toMatchObject({ isError: true, meta: { a2c_cancelled: true } });
    expect(textOf(await other)).toBe('slept');
    expect(JSON.parse(textOf(await call(agent, 'cancelled')))).toHaveLength(1);
  });
});

describe('two Agents in two offices', () => {
  verifies(
    ['COMP-ONCE-01', 'SMCP-CALL-02', 'SMCP-ROLE-01'],
    'each get their own answers, and a repeated call runs once',
    async () => {
      const { url } = await serve();
      const computers = await Promise.all(['pc1', 'pc2'].map((name) => boot({ name })));
      const agents = await Promise.all(['o1', 'o2'].map((id) => agentIn(url, id, 'a')));
      await Promise.all(computers.map((computer, i) => joined(computer, url, {}, `o${i + 1}`)));
      const calls = Array.from({ length: 20 }, (_, i) => {
        const which = i % 2;
        const agent = agents[which] as (typeof agents)[number];
        return call(
          agent,
          'echo',
          { message: `${which}-${i >> 2}` },
          { computer: `pc${which + 1}`, req_id: `r${i >> 2}` },
        );
      });
      const texts = (await Promise.all(calls)).map(textOf);
      expect(texts).toEqual(Array.from({ length: 20 }, (_, i) => `${i % 2}-${i >> 2}`));
      expect(computers.map((computer) => computer.history().length)).toEqual([5, 5]);
      const strange = await call(agents[0] as (typeof agents)[number], 'echo', { message: 'x' }, { computer: 'pc2' });
      expect(strange.error?.code).toBe(404);
    },
  );
});

describe('announcements', () => {
  verifies(
    ['COMP-LINK-02', 'SMCP-STAT-03', 'SMCP-DESK-02', 'WIRE-EVENT-01', 'COMP-RULE-05', 'WIRE-EVENT-02'],
    'report real changes, each kind once, in the chosen dialect',
    async () => {
      for (const dialect of ['spec', '0.1'] as const) {
        const { agent, computer, link } = await office({}, { dialect });
        const heard = listenIn(agent);
        const names = () => heard.map(([name]) => name).filter((name) => !name.includes('office'));
        const expectAnnounced = async (...wanted: string[]) => {
          await until(() => wanted.every((name) => names().includes(name)));
          await settle(150);
          expect(new Set(names())).toEqual(new Set(wanted));
          expect(heard.every(([, payload]) => (payload as { computer: string }).computer === 'pc')).toBe(true);
          heard.length = 0;
        };
        const [config, desktop] = ['notify:update_config', 'notify:update_desktop'];
        const alias = { [config as string]: 'notify:update_mcp_config', [desktop as string]: 'notify:desktop_refresh' };
        computer.defineInputs(inputs({ id: 'i', type: 'promptString', description: '' }));
        computer.defineInputs(inputs({ id: 'i', type: 'promptString', description: '' }));
        await expectAnnounced(config as string, alias[config as string] as string);
        for (const name of ['x', 'y']) await computer.executeTool(name, 'add_tool', { name });
        await expectAnnounced('notify:update_tool_list');
        await computer.executeTool('w', 'open_window', { uri: 'window://w/1', body: '' });
        await expectAnnounced(desktop as string, alias[desktop as string] as string);
        await computer.executeTool('e', 'echo', { message: 'nothing changes' });
        await settle(150);
        expect(heard).toEqual([]);
        expect(link.notifyUpdate()).toBe(true);
        await expectAnnounced(config as string, alias[config as string] as string);
        await link.leaveOffice();
        expect(link.notifyUpdate()).toBe(false);
      }
    },
  );

  verifies('COMP-LINK-02', 'many changes at once cause one notification', async () => {
    const { io, url } = await bareServer();
    const computer = await boot({ mcpServers: [] });
    const heard: string[] = [];
    io.of('/smcp').on('connection', (socket) => {
      socket.onAny((name: string, _payload, ack) => {
        heard.push(name);
        ack?.(true, null, { a2c_version: PROTOCOL_VERSION });
      });
    });
    await joined(computer, url);
    for (let i = 0; i < 50; i++) computer.defineInputs(inputs({ id: `i${i}`, type: 'promptString', description: '' }));
    await until(() => heard.length >= 2);
    await settle(300);
    expect(heard).toEqual(['server:join_office', 'server:update_config']);
  });
});

describe('joining and leaving', () => {
  verifies(
    ['COMP-LINK-06', 'SMCP-STAT-01', 'SMCP-STAT-02', 'SMCP-STAT-07', 'SMCP-ROLE-01'],
    'work in any order, and a failed join changes nothing',
    async () => {
      const { url } = await serve();
      const [computer, rival] = await Promise.all([boot(), boot({ name: 'rival' })]);
      const agent = await agentIn(url);
      const heard = listenIn(agent);
      await joined(rival, url);
      const link = linkOf(computer, url);
      await expect(link.joinOffice('o')).rejects.toThrow('connect first');
      await expect(link.leaveOffice()).rejects.toThrow('in no office');
      await link.connect();
      await expect(link.connect()).rejects.toThrow('already connected');
      await expect(link.joinOffice('o', { name: 'rival' })).rejects.toThrow('already exists');
      expect([computer.name, link.office]).toEqual(['pc', undefined]);
      await link.joinOffice('o');
      await link.joinOffice('o', { name: 'pc2' });
      expect([computer.name, link.office, link.state]).toEqual(['pc2', 'o', 'connected']);
      expect(textOf(await call(agent, 'echo', { message: 'hi' }, { computer: 'pc2' }))).toBe('hi');
      await expect(link.joinOffice('o', { name: 'rival' })).rejects.toThrow('already exists');
      await until(() => link.office === 'o');
      expect(computer.name).toBe('pc2');
      await link.joinOffice('elsewhere');
      expect((await call(agent, 'echo', { message: 'hi' }, { computer: 'pc2' })).error?.code).toBe(404);
      await link.leaveOffice();
      expect(link.office).toBeUndefined();
      link.disconnect();
      link.disconnect();
      expect(link.state).toBe('disconnected');
      await link.connect();
      await link.joinOffice('o');
      await until(() => heard.filter(([name]) => name.includes('office')).length === 8);
      expect(
        heard
          .filter(([name]) => name.includes('office'))
          .map(([name, payload]) => [name, (payload as { computer: string }).computer]),
      ).toEqual([
        ['notify:enter_office', 'rival'],
        ['notify:enter_office', 'pc'],
        ['notify:leave_office', 'pc'],
        ['notify:enter_office', 'pc2'],
        ['notify:leave_office', 'pc2'],
        ['notify:enter_office', 'pc2'],
        ['notify:leave_office', 'pc2'],
        ['notify:enter_office', 'pc2'],
      ]);
    },
  );

  verifies(
    ['SMCP-VER-01', 'SMCP-NS-01', 'SMCP-NS-02'],
    'work over both transports; the handshake identifies the Computer',
    async () => {
      for (const transport of ['polling', 'websocket'] as const) {
        const { io, url } = await bareServer();
        const connection = new Promise<import('socket.io').Socket>((resolve) =>
          io.of('/smcp').once('connection', resolve),
        );
        const link = linkOf(await boot({ mcpServers: [] }), url, {
          transports: [transport],
          headers: { 'x-extra': '1' },
          auth: { api_key: 'k' },
        });
        await link.connect('my office');
        const { handshake, conn } = await connection;
        expect(conn.transport.name).toBe(transport);
        expect(handshake.query).toMatchObject({ office: 'my office', role: 'computer', a2c_version: PROTOCOL_VERSION });
        expect(handshake.auth).toMatchObject({
          ...handshakeHint('0.4'),
          api_key: 'k',
          instance: expect.stringMatching(/./),
        });
        expect(handshake.headers['x-extra']).toBe('1');
      }
    },
  );

  verifies('COMP-LINK-05', 'a wrong node is left for the right one', async () => {
    const { url } = await serve({ sharded: true });
    const computer = await boot({ mcpServers: [] });
    const link = linkOf(computer, url);
    await link.connect();
    await link.joinOffice('o 1');
    expect(link.office).toBe('o 1');
    await link.joinOffice('o 2');
    expect(link.office).toBe('o 2');
    const agent = await agentIn(url, 'o 2', 'a', { query: { office: 'o 2' } });
    expect(await ask(agent, 'client:get_tools', REQUEST)).toMatchObject([{ tools: [] }]);
  });
});
