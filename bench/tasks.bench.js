// Tokens (o200k) that a model reads in whole tasks: tools directly, behind two tools, and with the mode auto. Every
// turn of the conversation sends the tool definitions and all earlier messages again.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MCPProxy, serveHttp } from '@a2c/proxy';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { quick, table } from './table.js';

const shared = process.env.A2C_SHARED ?? fileURLToPath(new URL('../../shared', import.meta.url));
const folder = `${shared}/corpus`;
const jsonTokens = (value) => countTokens(JSON.stringify(value));

/** What the model writes for one call, and what the tool returns; the same in every mode. */
const CALL_TOKENS = 60;
const RESULT_TOKENS = 300;

export default async function bench() {
  if (!existsSync(folder)) {
    console.log(`no corpus at ${folder}: set A2C_SHARED to measure tasks over public servers`);
    return;
  }
  const all = readdirSync(folder)
    .toSorted()
    .flatMap((file) => {
      const { tools } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
      return tools.map((tool) => ({ server: file.slice(0, -'.json'.length), tool }));
    });
  const rows = [];
  for (const count of quick([2, 50], [2, 4, 10, 50, 200, 700])) {
    const servers = some(all, count);
    const direct = jsonTokens(servers.flatMap(({ tools }) => tools));
    const two = jsonTokens(await listed(servers, {}));
    const automatic = jsonTokens(await listed(servers, { mode: 'auto' }));
    for (const calls of [1, 3, 10]) {
      const searches = inspections(servers, calls);
      const sums = {
        direct: task(direct, calls, []),
        'two tools': task(two, calls, searches),
        auto: automatic === two ? task(two, calls, searches) : task(automatic, calls, []),
      };
      rows.push({
        tools: count,
        calls,
        'definitions, direct': direct,
        'definitions, two tools': two,
        ...sums,
        'break-even at definitions of': Math.round((sums['two tools'] - task(0, calls, [])) / (calls + 1)),
      });
    }
  }
  table(rows);
}

/** Every n-th tool, in servers. */
function some(all, count) {
  const chosen = Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]);
  const names = [...new Set(chosen.map(({ server }) => server))];
  return names.map((name) => ({
    name,
    state: 'ready',
    tools: chosen.filter(({ server }) => server === name).map(({ tool }) => tool),
  }));
}

const toolbox = (servers) => ({ servers: () => servers, call: async () => ({ content: [] }), on: () => () => {} });

async function listed(servers, options) {
  const endpoint = await serveHttp(new MCPProxy(toolbox(servers), options));
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url)));
  const { tools } = await client.listTools();
  await client.close();
  await endpoint.close();
  return tools;
}

/** The tokens of the answers of inspect: one search per two calls, since many calls repeat a tool or its neighbours. */
function inspections(servers, calls) {
  const { inspector } = new MCPProxy(toolbox(servers));
  const tools = servers.flatMap(({ tools }) => tools);
  return Array.from({ length: Math.ceil(calls / 2) }, (_, index) => {
    const { description = '', name } = tools[(index * 7) % tools.length];
    const query = description.split(/\s+/).slice(0, 8).join(' ') || name;
    return countTokens(inspector.run({ query }).content[0].text);
  });
}

/** Sum over all turns of what the model reads. The last turn answers the user. */
function task(definitions, calls, searches) {
  let history = 100;
  let total = 0;
  for (const answer of searches) {
    total += definitions + history;
    history += CALL_TOKENS + answer;
  }
  for (let call = 0; call < calls; call += 1) {
    total += definitions + history;
    history += CALL_TOKENS + RESULT_TOKENS;
  }
  return total + definitions + history;
}
