import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c/agent';
import { Computer, OfficeLink } from '@a2c/computer';
import { readConfig } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { serve } from './harness.js';
import { pythonOf, SDK_VERSIONS, SdkPeer, type SdkVersion, sdkComputer, sdkServer, TOOLS_SERVER } from './sdk/peers.js';

const PAGE = fileURLToPath(new URL('../../../docs/interoperability.md', import.meta.url));
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** The outcome of each operation: true, or what happened instead. */
type Outcomes = Record<string, unknown>;

/** A row of the table: an Agent, a Server and a Computer, each `a2c` or a version of the SDK. */
interface Cell {
  readonly agent: string;
  readonly server: string;
  readonly computer: string;
  readonly outcomes: Outcomes;
}

/** Failures that are defects of the published peers. The test fails when one of them disappears. */
const DEFECTS: readonly { readonly is: (cell: Cell, operation: string) => boolean; readonly why: string }[] = [
  {
    why: 'D1: Agents of 0.1 end the connection on a message over 4 MiB; the Server answers with an error instead',
    is: ({ agent, server }, operation) => agent === '0.1.6' && server === 'a2c' && operation === 'image 5 MB',
  },
  {
    why: 'D2: the server of 0.1 does not answer a request to an unknown Computer',
    is: ({ server }, operation) => server === '0.1.6' && operation === 'unknown Computer',
  },
];

async function ownComputer(url: string, office: string, python: string): Promise<void> {
  const entry = {
    name: 'my tools',
    type: 'stdio',
    server_parameters: { command: python, args: [TOOLS_SERVER] },
    default_tool_meta: { auto_apply: true },
  };
  const { config } = readConfig(JSON.stringify([entry]), { file: 'tools.json' });
  const computer = new Computer({ name: 'own', mcpServers: config?.servers ?? [], logger: quiet });
  onTestFinished(() => computer.close());
  await computer.boot();
  const link = new OfficeLink(computer, { url, logger: quiet });
  onTestFinished(() => link.disconnect());
  await link.connect(office);
  await link.joinOffice(office);
}

/** The operations of our Agent. */
async function ownOutcomes(url: string, office: string, computer: string): Promise<Outcomes> {
  const agent = await Agent.connect({ url, office, name: 'agent' });
  try {
    await agent.ready({ computer });
    const names = agent.computers.get(computer)?.tools.map(({ name }) => name) ?? [];
    const named = (tool: string) => names.find((name) => name.endsWith(tool)) ?? tool;
    const attempt = async (action: () => Promise<unknown>) =>
      action().catch((error: Error) => `${error.name}: ${error.message}`.slice(0, 200));
    const refused = (action: Promise<unknown>) =>
      action.then(
        (result) => (result as { isError?: boolean }).isError === true || JSON.stringify(result),
        () => true,
      );
    const picture = async (size: number) => {
      const { content } = await agent.callTool(computer, named('picture'), { size });
      return String(content[0]?.data).length === Math.ceil(size / 3) * 4 || JSON.stringify(content).slice(0, 200);
    };
    const actions: Record<string, () => Promise<unknown>> = {
      tools: async () => names.length === 4 || names,
      call: async () => (await agent.callTool(computer, named('add'), { a: 1, b: 2 })).content[0]?.text === '3',
      'tool error': async () => (await agent.callTool(computer, named('fail'), {})).isError === true,
      'unknown tool': () => refused(agent.callTool(computer, 'missing', {})),
      'unknown Computer': async () => {
        const error = (await agent.callTool('nobody', 'x', {}, { timeout: 3 }).catch((reason) => reason)) as Error;
        return /timed out|no answer|did not answer/.test(error.message) ? error.message : true;
      },
      'image 100 KB': () => picture(100_000),
      desktop: async () => (await agent.getDesktop(computer)).some((text) => text.includes('a note on the board')),
      cancel: async () => {
        const signal = AbortSignal.timeout(1_000);
        return refused(agent.callTool(computer, named('slow'), {}, { timeout: 20, signal }));
      },
    };
    const outcomes: Outcomes = {};
    for (const [name, action] of Object.entries(actions)) outcomes[name] = await attempt(action);
    return outcomes;
  } finally {
    await agent.close();
  }
}

