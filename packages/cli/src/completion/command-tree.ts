import type { Command } from 'commander';

/** A command as the completion scripts of all shells need it. */
export interface CommandNode {
  /** The words of the command: `a2c config check`. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly OptionNode[];
  /** The values of an argument that has a fixed list of choices. */
  readonly choices: readonly string[];
}

export interface Word {
  readonly name: string;
  readonly description: string;
}

export interface OptionNode {
  /** `-c`, `--config`. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** Lists the command and all its subcommands, the command itself first. */
export function commandNodes(command: Command, path = command.name()): CommandNode[] {
  const subcommands = command.commands.filter((one) => one.name() !== 'help');
  const node: CommandNode = {
    path,
    commands: subcommands.map((one) => ({
      name: one.name(),
      description: oneLine(one.summary() || one.description()),
    })),
    options: [
      ...command.options
        .filter(({ hidden }) => !hidden)
        .map(({ short, long, description, required, optional, argChoices }) => ({
          flags: [short, long].filter((flag) => flag !== undefined),
          description: oneLine(description),
          takesValue: required || optional,
          choices: argChoices ?? [],
        })),
      { flags: ['-h', '--help'], description: 'display help for command', takesValue: false, choices: [] },
    ],
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  return [node, ...subcommands.flatMap((one) => commandNodes(one, `${path} ${one.name()}`))];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
