// Tokens (o200k) a model reads, directly and through the proxy, for the catalogues of public servers.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MCPProxy, SchemaConverter } from '@a2c/proxy';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { median, quick, table } from './table.js';

const shared = process.env.A2C_SHARED ?? fileURLToPath(new URL('../../shared', import.meta.url));
const folder = `${shared}/corpus`;
const jsonTokens = (value) => countTokens(JSON.stringify(value));
const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

export default async function bench() {
  await results();
  if (!existsSync(folder)) {
    console.log(`\nno corpus at ${folder}: set A2C_SHARED to measure catalogues`);
    return;
  }
  const servers = readdirSync(folder)
    .toSorted()
    .filter((_, index) => index % quick(4, 1) === 0)
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      state: 'ready',
      tools: JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')).tools,
    }));
  console.log();
  const counts = [1, 5, 10, 20, 40].filter((count) => count <= servers.length);
  table(counts.map((count) => start(evenly(servers, count))));
  console.log();
  table(schemas(servers));
  console.log();
  table(medians(servers));
}

/** Shares of single tools and servers: the sums above are dominated by the largest servers. */
function medians(servers) {
  const converter = new SchemaConverter();
  const shares = (tools) => {
    const { types, declarations } = converter.convertAll(tools.map(({ inputSchema }) => inputSchema));
    const lines = tools.map(({ name, description = '' }, index) => `- ${name} ${types[index]}: ${description}`);
    const schemas = tools.reduce((sum, { inputSchema }) => sum + jsonTokens(inputSchema), 0);
    const limits = { pageTokens: 1e9, maxResultLength: 1e9 };
    const { inspector } = new MCPProxy(toolbox([{ name: 's', state: 'ready', tools }]), limits);
    const text = inspector.run({ server_name: 's' }).content[0].text;
    // The heading and the legend are read once per server.
    const listed = tools.length === 1 ? text.split('\n').slice(2).join('\n') : text;
    return {
      types: countTokens([...types, ...declarations].join('\n')) / schemas,
      whole: countTokens([...declarations, ...lines].join('\n')) / jsonTokens(tools),
      listed: countTokens(listed) / jsonTokens(tools),
    };
  };
  const perTool = servers.flatMap(({ tools }) => tools.map((tool) => shares([tool])));
  const perServer = servers.map(({ tools }) => shares(tools));
  const row = (what, key) => ({
    what,
    [`median of ${perTool.length} tools`]: percent(median(perTool.map((share) => share[key])), 1),
    [`median of ${perServer.length} servers`]: percent(median(perServer.map((share) => share[key])), 1),
  });
  return [
    row('types, of the input schemas', 'types'),
    row('names, types and descriptions as inspect lists them, of the tool definitions', 'listed'),
    row('names, types and whole descriptions, of the tool definitions', 'whole'),
  ];
}

/** A toolbox of servers that answer every call with the same result. */
function toolbox(servers, answer) {
  return { servers: () => servers, call: async () => answer, on: () => () => {} };
}

/** Every n-th server, so that each set has small and large ones. */
function evenly(servers, count) {
  return Array.from({ length: count }, (_, index) => servers[Math.floor((index * servers.length) / count)]);
}

/** The tool list a client receives at the start. */
function start(servers) {
  const proxy = new MCPProxy(toolbox(servers));
  const tools = servers.flatMap(({ tools }) => tools);
  const direct = jsonTokens(tools);
  // The catalogue, plus a few hundred tokens for the fixed parts of the two tools.
  const through = jsonTokens([{ ...TWO_TOOLS[0], description: proxy.registry.description }, TWO_TOOLS[1]]);
  return {
    servers: servers.length,
    tools: tools.length,
    direct,
    'through a2c': through,
    share: percent(through, direct),
  };
}

function schemas(servers) {
  const types = new SchemaConverter();
  let [json, single, shared, list, listed, serverTexts] = [0, 0, 0, 0, 0, 0];
  for (const { tools } of servers) {
    const proxy = new MCPProxy(toolbox([{ name: 's', state: 'ready', tools }]), {
      pageTokens: 1e9,
      maxResultLength: 1e9,
    });
    const { types: each, declarations } = types.convertAll(tools.map(({ inputSchema }) => inputSchema));
    json += tools.reduce((sum, { inputSchema }) => sum + jsonTokens(inputSchema), 0);
    single += tools.reduce((sum, { inputSchema }) => sum + countTokens(types.convert(inputSchema)), 0);
    shared += countTokens([...each, ...declarations].join('\n'));
    list += jsonTokens(tools);
    listed += countTokens(
      [...declarations, ...tools.map((t, i) => `- ${t.name} ${each[i]}: ${t.description}`)].join('\n'),
    );
    serverTexts += countTokens(proxy.inspector.run({ server_name: 's' }).content[0].text);
  }
  return [
    { what: 'input schemas, compact JSON', tokens: json, share: '100 %' },
    { what: 'as TypeScript, each tool alone', tokens: single, share: percent(single, json) },
    { what: 'as TypeScript, tools of a server together', tokens: shared, share: percent(shared, json) },
    { what: 'whole tool lists, compact JSON', tokens: list, share: '100 %' },
    { what: 'name, full description, type', tokens: listed, share: percent(listed, list) },
    {
      what: 'inspect of every server (descriptions up to 360)',
      tokens: serverTexts,
      share: percent(serverTexts, list),
    },
  ];
}

const row = (id) => ({ id, name: `item ${id}`, price: id * 1.5, active: id % 3 === 0 });
const DATA = {
  '100 flat rows': Array.from({ length: 100 }, (_, id) => row(id)),
  '5 flat rows': Array.from({ length: 5 }, (_, id) => row(id)),
  'a map of 40 records': Object.fromEntries(Array.from({ length: 40 }, (_, id) => [`key${id}`, row(id)])),
  'nested issues': Array.from({ length: 30 }, (_, id) => ({
    ...row(id),
    user: { login: `u${id}` },
    labels: id % 2 ? ['bug'] : [],
  })),
  'numbers, 40 × 10': Array.from({ length: 40 }, (_, i) => Array.from({ length: 10 }, (_, j) => i * j)),
  'events of different shapes': Array.from({ length: 60 }, (_, id) => ({
    type: `t${id % 5}`,
    [`field${id % 7}`]: id,
    at: id,
  })),
  'a small status': { status: 'ok', uptime: 12345, version: '1.2.3' },
};

async function results() {
  const rows = [];
  for (const [data, value] of Object.entries(DATA)) {
    const answer = { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }] };
    const servers = [{ name: 's', state: 'ready', tools: [{ name: 'query', inputSchema: {} }] }];
    const { result } = await new MCPProxy(toolbox(servers, answer)).executor.execute('s', 'query', {});
    const [pretty, compact, shown] = [JSON.stringify(value, null, 2), JSON.stringify(value), result.content[0].text];
    const tokens = [pretty, compact, shown].map((text) => countTokens(text));
    rows.push({
      data,
      'as sent (indented)': tokens[0],
      'compact JSON': tokens[1],
      shown: tokens[2],
      as: shown === compact ? 'JSON' : 'TOON',
      'against compact': `${((100 * tokens[2]) / tokens[1] - 100).toFixed(0)} %`,
    });
  }
  table(rows);
}

/** The two tools as a client receives them, without the catalogue. */
const TWO_TOOLS = await listedTools();

async function listedTools() {
  const { serveHttp } = await import('@a2c/proxy');
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const endpoint = await serveHttp(new MCPProxy(toolbox([])));
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url)));
  const { tools } = await client.listTools();
  await client.close();
  await endpoint.close();
  return tools;
}
