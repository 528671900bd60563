import { posixQuoted } from '@a2c/protocol';
import type { CommandNode, OptionNode, Word } from './command-tree.js';

/** Completes words with descriptions. */
export function zshScript(nodes: readonly CommandNode[]): string {
  return `#compdef a2c
# a2c completion for zsh. Load it with: source <(a2c completion zsh)
_a2c() {
  local cmd=a2c word
  local -a found options choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$cmd $word" in
      ${nodes
        .slice(1)
        .map(({ path }) => posixQuoted(path))
        .join(' | ')}) cmd="$cmd $word" ;;
    esac
  done
  case "$cmd \${words[CURRENT-1]}" in
${nodes.flatMap(({ path, options }) => options.filter(({ takesValue }) => takesValue).map((option) => valueCase(path, option))).join('\n')}
  esac
  case "$cmd" in
${nodes
  .map(
    ({ path, commands, options, choices }) =>
      `    ${posixQuoted(path)}) found=(${described(commands)}) options=(${described(optionWords(options))}) choices=(${choices.map(posixQuoted).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then _describe -o option options
  elif (( $#found )); then _describe command found
  elif (( $#choices )); then compadd -a choices
  else _files
  fi
}
if [[ "\${funcstack[1]}" == _a2c ]]; then _a2c "$@"; else compdef _a2c a2c; fi
`;
}

function valueCase(path: string, { flags, choices }: OptionNode): string {
  const pattern = flags.map((flag) => posixQuoted(`${path} ${flag}`)).join(' | ');
  return `    ${pattern}) ${choices.length > 0 ? `compadd ${choices.map(posixQuoted).join(' ')}` : '_files'}; return ;;`;
}

function optionWords(options: readonly OptionNode[]): Word[] {
  return options.flatMap(({ flags, description }) => flags.map((name) => ({ name, description })));
}

/** `name:description`; colons in the name are escaped. */
function described(words: readonly Word[]): string {
  return words.map(({ name, description }) => posixQuoted(`${name.replaceAll(':', '\\:')}:${description}`)).join(' ');
}
