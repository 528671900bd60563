import { Argument, Command } from 'commander';
import { bashScript } from './bash.js';
import { fishScript } from './fish.js';
import { type Place, placesOf } from './places.js';
import { zshScript } from './zsh.js';

const SCRIPTS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `a2c completion`: made from the commands as they are, so that none is forgotten. */
export function completionCommand(program: () => Promise<Command>): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
Examples:
  $ source <(a2c completion bash)              # now; put it into ~/.bashrc to keep it
  $ source <(a2c completion zsh)               # in ~/.zshrc, after compinit
  $ mkdir -p ~/.config/fish/completions && a2c completion fish > ~/.config/fish/completions/a2c.fish`,
    )
    .action(async (shell: string) => {
      // Not through \`print\`, which would rewrite what a terminal must not see: this is for a shell.
      process.stdout.write(SCRIPTS[shell]?.(placesOf(await program())) ?? '');
    });
}
