import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Computer, type Logger, OfficeLink } from '@a2c/computer';
import { type InputDefinition, readConfig, type ServerConfig } from '@a2c/config';
import { allowAnonymous, type Listening, listen } from '@a2c/server';
import { allStartedLine, closedOrTimeout, startedOrTimeout, startingServers } from '../computer/start-timeouts.js';
import { loadFrom } from '../config-options.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { print, printError } from '../output.js';
import { stopSignal } from '../process-signals.js';
import { stderrLogger, textLogger } from '../text-logger.js';
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

/** Runs the signalling server and one Computer until a signal. */
export async function up(options: UpOptions): Promise<void> {
  const { office, name, confirm } = options;
  let isStopping = false;
  const stopped = stopSignal().then(() => {
    isStopping = true;
  });
  const { servers, inputs, root } = await loadServers(options);
  const server = await listenOnPort(options.port);
  const logger = loggerUntil(() => isStopping);
  const computer = new Computer({
    name,
    inputs,
    mcpServers: servers,
    root,
    // Without a callback, a call reports that no one can be asked, instead of a denial by a person.
    ...(confirm === 'allow' && { confirm: () => true }),
    logger,
  });
  const link = new OfficeLink(computer, { url: server.url, logger });
  try {
    const started = computer.boot();
    const joined = link.connect(office).then(() => link.joinOffice(office));
    // The demo server starts quickly, and the instructions need its tools.
    const ready = options.config === undefined ? started : startedOrTimeout(started);
    await Promise.race([Promise.all([joined, ready]), stopped]);
    if (isStopping) return;
    const starting = announce(computer, server.url, options);
    await Promise.race([started, stopped]);
    if (starting.length > 0 && !isStopping) printError(allStartedLine(computer));
    await stopped;
  } finally {
    link.disconnect();
    await closedOrTimeout(computer.close().then(() => server.close()));
    if (isStopping) process.exit(EXIT.done);
  }
}

/** Prints each warning once, also when an operation is retried, and none after the stop signal. */
function loggerUntil(isStopping: () => boolean): Logger {
  const printed = new Set<string>();
  return textLogger((line) => {
    if (isStopping() || printed.has(line)) return;
    printed.add(line);
    printError(line);
  });
}

/** Prints the ready line and the instructions. Returns the servers that are still starting. */
function announce(
  computer: Computer,
  url: string,
  { office, config, port, confirm, json }: UpOptions,
): readonly string[] {
  const place = { url, office, computer: computer.name };
  const starting = startingServers(computer);
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

/** The servers of the file, or the demo server, whose tools need no consent. */
async function loadServers({
  config,
}: UpOptions): Promise<{ servers: readonly ServerConfig[]; inputs: readonly InputDefinition[]; root: string }> {
  if (config !== undefined) {
    const { servers, inputs, source } = await loadFrom({ config: resolve(config) });
    return { servers, inputs, root: source.root };
  }
  const program = fileURLToPath(new URL('../demo/demo-server.js', import.meta.url));
  const demo = {
    name: 'demo',
    type: 'stdio',
    server_parameters: { command: process.execPath, args: [program] },
    default_tool_meta: { auto_apply: true },
  };
  const { config: built } = readConfig(JSON.stringify([demo]), { file: 'demo' });
  return { servers: built?.servers ?? [], inputs: [], root: process.cwd() };
}

/** Listens on the given port; without one, on the default port or, if that is taken, on a free one. */
async function listenOnPort(port: number | undefined): Promise<Listening> {
  try {
    return await listen({ host: HOST, port: port ?? DEFAULT_PORT, authenticate: allowAnonymous, logger: stderrLogger });
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE') throw error;
    if (port !== undefined) throw new UsageError(`port ${port} is in use; choose another or omit --port`);
    const server = await listen({ host: HOST, port: 0, authenticate: allowAnonymous, logger: stderrLogger });
    printError(`port ${DEFAULT_PORT} is taken; add --url ${server.url} to every command`);
    return server;
  }
}