async function sdkOutcomes(agent: SdkPeer, url: string, office: string, computer: string): Promise<Outcomes> {
  agent.write([url, office, computer]);
  return (await agent.next()) as Outcomes;
}

/** All Agents with all Computers at our Server. Each Computer has an office of its own, with one Agent at a time. */
async function atOurServer(): Promise<Cell[]> {
  const { url } = await serve();
  await ownComputer(url, 'a2c', pythonOf('0.4.2'));
  await Promise.all(SDK_VERSIONS.map((version) => sdkComputer(version, url, version, 'own')));
  const computers = ['a2c', ...SDK_VERSIONS];
  const agents = SDK_VERSIONS.map((version) => ({ version, peer: new SdkPeer(version, 'sdk_agent.py') }));
  const rounds = computers.map((_, round) => async () => {
    const officeOf = (agent: number) => computers[(agent + round) % computers.length] as string;
    const own = officeOf(agents.length);
    return Promise.all([
      ownOutcomes(url, own, 'own').then((outcomes) => ({ agent: 'a2c', server: 'a2c', computer: own, outcomes })),
      ...agents.map(async ({ version, peer }, i) => {
        const outcomes = await sdkOutcomes(peer, url, officeOf(i), 'own');
        return { agent: version as string, server: 'a2c', computer: officeOf(i), outcomes };
      }),
    ]);
  });
  const cells: Cell[] = [];
  for (const round of rounds) cells.push(...(await round()));
  return cells;
}

/** Our Agent and Computer at a server of the SDK, with its own. */
async function atSdkServer(version: SdkVersion): Promise<Cell[]> {
  const url = await sdkServer(version);
  await ownComputer(url, 'o', pythonOf(version));
  await sdkComputer(version, url, 'o', 'sdk');
  const cells: Cell[] = [];
  for (const [name, computer] of [
    ['sdk', version],
    ['own', 'a2c'],
  ] as const) {
    cells.push({ agent: 'a2c', server: version, computer, outcomes: await ownOutcomes(url, 'o', name) });
  }
  const agent = new SdkPeer(version, 'sdk_agent.py');
  cells.push({ agent: version, server: version, computer: 'a2c', outcomes: await sdkOutcomes(agent, url, 'o', 'own') });
  return cells;
}

/** The rows of the page: each combination, and the operations that fail in it. */
function table(cells: readonly Cell[]): string {
  const rows = cells
    .toSorted((a, b) => `${a.server} ${a.agent} ${a.computer}`.localeCompare(`${b.server} ${b.agent} ${b.computer}`))
    .map((cell) => {
      const names = Object.keys(cell.outcomes);
      const failed = names.filter((name) => cell.outcomes[name] !== true);
      const defects = failed.map((name) => `${name} (${defectOf(cell, name)?.why.slice(0, 2) ?? 'open'})`);
      const works = `${names.length - failed.length} of ${names.length}`;
      return `| ${cell.agent} | ${cell.server} | ${cell.computer} | ${works} | ${defects.join(', ')} |`;
    });
  const defects = DEFECTS.map(({ why }) => `- ${why}`);
  return [
    ...['| Agent | Server | Computer | operations | exceptions |', '|---|---|---|---|---|', ...rows, ''],
    ...['Defects of the published peers:', '', ...defects, ''],
  ].join('\n');
}

function defectOf(cell: Cell, operation: string) {
  return DEFECTS.find(({ is }) => is(cell, operation));
}

verifies(
  'GEN-INTEROP-01',
  'every pair of our programs and the published SDKs works, except for known defects',
  async () => {
    const cells = await atOurServer();
    for (const version of SDK_VERSIONS) cells.push(...(await atSdkServer(version)));
    const page = readFileSync(PAGE, 'utf8');
    const start = page.indexOf('| Agent |');
    writeFileSync(PAGE, `${page.slice(0, start)}${table(cells)}`);
    const unexpected = cells.flatMap((cell) =>
      Object.entries(cell.outcomes)
        .filter(([name, outcome]) => (outcome === true) === (defectOf(cell, name) !== undefined))
        .map(([name, outcome]) => `${cell.agent} → ${cell.server} → ${cell.computer}: ${name}: ${String(outcome)}`),
    );
    expect(unexpected).toEqual([]);
  },
  { timeout: 600_000 },
);
