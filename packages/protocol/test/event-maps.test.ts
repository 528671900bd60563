import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AgentToServerEvents,
  type ClientToServerEvents,
  type ComputerToServerEvents,
  type OfficeAck,
  officeAck,
  parseAnswer,
  parseRequest,
  type ServerToAgentEvents,
  type ServerToClientEvents,
  type ServerToComputerEvents,
  SMCP_NAMESPACE,
  SMCPError,
  type ToolCallReq,
  type ToolCallRet,
  toolCallErrorAnswer,
} from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { Server } from 'socket.io';
import { io, type Socket } from 'socket.io-client';
import { describe, expect, expectTypeOf, onTestFinished } from 'vitest';

type AgentSocket = Socket<ServerToAgentEvents, AgentToServerEvents>;
type ComputerSocket = Socket<ServerToComputerEvents, ComputerToServerEvents>;

describe('the event maps at compile time', () => {
  verifies('WIRE-TYPE-01', 'each direction has exactly its events, under all their names', () => {
    type Notification =
      | 'notify:enter_office'
      | 'notify:leave_office'
      | 'notify:tool_call_cancel'
      | 'notify:tool_call_progress'
      | 'notify:update_tool_list'
      | 'notify:update_config'
      | 'notify:update_mcp_config'
      | 'notify:update_skills'
      | 'notify:update_desktop'
      | 'notify:desktop_refresh';
    type Relayed =
      | 'client:tool_call'
      | 'client:get_tools'
      | 'client:get_desktop'
      | 'client:get_resources'
      | 'client:get_skills'
      | 'client:get_skill'
      | 'client:get_blob'
      | 'client:put_blob'
      | 'client:get_config'
      | 'client:get_mcp_config';
    type Member = 'server:join_office' | 'server:leave_office' | 'server:list_room';
    type Update =
      | 'server:update_tool_list'
      | 'server:update_config'
      | 'server:update_mcp_config'
      | 'server:update_skills'
      | 'server:update_desktop'
      | 'server:desktop_refresh';
    expectTypeOf<keyof AgentToServerEvents>().toEqualTypeOf<Relayed | Member | 'server:tool_call_cancel'>();
    expectTypeOf<keyof ComputerToServerEvents>().toEqualTypeOf<Member | Update | 'server:tool_call_progress'>();
    expectTypeOf<keyof ServerToAgentEvents>().toEqualTypeOf<Notification>();
    expectTypeOf<keyof ServerToComputerEvents>().toEqualTypeOf<Relayed | Notification>();
  });

  verifies('WIRE-TYPE-01', 'payloads and acknowledgements belong to their event', () => {
    expectTypeOf<Parameters<AgentToServerEvents['client:tool_call']>[0]>().toEqualTypeOf<ToolCallReq>();
    expectTypeOf<Parameters<ServerToComputerEvents['client:tool_call']>[0]>().toEqualTypeOf<ToolCallReq>();
    expectTypeOf<AgentToServerEvents['client:get_mcp_config']>().toEqualTypeOf<
      AgentToServerEvents['client:get_config']
    >();
    expectTypeOf<Parameters<Parameters<AgentToServerEvents['server:join_office']>[1]>>().toEqualTypeOf<OfficeAck>();

    const compileOnly = (agent: AgentSocket, computer: ComputerSocket): void => {
      // @ts-expect-error an undefined event
      agent.emit('client:tool_cal', {});
      // @ts-expect-error a payload without its timeout
      agent.emit('client:tool_call', { agent: 'a', req_id: 'r', computer: 'c', tool_name: 't', params: {} }, () => {});
      // @ts-expect-error only a Computer announces a desktop
      agent.emit('server:desktop_refresh', { computer: 'c' });
      // @ts-expect-error an Agent is never asked for tools
      agent.on('client:get_tools', () => {});
      // @ts-expect-error only an Agent calls tools
      computer.emit('client:get_tools', { agent: 'a', req_id: 'r', computer: 'c' }, () => {});
      // @ts-expect-error an answer of the wrong shape
      computer.on('client:get_tools', (_request, ack) => ack({ tools: 'none', req_id: 'r' }));
      // @ts-expect-error a member cannot send a notification
      computer.emit('notify:enter_office', { office_id: 'o' });
      computer.emit('server:desktop_refresh', { computer: 'c' });
      computer.emit('server:update_desktop', { computer: 'c' }, () => {});
    };
    expect(compileOnly).toBeTypeOf('function');
  });
});

describe('the event maps on real sockets', () => {
  const serve = async () => {
    const http = createServer();
    const server = new Server<ClientToServerEvents, ServerToClientEvents>(http, { serveClient: false });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}${SMCP_NAMESPACE}`;
    const open: { disconnect(): unknown }[] = [];
    onTestFinished(async () => {
      for (const socket of open) socket.disconnect();
      await server.close();
    });
    const connect = <S extends AgentSocket | ComputerSocket>(): S => {
      const socket = io(url, { forceNew: true, reconnection: false }) as unknown as S;
      open.push(socket);
      return socket;
    };
    return { smcp: server.of(SMCP_NAMESPACE), connect };
  };

  verifies('WIRE-TYPE-02', 'a join keeps both arguments and a call its payload, result and error', async () => {
    const { smcp, connect } = await serve();
    smcp.on('connection', (socket) => {
      socket.on('server:join_office', (payload, ack) => {
        const { role, office_id } = parseRequest('server:join_office', payload);
        if (role === 'agent')
          return ack(...officeAck(new SMCPError('Forbidden', `an Agent is already in ${office_id}`)));
        void socket.join(`office:${office_id}`);
        return ack(...officeAck());
      });
      socket.on('client:tool_call', (payload, ack) => {
        const { tool_name } = parseRequest('client:tool_call', payload);
        if (tool_name !== 'echo') return ack(toolCallErrorAnswer(new SMCPError('ToolNotFound', 'no such tool')));
        smcp
          .to('office:o')
          .timeout(60_000)
          .emit('client:tool_call', payload, (_error, [answer]) => ack(answer as ToolCallRet));
        return undefined;
      });
    });
    const computer = connect<ComputerSocket>();
    const agent = connect<AgentSocket>();
    computer.on('client:tool_call', ({ params }, ack) =>
      ack({ content: [{ type: 'text', text: JSON.stringify(params) }], isError: false }),
    );

    const joining = (socket: AgentSocket | ComputerSocket, role: 'agent' | 'computer') =>
      new Promise<readonly unknown[]>((resolve) => {
        (socket as AgentSocket).emit('server:join_office', { role, name: 'n', office_id: 'o' }, (...ack) =>
          resolve(ack),
        );
      });
    expect(parseAnswer('server:join_office', await joining(computer, 'computer'))).toBeUndefined();
    const refused = await joining(agent, 'agent');
    expect(refused).toEqual([false, '403 an Agent is already in o']);

    const call = (tool_name: string) =>
      new Promise<readonly unknown[]>((resolve) => {
        const params = { text: '你好 \u2028 "', n: [1, { deep: null }] };
        agent.emit(
          'client:tool_call',
          { agent: 'a', req_id: 'r', computer: 'n', tool_name, params, timeout: 5 },
          (...ack) => resolve(ack),
        );
      });
    const result = parseAnswer('client:tool_call', await call('echo'));
    expect(JSON.parse(String(result.content[0]?.text))).toEqual({ text: '你好 \u2028 "', n: [1, { deep: null }] });
    const answer = await call('missing');
    expect(() => parseAnswer('client:tool_call', answer)).toThrow(expect.objectContaining({ kind: 'ToolNotFound' }));
  });
});
