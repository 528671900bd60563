import { ConfigError, formatProblem, TrustError } from '@a2c/config';
import { Command, CommanderError } from 'commander';
import { configCommand } from './config/command.js';
import { EXIT } from './exit-codes.js';
import { printError } from './output.js';

/** Every command is one entry here and one folder beside this file. */
const COMMANDS = [configCommand];

/** Runs one command line and returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  process.once('SIGINT', () => process.exit(EXIT.interrupted));
  process.stdout.on('error', endQuietlyWhenNobodyReads);
  const program = new Command('a2c')
    .description('One computer for AI agents.')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', '\nExample:\n  $ a2c config check');
  for (const command of COMMANDS) program.addCommand(command());
  inheritExit(program);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    return report(error);
  }
}

/** `a2c … | head` closes the pipe early; that is the reader's right, not our failure. */
function endQuietlyWhenNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** commander copies the override only to commands it creates itself. */
function inheritExit(command: Command): void {
  for (const child of command.commands) inheritExit(child.exitOverride());
}

function report(error: unknown): number {
  // commander has already said what is wrong; only help that was asked for is a success.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrong;
  if (error instanceof ConfigError) {
    for (const problem of error.problems) printError(formatProblem(problem));
    return EXIT.wrong;
  }
  printError(error instanceof Error ? error.message : String(error));
  return error instanceof TrustError ? EXIT.wrong : EXIT.failed;
}
