import { posixQuoted } from '../shell-words.js';
import type { OptionWord, Place, Word } from './places.js';

/** With descriptions. The variable is not called `path`, which in zsh is the PATH. */
export function zshScript(places: readonly Place[]): string {
  return `#compdef a2c
# a2c completion for zsh. Load it with: source <(a2c completion zsh)
_a2c() {
  local place=a2c word
  local -a found options choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
      ${places
        .slice(1)
        .map(({ path }) => posixQuoted(path))
        .join(' | ')}) place="$place $word" ;;
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${places.flatMap(({ path, options }) => options.filter(({ takesValue }) => takesValue).map((option) => valueCase(path, option))).join('\n')}
  esac
  case "$place" in
${places
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

function valueCase(path: string, { flags, choices }: OptionWord): string {
  const pattern = flags.map((flag) => posixQuoted(`${path} ${flag}`)).join(' | ');
  return `    ${pattern}) ${choices.length > 0 ? `compadd ${choices.map(posixQuoted).join(' ')}` : '_files'}; return ;;`;
}

function optionWords(options: readonly OptionWord[]): Word[] {
  return options.flatMap(({ flags, description }) => flags.map((name) => ({ name, description })));
}

/** \`name:description\`, in which a colon of the name must not count. */
function described(words: readonly Word[]): string {
  return words.map(({ name, description }) => posixQuoted(`${name.replaceAll(':', '\\:')}:${description}`)).join(' ');
}
