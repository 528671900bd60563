import { posixQuoted } from '@a2c/protocol';
import type { CommandNode } from './command-tree.js';

/** Completes words without descriptions, which bash cannot show. `-o default` offers files if there is no candidate. */
export function bashScript(nodes: readonly CommandNode[]): string {
  const flagsWithValue = nodes.flatMap(({ path, options }) =>
    options.filter(({ takesValue }) => takesValue).map((option) => ({ path, ...option })),
  );
  return `# a2c completion for bash. Load it with: source <(a2c completion bash)
_a2c() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" cmd=a2c words= options= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$cmd \${COMP_WORDS[i]}" in
      ${alternatives(nodes.slice(1).map(({ path }) => path))}) cmd="$cmd \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$cmd $prev" in
${flagsWithValue
  .map(({ path, flags, choices }) => {
    const reply = choices.length > 0 ? `COMPREPLY=($(compgen -W ${posixQuoted(choices.join(' '))} -- "$cur")); ` : '';
    return `    ${alternatives(flags.map((flag) => `${path} ${flag}`))}) ${reply}return ;;`;
  })
  .join('\n')}
  esac
  case "$cmd" in
${nodes
  .map(({ path, commands, options, choices }) => {
    const words = [...commands.map(({ name }) => name), ...choices];
    const flags = options.flatMap((option) => option.flags);
    return `    ${posixQuoted(path)}) words=${posixQuoted(words.join(' '))} options=${posixQuoted(flags.join(' '))} ;;`;
  })
  .join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
}
complete -o default -F _a2c a2c
`;
}

function alternatives(words: readonly string[]): string {
  return words.map(posixQuoted).join(' | ');
}
