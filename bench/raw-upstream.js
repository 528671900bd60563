// An MCP server on stdio that costs next to nothing: it answers each line from the text of its id. It has one tool, or
// as many as its first argument says, with names that begin with the second.
const count = Number(process.argv[2] ?? 1);
const prefix = process.argv[3] ?? 'echo';
const schema = { type: 'object', properties: { message: { type: 'string', description: 'What to repeat' } } };
const description = 'Repeats the message. A description of usual length, as tools of real servers have it.';
const tools = Array.from({ length: count }, (_, index) => ({
  name: index === 0 ? prefix : `${prefix}-${index}`,
  description,
  inputSchema: schema,
}));
const results = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'raw', version: '1' },
  },
  'tools/list': { tools },
  'tools/call': { content: [{ type: 'text', text: 'hello' }] },
};

let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  let answers = '';
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = results[method]
      ? { result: results[method] }
      : { error: { code: -32_601, message: 'Method not found' } };
    answers += `${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`;
  }
  if (answers !== '') process.stdout.write(answers);
});
