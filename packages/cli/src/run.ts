import { Command, CommanderError } from 'commander';
import { EXIT } from './exit-codes.js';
import { printError } from './output.js';
import { watchSignals } from './signals.js';

/** A command's code, and whatever package it stands on, is loaded when the command is used and not before. */
interface LazyCommand {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command is one entry here and one folder beside this file. */
const COMMANDS: readonly LazyCommand[] = [
  {
    name: 'agent',
    summary: 'act as an Agent: see Computers and their tools, call, cancel, watch',
    load: async () => (await import('./agent/command.js')).agentCommand(),
  },
  {
    name: 'config',
    summary: 'check, show, convert and trust configuration files',
    load: async () => (await import('./config/command.js')).configCommand(),
  },
  {
    name: 'doctor',
    summary: 'check Node, the configuration, each server and the signalling server',
    load: async () => (await import('./doctor/command.js')).doctorCommand(),
  },
  {
    name: 'mcp',
    summary: 'one request to the configured MCP servers',
    load: async () => (await import('./mcp/command.js')).mcpCommand(),
  },
  {
    name: 'computer',
    summary: 'host MCP servers and let Agents of an office use them',
    load: async () => (await import('./computer/command.js')).computerCommand(),
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
    name: 'up',
    summary: 'everything at once on this machine: server, Computer, demo tools',
    load: async () => (await import('./up/command.js')).upCommand(),
  },
];

/** Runs one command line and returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  watchSignals();
  process.stdout.on('error', endQuietlyWhenNobodyReads);
  try {
    const program = await buildProgram(argv);
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    return report(error);
  }
}

async function buildProgram(argv: readonly string[]): Promise<Command> {
  const program = new Command('a2c')
    .description('One computer for AI agents.')
    .addHelpText('after', '\nExample:\n  $ a2c config check');
  for (const { name, summary, load } of COMMANDS) {
    const used = argv.slice(0, 2).includes(name); // `a2c config …` and `a2c help config`
    program.addCommand((used ? await load() : new Command(name)).description(summary));
  }
  throwInsteadOfExit(program);
  return program;
}

/** commander copies this setting only to commands it creates itself. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  command.commands.forEach(throwInsteadOfExit);
}

/** Faults of what was given to us, by name, so that telling them apart does not load the packages they come from. */
const FAULTS_OF_THE_INPUT = ['ConfigError', 'InputError', 'OptionsError', 'ResolveError', 'TrustError', 'UsageError'];

function report(error: unknown): number {
  // commander has already said what is wrong; only help that was asked for is a success.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrong;
  if (!(error instanceof Error)) throw error;
  printError('code' in error && error.name === 'SmcpError' ? `${error.code} ${error.message}` : error.message);
  return FAULTS_OF_THE_INPUT.includes(error.name) ? EXIT.wrong : EXIT.failed;
}

/** `a2c … | head` closes the pipe early; that is the reader's right, not our failure. */
function endQuietlyWhenNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
