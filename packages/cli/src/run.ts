import { Command, CommanderError } from 'commander';
import { EXIT } from './exit-codes.js';
import { commandName, isInstalled } from './installed.js';
import { exitOnSignal, handleSignals } from './process-signals.js';

/** The code of a command, and the packages it imports, are loaded when the command is used. */
interface LazyCommand {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command is one entry here and one folder next to this file. */
const COMMANDS: readonly LazyCommand[] = [
  {
    name: 'up',
    summary: 'run a signalling server and a Computer on this machine, with demo tools',
    load: async () => (await import('./up/command.js')).upCommand(),
  },
  {
    name: 'doctor',
    summary: 'check Node, the configuration, the MCP servers and the signalling server',
    load: async () => (await import('./doctor/command.js')).doctorCommand(),
  },
  {
    name: 'config',
    summary: 'check, convert, trust, import and export configuration files',
    load: async () => (await import('./config/command.js')).configCommand(),
  },
  {
    name: 'computer',
    summary: 'host MCP servers for the Agents of an office',
    load: async () => (await import('./computer/command.js')).computerCommand(),
  },
  {
    name: 'agent',
    summary: 'act as an Agent: list members and tools, call, cancel, watch',
    load: async () => (await import('./agent/command.js')).agentCommand(),
  },
  {
    name: 'proxy',
    summary: 'serve all configured MCP servers as one, with the tools inspect and exec',
    load: async () => (await import('./proxy/command.js')).proxyCommand(),
  },
  {
    name: 'server',
    summary: 'run the signalling server',
    load: async () => (await import('./server/command.js')).serverCommand(),
  },
  {
    name: 'key',
    summary: 'create API keys for the signalling server',
    load: async () => (await import('./key/command.js')).keyCommand(),
  },
  {
    name: 'mcp',
    summary: 'send one request to a configured MCP server',
    load: async () => (await import('./mcp/command.js')).mcpCommand(),
  },
  {
    name: 'plugin',
    summary: 'add marketplaces; install and enable plugins with skills and MCP servers',
    load: async () => (await import('./plugin/command.js')).pluginCommand(),
  },
  {
    name: 'tools',
    summary: 'review and approve tools that changed',
    load: async () => (await import('./tools/command.js')).toolsCommand(),
  },
  {
    name: 'login',
    summary: 'log in to an MCP server with OAuth, or list the logins',
    load: async () => (await import('./login/command.js')).loginCommand(),
  },
  {
    name: 'logout',
    summary: 'delete the login to an MCP server',
    load: async () => (await import('./login/command.js')).logoutCommand(),
  },
  {
    name: 'completion',
    summary: 'print a completion script for your shell',
    load: async () => (await import('./completion/command.js')).completionCommand(wholeProgram),
  },
];

const EXAMPLES = ['a2c up', 'a2c agent tools --office demo', 'a2c config import'];

/** Runs one command line and returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  handleSignals();
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', () => {}); // a full disk for messages ends no command
  try {
    // `a2c config …` and `a2c help config`
    const program = await buildProgram(argv.slice(0, 2));
    await program.parseAsync(argv[0] === 'help' ? helpWords(program, argv.slice(1)) : argv, { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    return await report(error, argv.includes('--json'));
  } finally {
    exitOnSignal();
  }
}

/** Turns `a2c help config import` into `a2c config import --help`. commander reports an unknown word. */
function helpWords(program: Command, words: readonly string[]): string[] {
  const known: string[] = [];
  let command = program;
  for (const word of words) {
    const inner = command.commands.find((one) => one.name() === word);
    if (!inner && command.commands.length > 0) return [...known, word];
    if (!inner) break;
    known.push(word);
    command = inner;
  }
  return [...known, '--help'];
}

/** Builds the program with all commands loaded, for completion and tests. */
export function wholeProgram(): Promise<Command> {
  return buildProgram(COMMANDS.map(({ name }) => name));
}

async function buildProgram(words: readonly string[]): Promise<Command> {
  const program = new Command('a2c')
    .description('One computer for AI agents.')
    // `main.ts` answers it; it is listed here for the help.
    .option('-V, --version', 'print the version; with --json also those of Node and the protocols')
    .addHelpText('after', `\nExamples:\n${EXAMPLES.map((line) => `  $ ${line}`).join('\n')}`);
  for (const { name, summary, load } of COMMANDS) {
    const used = words.includes(name);
    program.addCommand((used ? await load() : new Command(name)).description(summary));
  }
  const name = commandName();
  // Loaded only when a command runs: help needs no protocol.
  program.hook('preAction', async () => (await import('@a2c/protocol')).setCommandName(name));
  prepare(program, name);
  return program;
}

/** Usage and examples in a help text can be pasted: they begin with `npx` where `a2c` alone is not installed. */
function withPasteableExamples(help: string): string {
  return isInstalled() ? help : help.replaceAll(/^(Usage: | {2}\$ (?:.* \| )?)a2c (?!completion)/gm, '$1npx a2c ');
}

/** Applies settings that commander copies only to commands it creates itself. */
function prepare(command: Command, path: string): void {
  command.exitOverride();
  command.configureOutput({ writeOut: (text) => void process.stdout.write(withPasteableExamples(text)) });
  command.configureHelp({
    // Without "[options]" there is room for the descriptions in 80 columns.
    subcommandTerm: (inner) => `${inner.name()} ${inner.usage().replace('[options]', '').trim()}`,
    minWidthToWrap: 30,
  });
  command.showHelpAfterError(`Run "${path} --help" for its usage.`);
  for (const inner of command.commands) prepare(inner, `${path} ${inner.name()}`);
}

/** Errors of the command line or the configuration, by name: importing the classes would load their packages. */
const USAGE_ERRORS = ['ConfigError', 'InputError', 'OptionsError', 'ResolveError', 'TrustError', 'UsageError'];

/** With `--json`, programs get the error on stdout too, as one JSON object. */
async function report(error: unknown, json: boolean): Promise<number> {
  // Requested help is a success.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
  if (!(error instanceof Error)) throw error;
  // Loaded here: it needs a package, and the help needs none.
  const { print, printFailure, indented } = await import('./output.js');
  const given = codeOf(error);
  const code = error.name === 'SMCPError' ? given : undefined;
  if (json) {
    const message = error.message.replace(/^error: /, '');
    print(JSON.stringify({ error: { message, ...(given !== undefined && { code: given }) } }));
  }
  // commander has already printed the error.
  if (error instanceof CommanderError) return EXIT.wrong;
  const text = code === undefined ? error.message : `${code} ${error.message}`;
  printFailure(error.name === 'HubError' ? indented(text) : text);
  return USAGE_ERRORS.includes(error.name) ? EXIT.wrong : EXIT.failed;
}

/** The code of the protocol, or that of an MCP server: of JSON-RPC or the HTTP status. */
function codeOf(error: Error): number | undefined {
  const isOurs = error.name === 'SMCPError' || error.name === 'HubError';
  if (isOurs && 'code' in error && typeof error.code === 'number') return error.code;
  if ('status' in error && typeof error.status === 'number') return error.status;
  return error.cause instanceof Error ? codeOf(error.cause) : undefined;
}

/** `a2c … | head` closes the pipe early, which is not an error. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
