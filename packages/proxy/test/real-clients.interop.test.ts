import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect } from 'vitest';
import { NPM_CLIENTS, npmClients, PYPI_CLIENTS, pythonWith } from './client-packages.js';
import { A2C, started, type Target } from './conformance-suite.js';
import { lane } from './lane.js';

const exec = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const EVERYTHING = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const TOKEN = 'the-token-of-the-test';
const TIMEOUT = { timeout: 600_000 };

/** What one client sees of one server: sorted names, and the text of one result. */
interface View {
  readonly tools: readonly string[];
  readonly resources: readonly string[];
  /** Absent: the client has no prompts. */
  readonly prompts?: readonly string[];
  readonly call: string;
}

type Way = 'direct' | 'stdio' | 'http';
type Views = Partial<Record<Way, View>>;

let home: string;
let config: string;
let proxy: Target;
let views: Readonly<Record<string, Promise<Views>>>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'a2c-clients-'));
  const servers = join(home, 'mcp.json');
  await writeFile(servers, JSON.stringify({ mcpServers: { everything: program(process.execPath, EVERYTHING) } }));
  const [npm, ...pythons] = await Promise.all([npmClients(), ...PYPI_CLIENTS.map(pythonWith)]);
  const command = [A2C, 'proxy', '--http', '0', '--pass-through', '--config', servers];
  proxy = await started(command, { A2C_HOME: home, A2C_PROXY_TOKEN: TOKEN }, /^ready (.*)$/);
  config = join(home, 'clients.json');
  // Each start has a home of its own, so that it finds no cached tools.
  const cold = `A2C_HOME=$(mktemp -d -p "${home}") exec "${process.execPath}" "${A2C}" proxy --pass-through --config "${servers}"`;
  const ways: Record<Way, object> = {
    direct: program(process.execPath, EVERYTHING),
    stdio: program('sh', '-c', cold),
    http: { type: 'http', url: proxy.url, headers: { Authorization: `Bearer ${TOKEN}` } },
  };
  await writeFile(config, JSON.stringify({ mcpServers: ways }));
  const bin = (name: string) => [npm.node, join(npm.folder, 'node_modules/.bin', name)] as const;
  // In two lanes, because some clients give up on a busy machine.
  const [first, second] = [lane(), lane()];
  const python = PYPI_CLIENTS.map((clients, index) =>
    first(() => pythonViews(String(pythons[index]), Object.keys(clients))),
  );
  views = {
    '@modelcontextprotocol/inspector': second(() => eachWay((way) => inspectorView(bin('mcp-inspector'), way))),
    mcporter: second(() => eachWay((way) => mcporterView(bin('mcporter'), way))),
    '@ai-sdk/mcp': second(() =>
      json(npm.node, here('clients/ai-sdk.mjs'), npm.folder, config).then(byWay('@ai-sdk/mcp')),
    ),
    'mcp-remote': second(() => remoteViews(bin('mcp-remote'))),
    ...Object.fromEntries(
      PYPI_CLIENTS.flatMap((clients, index) =>
        Object.keys(clients).map((name) => [name, (python[index] as Promise<Seen>).then(byWay(pythonName(name)))]),
      ),
    ),
  };
  // A failure is reported by the test of its client.
  await Promise.allSettled(Object.values(views));
}, TIMEOUT.timeout);

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

for (const [name, version] of Object.entries({ ...NPM_CLIENTS, ...Object.assign({}, ...PYPI_CLIENTS) })) {
  verifies(
    'BRIDGE-REAL-01',
    `${name} ${version} sees what it sees without a2c`,
    async () => {
      const { direct, stdio, http } = (await views[name]) as Views;
      expect(direct?.call).toContain('hello');
      if (name !== 'mcp-remote') expect(stdio).toEqual(direct);
      expect(http).toEqual(direct);
      const page = await readFile(here('../../../docs/interoperability.md'), 'utf8');
      expect(page).toContain(`| \`${pythonName(name)}\` ${version} |`);
    },
    TIMEOUT,
  );
}

const program = (command: string, ...args: string[]) => ({
  command,
  args,
  env: { PATH: process.env.PATH, HOME: home },
});
const pythonName = (name: string) => name.replace('-slim[mcp]', '');

/** What a program prints: the client, the way, and the view. */
type Seen = readonly (readonly [client: string, way: Way, view: View])[];

const byWay = (name: string) => (seen: Seen) =>
  Object.fromEntries(seen.filter(([client]) => client === name).map(([, way, view]) => [way, view])) as Views;

const pythonViews = (python: string, clients: readonly string[]) =>
  json(python, here('clients/clients.py'), config, ...clients.map(pythonName)) as Promise<Seen>;

async function eachWay(view: (way: Way) => Promise<View>): Promise<Views> {
  const seen: Views = {};
  for (const way of ['direct', 'stdio', 'http'] as const) seen[way] = await view(way);
  return seen;
}

const PATIENT = {
  MCPORTER_LIST_TIMEOUT: '120000',
  MCPORTER_CALL_TIMEOUT: '120000',
  MCP_INSPECTOR_SECRET_STORE: 'memory',
};

// biome-ignore lint/suspicious/noExplicitAny: the output of any client
async function json(command: string, ...args: string[]): Promise<any> {
  const { stdout } = await exec(command, args, { env: { ...process.env, ...PATIENT, HOME: home }, maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

const sorted = (items: readonly Readonly<Record<string, unknown>>[], field: string) =>
  items.map((item) => String(item[field])).toSorted();

async function inspectorView([node, inspector]: readonly [string, string], way: Way): Promise<View> {
  const run = (method: string, ...args: string[]) =>
    json(
      node,
      inspector,
      '--cli',
      '--config',
      config,
      '--server',
      way,
      '--connect-timeout',
      '120000',
      '--method',
      method,
      ...args,
    );
  const [tools, resources, prompts, called] = await Promise.all([
    run('tools/list'),
    run('resources/list'),
    run('prompts/list'),
    run('tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hello'),
  ]);
  return {
    tools: sorted(tools.tools, 'name'),
    resources: sorted(resources.resources, 'uri'),
    prompts: sorted(prompts.prompts, 'name'),
    call: called.content[0].text,
  };
}

async function mcporterView([node, mcporter]: readonly [string, string], way: Way): Promise<View> {
  const run = (...args: string[]) => json(node, mcporter, '--config', config, ...args);
  const [tools, resources, called] = await Promise.all([
    run('list', way, '--json'),
    run('resource', way, '--json'),
    run('call', `${way}.echo`, 'message=hello', '--output', 'json'),
  ]);
  return {
    tools: sorted(tools.tools, 'name'),
    resources: sorted(resources.resources, 'uri'),
    call: called.content[0].text,
  };
}

/** A program that connects a client on stdio to a server over HTTP. */
async function remoteViews([node, remote]: readonly [string, string]): Promise<Views> {
  const header = `Authorization:Bearer ${TOKEN}`;
  const direct = await sdkView(process.execPath, EVERYTHING);
  return { direct, http: await sdkView(node, remote, proxy.url, '--header', header) };
}

async function sdkView(command: string, ...args: string[]): Promise<View> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ ...program(command, ...args), stderr: 'ignore' } as never));
  try {
    const called = await client.callTool({ name: 'echo', arguments: { message: 'hello' } });
    return {
      tools: sorted((await client.listTools()).tools, 'name'),
      resources: sorted((await client.listResources()).resources, 'uri'),
      prompts: sorted((await client.listPrompts()).prompts, 'name'),
      call: String((called.content[0] as { text?: string }).text),
    };
  } finally {
    await client.close();
  }
}
