// A Server and one Computer with a tool, over plain Socket.IO, for the example of the README.
import { allowAnonymous, listen } from '@a2c/server';
import { io } from 'socket.io-client';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const tools = [{ name: 'greet', description: 'greets somebody', params_schema: schema, return_schema: null, meta: {} }];

export async function openOffice(office) {
  const server = await listen({ port: 0, authenticate: allowAnonymous, logger: quiet });
  const computer = io(`${server.url}/smcp`, { reconnection: false });
  computer.on('client:get_tools', ({ req_id }, ack) => ack({ tools, req_id }));
  computer.on('client:tool_call', ({ params }, ack) =>
    ack({ content: [{ type: 'text', text: `hello ${params.name}` }], isError: false }),
  );
  await computer.emitWithAck('server:join_office', { role: 'computer', name: 'pc', office_id: office });
  return { url: server.url, close: () => server.close() };
}
