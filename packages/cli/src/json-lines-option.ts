import type { Command } from 'commander';

/** For commands that go on speaking; those that speak once have `addJsonOption`. */
export function addJsonLinesOption(command: Command): Command {
  return command.option('--json', 'print JSON, one value per line');
}
