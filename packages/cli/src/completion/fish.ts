import type { OptionWord, Place } from './places.js';

/** One line per word; `__a2c_at` tells whether the command line has come to the place that the line is for. */
export function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const at = `complete -c a2c -n ${quoted(`__a2c_at ${place.path}`)}`;
    return [
      ...place.commands.map(({ name, description }) => `${at} -f -a ${quoted(name)} -d ${quoted(description)}`),
      ...(place.choices.length > 0 ? [`${at} -f -a ${quoted(place.choices.join(' '))}`] : []),
      ...place.options.map((option) => `${at} ${flagsOf(option)} -d ${quoted(option.description)}`),
    ];
  });
  return `# a2c completion for fish. Load it with: a2c completion fish | source
set -g __a2c_places ${places
    .slice(1)
    .map(({ path }) => quoted(path))
    .join(' ')}
function __a2c_at
  set -l place a2c
  for word in (commandline -opc)[2..-1]
    if contains -- "$place $word" $__a2c_places
      set place "$place $word"
    end
  end
  test "$place" = "$argv"
end
${lines.join('\n')}
`;
}

function flagsOf({ flags, takesValue, choices }: OptionWord): string {
  const named = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  if (takesValue) named.push('-r');
  if (choices.length > 0) named.push('-f', `-a ${quoted(choices.join(' '))}`);
  return named.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
