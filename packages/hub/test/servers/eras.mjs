// A server over stdio of one protocol generation or of both, which begins to read after a delay.
//   node eras.mjs 2025|2026|both [DELAY_MS] [BEHAVIOUR…]
//     mute      ignores requests it does not know (2025 ignores server/discover, 2026 ignores initialize)
//     exit      exits at the request of the other generation
//     reversed  answers every request but the first before the first one
// The first request decides which generation `both` and `2026` serve. Tools: era {} answers with the generation,
// era {result} with that result, unchanged.
import { createInterface } from 'node:readline';

const [generation, delay = '0', ...behaviours] = process.argv.slice(2);
const modernId = { 'io.modelcontextprotocol/serverInfo': { name: 'eras', version: '1' } };
const serves = generation === 'both' ? ['2025', '2026'] : [generation];
let era;
let held;

setTimeout(() => {
  createInterface({ input: process.stdin })
    .on('line', (line) => onMessage(JSON.parse(line)))
    .on('close', () => process.exit(0));
}, Number(delay));

function onMessage({ id, method, params }) {
  if (id === undefined) return;
  const asked = method === 'server/discover' ? '2026' : method === 'initialize' ? '2025' : era;
  if (!serves.includes(asked)) return refuse(id, method);
  era ??= asked;
  if (era !== asked) return refuse(id, method);
  if (params?.arguments?.result) return send({ id, result: params.arguments.result });
  const result = {
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, _meta: modernId },
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'eras', version: '1' },
    },
    'tools/list': { tools: [{ name: 'era', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' },
    'tools/call': { content: [{ type: 'text', text: era }] },
  }[method];
  if (!result) send({ id, error: { code: -32601, message: 'Method not found' } });
  else
    send({
      id,
      result: era === '2026' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result } : result,
    });
}

function refuse(id, method) {
  if (behaviours.includes('exit')) process.exit(1);
  if (behaviours.includes('mute')) return;
  if (method !== 'initialize') send({ id, error: { code: -32601, message: 'Method not found' } });
  else send({ id, error: { code: -32022, message: 'the initialize handshake is not accepted', data: {} } });
}

function send(message) {
  if (behaviours.includes('reversed') && held === undefined) {
    held = message;
    return;
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  if (held) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...held })}\n`);
  held = null;
}
