import type { CommandNode, OptionNode } from './command-tree.js';

/** One `complete` line per word. `__a2c_at` is true when the command line is at the command that the line is for. */
export function fishScript(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap((node) => {
    const at = `complete -c a2c -n ${quoted(`__a2c_at ${node.path}`)}`;
    return [
      ...node.commands.map(({ name, description }) => `${at} -f -a ${quoted(name)} -d ${quoted(description)}`),
      ...(node.choices.length > 0 ? [`${at} -f -a ${quoted(node.choices.join(' '))}`] : []),
      ...node.options.map((option) => `${at} ${flagsOf(option)} -d ${quoted(option.description)}`),
    ];
  });
  return `# a2c completion for fish. Load it with: a2c completion fish | source
set -g __a2c_commands ${nodes
    .slice(1)
    .map(({ path }) => quoted(path))
    .join(' ')}
function __a2c_at
  set -l cmd a2c
  for word in (commandline -opc)[2..-1]
    if contains -- "$cmd $word" $__a2c_commands
      set cmd "$cmd $word"
    end
  end
  test "$cmd" = "$argv"
end
${lines.join('\n')}
`;
}

function flagsOf({ flags, takesValue, choices }: OptionNode): string {
  const named = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  if (takesValue) named.push('-r');
  if (choices.length > 0) named.push('-f', `-a ${quoted(choices.join(' '))}`);
  return named.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
