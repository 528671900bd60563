// What peers of different generations send, and how a2c parses it. Run it with
// `node packages/protocol/examples/tour.js`.
import {
  canonicalName,
  errorAnswer,
  generationOfName,
  judgeVersion,
  organiseDesktop,
  PROTOCOL_VERSION,
  parseAnswer,
  parseRequest,
  SMCP_NAMESPACE,
  SMCPError,
  toSMCPTool,
} from '@a2c/protocol';

const show = (value) => JSON.stringify(value);
const heading = (text) => console.log(`\n${text}\n${'─'.repeat(text.length)}`);

console.log(`a2c speaks A2C-SMCP ${PROTOCOL_VERSION} on ${SMCP_NAMESPACE}`);

heading('One event, two names');
for (const name of ['client:get_mcp_config', 'client:get_config', 'client:tool_call', 'client:x_custom']) {
  console.log(
    `${name.padEnd(22)} → ${canonicalName(name) ?? 'unknown: answered with 400'}  ${generationOfName(name) ?? ''}`,
  );
}

heading('A call as an older Python agent sends it');
const sent = { robot_id: 'a1', req_id: 'r1', computer: 'pc', tool_name: 'add', params: null, timeout: '30' };
console.log(`sent   ${show(sent)}`);
console.log(`parsed ${show(parseRequest('client:tool_call', sent))}`);

heading('An invalid call');
try {
  parseRequest('client:tool_call', { agent: 'a1', req_id: 'r2', computer: 7, tool_name: 'add', timeout: -1 });
} catch (error) {
  console.log(`answered ${show(errorAnswer(SMCPError.from(error)))}`);
}

heading('A result as the Rust computer sends it');
const wrapped = [{ Ok: { content: [{ type: 'text', text: '3', annotations: null }], is_error: false } }];
console.log(`sent   ${show(wrapped)}`);
console.log(`parsed ${show(parseAnswer('client:tool_call', wrapped))}`);

heading('An MCP tool as an agent sees it');
const tool = { name: 'search', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
console.log(show(toSMCPTool(tool, { alias: 'web_search', auto_apply: true })));

heading('A desktop of three windows');
const window = (server, uri, text) => ({ server, resource: { uri }, contents: [{ text }] });
const windows = [
  window('notes', 'window://notes/today?priority=40', 'buy milk'),
  window('browser', 'window://browser/news?priority=20', 'headlines'),
  window('browser', 'window://browser/mail?priority=90', '2 unread'),
];
for (const text of organiseDesktop(windows, { history: ['browser'] })) console.log(text.replace('\n\n', '  │ '));

heading('Which versions may connect');
for (const version of [undefined, '0.1.0', '0.4.0', '1.0.0', 'latest']) {
  const verdict = judgeVersion(version);
  console.log(
    `${String(version ?? 'no version').padEnd(12)} → ${verdict.ok ? 'served' : verdict.refusal.body.message}`,
  );
}
