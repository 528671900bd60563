import { Argument, Command } from 'commander';
import { bashScript } from './bash.js';
import { type CommandNode, commandNodes } from './command-tree.js';
import { fishScript } from './fish.js';
import { zshScript } from './zsh.js';

const SCRIPTS: Readonly<Record<string, (nodes: readonly CommandNode[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `a2c completion`: generates the scripts from the commands themselves, so that none is missing. */
export function completionCommand(program: () => Promise<Command>): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: string) => {
      // Not through `print`, which escapes control characters.
      process.stdout.write(SCRIPTS[shell]?.(commandNodes(await program())) ?? '');
    });
}

const EXAMPLES = `
Examples:
  $ source <(a2c completion bash)    # in ~/.bashrc
  $ source <(a2c completion zsh)     # in ~/.zshrc, after compinit
  $ a2c completion fish | source     # in ~/.config/fish/config.fish`;
