import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Computer,
  ComputerOperator,
  type ComputerOptions,
  ConsentQuestions,
  type Logger,
  OfficeLink,
} from '@a2c/computer';
import { approvalLists, readConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { type ExecutedCall, oneLine } from '@a2c/protocol';
import { allowAnonymous, type Listening, type ListenOptions, listen } from '@a2c/server';
import {
  allStartedLine,
  closedOrTimeout,
  type StartingServer,
  startedOrTimeout,
  startingServers,
} from '../computer/start-timeouts.js';
import { loadFrom, storedInputs } from '../config-options.js';
import { type HostConsole, isPortTaken, onBothLoopbacks, openConsole } from '../console/host-console.js';
import { presentTools } from '../console/tool-presentation.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { print, printError } from '../output.js';
import { pinOptions } from '../pin-options.js';
import { stopSignal } from '../process-signals.js';
import { stderrLogger, textLogger } from '../text-logger.js';
import { instructions, type UpState } from './instructions.js';
import { Screen } from './screen.js';
import { sharedNamesLines } from './shared-names.js';

export interface UpOptions {
  readonly config?: string;
  readonly port?: number;
  readonly office: string;
  readonly name: string;
  readonly confirm?: 'ask' | 'allow' | 'deny';
  /** False after `--no-console`. */
  readonly console: boolean;
  readonly json?: true;
}

const HOST = '127.0.0.1';
const DEFAULT_PORT = 7_000;
/** The Server is in the same process, which many MCP servers keep busy while they start. */
const CONNECT_MS = 60_000;

/** Runs the signalling server and one Computer until a signal. */
export async function up(options: UpOptions): Promise<void> {
  const { office, name } = options;
  const confirm = options.confirm ?? (options.console ? 'ask' : 'deny');
  if (confirm === 'ask' && !options.console) throw new UsageError('--confirm ask needs the console');
  let isStopping = false;
  const stopped = stopSignal().then(() => {
    isStopping = true;
  });
  const servers = await loadServers(options);
  let web: HostConsole | undefined;
  const server = await listenOnPort(options, (request, response) => web?.handle(request, response) ?? false);
  const screen = new Screen();
  let haveStarted = false;
  const printWarning = (line: string) => screen.print(line);
  const logger = loggerUntil(
    () => isStopping,
    printWarning,
    () => (haveStarted ? sharedNamesLines(computer) : []),
  );
  const questions = new ConsentQuestions(({ agent, tool, server: owner }) => {
    const question = `${agent ?? 'a local caller'} wants to run "${tool}" of "${owner}": answer in the browser`;
    // The link contains the token, so it is repeated only at a terminal that no longer shows it.
    if (screen.showsLink) return screen.print(`${question} (the link is above)`);
    screen.print(`${question}:`);
    screen.print(`  ${web?.link(server.url)}`, 'link');
  });
  const decide = { ask: questions.confirm, allow: () => true, deny: 'deny' as const }[confirm];
  const computer = new Computer({
    name,
    ...servers,
    guard: new TrustGuard({ ...UNTRUSTED, trusted: true, lists: await approvalLists() }),
    pins: pinOptions(options.config === undefined ? 'off' : 'block'),
    confirm: decide,
    logger,
  });
  const link = new OfficeLink(computer, { url: server.url, logger });
  try {
    if (server.server.operator) {
      const operator = new ComputerOperator(computer, { tools: presentTools(computer, () => link), questions });
      operator.watchLink(link);
      web = await openConsole({ parts: [server.server.operator, operator], withLink: true, logger });
    }
    const started = computer.boot();
    const joined = link.connect(office, { retryForMs: CONNECT_MS }).then(() => link.joinOffice(office));
    // The demo server starts quickly, and the instructions need its tools.
    const ready = options.config === undefined ? started : startedOrTimeout(started);
    await Promise.race([Promise.all([joined, ready]), stopped]);
    if (isStopping) return;
    const starting = announce(computer, server.url, { ...options, confirm }, web?.link(server.url), screen);
    if (!options.json) computer.on('step', (call) => printEndedCall(call, screen));
    await Promise.race([started, stopped]);
    haveStarted = true;
    if (starting.length > 0 && !isStopping)
      for (const line of [allStartedLine(computer), ...sharedNamesLines(computer)]) screen.print(line);
    await stopped;
  } finally {
    link.disconnect();
    await web?.close();
    await closedOrTimeout(computer.close().then(() => server.close()));
    if (isStopping) process.exit(EXIT.done);
  }
}

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** One line for each call as it ends: time, caller, tool, outcome, duration. */
function printEndedCall(call: ExecutedCall, screen: Screen): void {
  const { agent, by, server, tool, receivedAt, answeredAt } = call;
  if (answeredAt === undefined) return;
  const time = new Date(answeredAt).toTimeString().slice(0, 8);
  const name = server === '' ? tool : `${server}.${tool}`;
  const took = duration(answeredAt - receivedAt);
  screen.print(oneLine(`${time} ${agent ?? by ?? 'local'} ${name} ${outcomeOf(call)}, ${took}`));
}

function outcomeOf({ success, error, errorKind }: ExecutedCall): string {
  if (success) return 'ok';
  if (errorKind === 'consent-denied') return 'denied';
  return error ? `failed: ${error}` : 'failed';
}

/**
 * Prints each warning once, also when an operation is retried, and none after the stop signal. Servers whose tools have
 * the same names are reported in one line, because each pair of servers has its own warning.
 */
function loggerUntil(
  isStopping: () => boolean,
  print: (line: string) => void,
  sharedNames: () => readonly string[],
): Logger {
  const printed = new Set<string>();
  const printOnce = (line: string) => {
    if (isStopping() || printed.has(line)) return;
    printed.add(line);
    print(line);
  };
  const logger = textLogger(printOnce);
  const warn: Logger['warn'] = (fields, message) => {
    if (!('sharesNames' in fields)) logger.warn(fields, message);
    else for (const line of sharedNames()) printOnce(line);
  };
  return { ...logger, warn };
}

/** Prints the ready line and the instructions. Returns the servers that are still starting. */
function announce(
  computer: Computer,
  url: string,
  { office, config, port, confirm, json, console: hasConsole }: UpOptions & Pick<UpState, 'confirm'>,
  console: string | undefined,
  screen: Screen,
): readonly StartingServer[] {
  const place = { url, office, computer: computer.name };
  const starting = startingServers(computer);
  const tools = computer.tools();
  const { lines, ...pasted } = instructions({
    ...place,
    tools,
    starting,
    sharedNames: sharedNamesLines(computer),
    config: config === undefined ? undefined : resolve(config),
    port,
    confirm,
    noConsole: !hasConsole,
    console,
  });
  if (json) {
    const names = tools.map(({ displayName }) => displayName);
    const late = starting.map(({ name }) => name);
    print(JSON.stringify({ event: 'ready', ...place, console, tools: names, starting: late, ...pasted }));
  } else {
    screen.print(lines, 'link');
    print(`ready ${url}`);
  }
  return starting;
}

/** The servers of the file, or the demo server: one of its tools needs consent, so that a new user sees a question. */
async function loadServers({
  config,
}: UpOptions): Promise<Pick<ComputerOptions, 'mcpServers' | 'inputs' | 'storedInputs' | 'root'>> {
  if (config !== undefined) {
    const loaded = await loadFrom({ config: resolve(config) });
    const { servers, inputs, source } = loaded;
    return { mcpServers: servers, inputs, storedInputs: await storedInputs(loaded), root: source.root };
  }
  const program = fileURLToPath(new URL('../demo/demo-server.js', import.meta.url));
  const demo = {
    name: 'demo',
    type: 'stdio',
    server_parameters: { command: process.execPath, args: [program] },
    default_tool_meta: { auto_apply: true },
    tool_meta: { clear_notes: { auto_apply: false } },
  };
  const { config: built } = readConfig(JSON.stringify([demo]), { file: 'demo' });
  return { mcpServers: built?.servers ?? [], root: process.cwd() };
}

/** Listens on the given port; without one, on the default port or, if that is taken, on a free one. */
async function listenOnPort(
  { port, console }: UpOptions,
  onRequest: NonNullable<ListenOptions['onRequest']>,
): Promise<Listening> {
  const options = {
    host: HOST,
    authenticate: allowAnonymous,
    logger: stderrLogger,
    operatorInterface: console,
    onRequest,
  };
  const open = async (port: number) => {
    const server = await listen({ ...options, port });
    return console ? onBothLoopbacks(server, onRequest) : server;
  };
  try {
    return await open(port ?? DEFAULT_PORT);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    if (port !== undefined)
      throw new UsageError(`port ${port} is in use; choose another (--port), or 0 for a free one`);
    const server = await open(0);
    printError(`port ${DEFAULT_PORT} is taken; add --url ${server.url} to every command`);
    return server;
  }
}
