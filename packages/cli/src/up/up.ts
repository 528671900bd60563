import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Computer, type Logger, OfficeLink } from '@a2c/computer';
import { type InputDefinition, readConfig, type ServerConfig } from '@a2c/config';
import { allowAnonymous, type Listening, listen } from '@a2c/server';
import { allStartedLine, farewell, startedOrLate, stillStarting } from '../computer/patience.js';
import { line, stderrLogger } from '../computer/stderr-logger.js';
import { loadFrom } from '../config-options.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { print, printError } from '../output.js';
import { stopSignal } from '../signals.js';
import { instructions } from './instructions.js';

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

/** Runs a signalling server and one Computer that joins it, until a signal. */
export async function up(options: UpOptions): Promise<void> {
  const { office, name, confirm } = options;
  let isStopping = false;
  const stopped = stopSignal().then(() => {
    isStopping = true;
  });
  const { servers, inputs, root } = await hosted(options);
  const server = await listenSomewhere(options.port);
  const logger = loggerUntil(() => isStopping);
  const computer = new Computer({
    name,
    inputs,
    mcpServers: servers,
    root,
    confirm: () => confirm === 'allow',
    logger,
  });
  const link = new OfficeLink(computer, { url: server.url, logger });
  try {
    const started = computer.boot();
    const joined = link.connect(office).then(() => link.joinOffice(office));
    // The demo always starts; wait for its tools.
    const enough = options.config === undefined ? started : startedOrLate(started);
    await Promise.race([Promise.all([joined, enough]), stopped]);
    if (isStopping) return;
    const late = announce(computer, server.url, options);
    await Promise.race([started, stopped]);
    if (late.length > 0 && !isStopping) printError(allStartedLine(computer));
    await stopped;
  } finally {
    link.disconnect();
    await farewell(computer.close().then(() => server.close()));
    if (isStopping) process.exit(EXIT.done);
  }
}

/** Prints every problem once, and none that is caused by stopping. */
function loggerUntil(isStopping: () => boolean): Logger {
  const printed = new Set<string>();
  const printOnce = (fields: object, message: string) => {
    // Messages about an MCP server name it.
    const text = 'server' in fields ? message : line(fields, message);
    if (isStopping() || printed.has(text)) return;
    printed.add(text);
    printError(text);
  };
  return { ...stderrLogger, warn: printOnce, error: printOnce };
}

/** Returns the servers that are still starting. */
function announce(
  computer: Computer,
  url: string,
  { office, config, port, confirm, json }: UpOptions,
): readonly string[] {
  const place = { url, office, computer: computer.name };
  const starting = stillStarting(computer);
  const tools = computer.tools();
  const { lines, ...pasted } = instructions({
    ...place,
    tools,
    starting,
    config: config === undefined ? undefined : resolve(config),
    port,
    confirm,
  });
  if (json) {
    const names = tools.map(({ displayName }) => displayName);
    print(JSON.stringify({ event: 'ready', ...place, tools: names, starting, ...pasted }));
  } else {
    printError(lines);
    print(`ready ${url}`);
  }
  return starting;
}

/** The servers of the file, or the demo, whose tools need no consent. */
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

/** Listens on the given port; without one on the default port, or a free one when that is taken. */
async function listenSomewhere(port: number | undefined): Promise<Listening> {
  try {
    return await listen({ host: HOST, port: port ?? DEFAULT_PORT, authenticate: allowAnonymous });
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE') throw error;
    if (port !== undefined) throw new UsageError(`port ${port} is taken: choose another, or leave --port out`);
    const server = await listen({ host: HOST, port: 0, authenticate: allowAnonymous });
    printError(`port ${DEFAULT_PORT} is taken; add --url ${server.url} to every command`);
    return server;
  }
}
