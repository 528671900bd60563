import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Computer, OfficeLink } from '@a2c/computer';
import { type InputDefinition, readConfig, type ServerConfig } from '@a2c/config';
import { allowAnonymous, type Listening, listen } from '@a2c/server';
import { stderrLogger } from '../computer/stderr-logger.js';
import { loadFrom } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { print, printError } from '../output.js';
import { stopSignal } from '../signals.js';
import { instructions, type WhatIsUp } from './instructions.js';

export interface UpOptions {
  readonly config?: string;
  readonly port?: number;
  readonly office: string;
  readonly name: string;
  readonly confirm: 'allow' | 'deny';
  readonly json?: true;
}

const HOST = '127.0.0.1';
const DEFAULT_PORT = 7_000;

/** The signalling server, one Computer and its seat, until a signal. */
export async function up(options: UpOptions): Promise<void> {
  const { office, name, confirm, json } = options;
  const stopped = stopSignal();
  const { servers, inputs, root } = await hosted(options);
  const server = await listenSomewhere(options.port);
  const computer = new Computer({
    name,
    inputs,
    mcpServers: servers,
    root,
    confirm: () => confirm === 'allow',
    logger: stderrLogger,
  });
  const link = new OfficeLink(computer, { url: server.url, logger: stderrLogger });
  try {
    await Promise.race([bringUp(computer, link, office), stopped]);
    if (link.office !== undefined) announce(computer, { url: server.url, office, computer: name }, json === true);
    await stopped;
  } finally {
    link.disconnect();
    await computer.close();
    await server.close();
  }
}

async function bringUp(computer: Computer, link: OfficeLink, office: string): Promise<void> {
  await computer.boot();
  await link.connect(office);
  await link.joinOffice(office);
}

function announce(computer: Computer, place: Pick<WhatIsUp, 'url' | 'office' | 'computer'>, json: boolean): void {
  for (const { name, cause } of computer.status()) if (cause !== null) printError(`${name}: ${cause}`);
  const what: WhatIsUp = { ...place, tools: computer.getAvailableTools().map(({ name }) => name) };
  const { lines, ...pasted } = instructions(what);
  if (json) print(JSON.stringify({ event: 'ready', ...what, ...pasted }));
  else {
    printError(lines);
    print(`ready ${place.url}`);
  }
}

/** What the file says, or the demo, whose tools may be called without asking. */
async function hosted({
  config,
}: UpOptions): Promise<{ servers: readonly ServerConfig[]; inputs: readonly InputDefinition[]; root: string }> {
  if (config !== undefined) {
    const { servers, inputs, source } = await loadFrom({ config: resolve(config) });
    return { servers, inputs, root: source.root };
  }
  const program = fileURLToPath(new URL('../demo/main.js', import.meta.url));
  const demo = {
    name: 'demo',
    type: 'stdio',
    server_parameters: { command: process.execPath, args: [program] },
    default_tool_meta: { auto_apply: true },
  };
  const { config: built } = readConfig(JSON.stringify([demo]), { file: 'demo' });
  return { servers: built?.servers ?? [], inputs: [], root: process.cwd() };
}

/** The usual port, or a free one when that is taken and nobody asked for it. */
async function listenSomewhere(port: number | undefined): Promise<Listening> {
  try {
    return await listen({ host: HOST, port: port ?? DEFAULT_PORT, authenticate: allowAnonymous });
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE') throw error;
    if (port !== undefined) throw new UsageError(`port ${port} is taken: choose another, or leave --port out`);
    return await listen({ host: HOST, port: 0, authenticate: allowAnonymous });
  }
}
