import { verifies } from '@a2c/requirements';
import { apiKey } from '@a2c/server';
import { describe, expect } from 'vitest';
import { ask, CALL, next, serve } from './harness.js';
import { run } from './processes.js';

/** Runs a Python program with a connected client `sio`. Returns the JSON values it prints, one per line. */
async function python(url: string, program: string, connect = ''): Promise<unknown[]> {
  const script = `
import json, time, socketio
sio = socketio.Client(reconnection=False)
refusals = []
sio.on('connect_error', lambda reason: refusals.append(reason), namespace='/smcp')
def call(event, payload, **more): return sio.call(event, payload, namespace='/smcp', **more)
def show(value): print(json.dumps(value), flush=True)
def connect(**options): sio.connect(${JSON.stringify(url)}, namespaces=['/smcp'], wait_timeout=30, **options)
${connect || 'connect()'}
${program}
sio.disconnect()
`;
  const child = run('/usr/bin/python3', ['-'], script);
  let output = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) output += chunk;
  return output
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as unknown);
}

describe('a python-socketio client', () => {
  verifies('SRV-PEER-01', 'joins, calls and receives results and errors', async () => {
    const server = await serve();
    const computer = await server.member('computer', 'pc', 'o');
    computer.on('client:tool_call', ({ params }, ack) =>
      ack({ content: [{ type: 'text', text: params.text }], isError: false }),
    );
    const request = { ...CALL, params: { text: '你好' } };
    const printed = await python(
      server.url,
      `
show(call('server:join_office', {'role': 'agent', 'name': 'a', 'office_id': 'o'}))
show(call('server:join_office', {'role': 'agent', 'name': 'a', 'office_id': 'elsewhere'}))
request = json.loads(${JSON.stringify(JSON.stringify(request))})
show(call('client:tool_call', request))
show(call('client:tool_call', dict(request, computer='missing'))['error']['code'])
show(call('client:tool_call', {'agent': 'a'})['code'])
show(call('server:no_such_event', {})['code'])
show(call('server:update_config', {'computer': 'x'})['code'])
show(call('server:leave_office', {'office_id': 'o'}))`,
    );
    expect(printed).toEqual([
      [true, null],
      [false, expect.stringMatching(/^403\/4106 /)],
      { content: [{ type: 'text', text: '你好' }], isError: false },
      404,
      400,
      400,
      403,
      [true, null],
    ]);
  });

  verifies('SRV-PEER-01', 'serves as a Computer: values, tuples and empty acknowledgements', async () => {
    const server = await serve();
    const agent = await server.member('agent', 'a', 'o');
    const entered = next(agent, 'notify:enter_office');
    const finished = python(
      server.url,
      `
import threading
done = threading.Event()
@sio.on('client:get_tools', namespace='/smcp')
def get_tools(request): return {'tools': [], 'req_id': request['req_id']}
@sio.on('client:get_config', namespace='/smcp')
def get_config(request): return {'servers': {}}, 'dropped: an answer in the form of another generation has one value'
@sio.on('notify:tool_call_cancel', namespace='/smcp')
def cancelled(payload):
    show(payload)
    done.set()
show(call('server:join_office', {'role': 'computer', 'name': 'pc', 'office_id': 'o'}))
done.wait(30)`,
    );
    await entered;
    expect(await ask(agent, 'client:get_tools', CALL)).toEqual([{ tools: [], req_id: 'r1' }]);
    expect(await ask(agent, 'client:get_mcp_config', CALL)).toEqual([{ servers: {} }]);
    expect(await ask(agent, 'client:get_desktop', CALL)).toEqual([expect.objectContaining({ code: 500 })]);
    agent.emit('server:tool_call_cancel', { agent: 'a', req_id: 'r7' });
    expect(await finished).toEqual([[true, null], { agent: 'a', req_id: 'r7' }]);
  });

  verifies('SRV-PEER-01', 'is refused with a reason it can read, over polling and over websocket', async () => {
    const server = await serve({ authenticate: apiKey('right') });
    const attempt = async (key: string, transport: string) => {
      // With `wait`, a refused client of this library waits until its timeout.
      const program = `
connect(headers={'x-api-key': '${key}'}, transports=['${transport}'], wait=False)
while not refusals and '/smcp' not in sio.namespaces: time.sleep(0.01)
show([refusals[-1]['message'], refusals[-1]['data']['code']] if refusals else 'connected')`;
      return python(server.url, '', program);
    };
    for (const transport of ['polling', 'websocket']) {
      expect(await attempt('right', transport)).toEqual(['connected']);
      expect(await attempt('wrong', transport)).toEqual([['Invalid connection request', 401]]);
    }
  });
});
