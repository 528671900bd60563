import type { Command } from 'commander';

/** What can be typed at one place of the command line; the same data makes the scripts of all shells. */
export interface Place {
  /** The words that lead here, `a2c config check`. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly OptionWord[];
  /** What an argument may be, where that is a fixed list. */
  readonly choices: readonly string[];
}

export interface Word {
  readonly name: string;
  readonly description: string;
}

export interface OptionWord {
  /** `-c`, `--config`. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** Every place of the program, the program itself first. */
export function placesOf(command: Command, path = command.name()): Place[] {
  const inner = command.commands.filter((one) => one.name() !== 'help');
  const here: Place = {
    path,
    commands: inner.map((one) => ({ name: one.name(), description: oneLine(one.summary() || one.description()) })),
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
  return [here, ...inner.flatMap((one) => placesOf(one, `${path} ${one.name()}`))];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
