import { Command, CommanderError } from 'commander';
import { EXIT } from './exit-codes.js';
import { printError } from './output.js';
import { endAtSignal, watchSignals } from './signals.js';

/** A command's code, and whatever package it stands on, is loaded when the command is used and not before. */
interface LazyCommand {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command is one entry here and one folder beside this file. */
const COMMANDS: readonly LazyCommand[] = [
  {
    name: 'up',
    summary: 'everything at once on this machine: server, Computer, demo tools',
    load: async () => (await import('./up/command.js')).upCommand(),
  },
  {
    name: 'doctor',
    summary: 'check Node, the configuration, each server and the signalling server',
    load: async () => (await import('./doctor/command.js')).doctorCommand(),
  },
  {
    name: 'config',
    summary: 'check, convert, trust, import and export configuration files',
    load: async () => (await import('./config/command.js')).configCommand(),
  },
  {
    name: 'computer',
    summary: 'host MCP servers and let Agents of an office use them',
    load: async () => (await import('./computer/command.js')).computerCommand(),
  },
  {
    name: 'agent',
    summary: 'act as an Agent: see Computers and their tools, call, cancel, watch',
    load: async () => (await import('./agent/command.js')).agentCommand(),
  },
  {
    name: 'proxy',
    summary: 'every configured MCP server behind two tools, inspect and exec',
    load: async () => (await import('./proxy/command.js')).proxyCommand(),
  },
  {
    name: 'server',
    summary: 'run the signalling server',
    load: async () => (await import('./server/command.js')).serverCommand(),
  },
  {
    name: 'mcp',
    summary: 'one request to the configured MCP servers',
    load: async () => (await import('./mcp/command.js')).mcpCommand(),
  },
  {
    name: 'completion',
    summary: 'print a script that completes a2c commands in your shell',
    load: async () => (await import('./completion/command.js')).completionCommand(wholeProgram),
  },
];

const EXAMPLES = ['a2c up', 'a2c agent tools --office demo', 'a2c config import'];

/** Runs one command line and returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  watchSignals();
  process.stdout.on('error', endQuietlyWhenNobodyReads);
  try {
    // `a2c config …` and `a2c help config`
    const program = await buildProgram(argv.slice(0, 2));
    await program.parseAsync(argv[0] === 'help' ? helpWords(program, argv.slice(1)) : argv, { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    return report(error);
  } finally {
    endAtSignal();
  }
}

/** `a2c help config import` as `a2c config import --help`; a word that is no command is left to be told so. */
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

/** All commands with all they know, for completion and tests; to run one, the others need not be loaded. */
export function wholeProgram(): Promise<Command> {
  return buildProgram(COMMANDS.map(({ name }) => name));
}

async function buildProgram(words: readonly string[]): Promise<Command> {
  const program = new Command('a2c')
    .description('One computer for AI agents.')
    // Answered before this program is built (`main.ts`); it stands here for the help.
    .option('-V, --version', 'print the version; with --json those of Node and the protocols too')
    .addHelpText('after', `\nExamples:\n${EXAMPLES.map((line) => `  $ ${line}`).join('\n')}`);
  for (const { name, summary, load } of COMMANDS) {
    const used = words.includes(name);
    program.addCommand((used ? await load() : new Command(name)).description(summary));
  }
  prepare(program);
  return program;
}

/** Settings that commander copies only to commands it creates itself. */
function prepare(command: Command, path = 'a2c'): void {
  command.exitOverride();
  command.showHelpAfterError(`Run "${path} --help" to see what it takes.`);
  for (const inner of command.commands) prepare(inner, `${path} ${inner.name()}`);
}

/** Faults of what was given to us, by name, so that telling them apart does not load the packages they come from. */
const FAULTS_OF_THE_INPUT = ['ConfigError', 'InputError', 'OptionsError', 'ResolveError', 'TrustError', 'UsageError'];

function report(error: unknown): number {
  // commander has already said what is wrong; only help that was asked for is a success.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrong;
  if (!(error instanceof Error)) throw error;
  printError('code' in error && error.name === 'SMCPError' ? `${error.code} ${error.message}` : error.message);
  return FAULTS_OF_THE_INPUT.includes(error.name) ? EXIT.wrong : EXIT.failed;
}

/** `a2c … | head` closes the pipe early; that is the reader's right, not our failure. */
function endQuietlyWhenNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
