/** Forms that no rule of suffixes covers, by their base form. */
const IRREGULAR = `
send:sent write:wrote,written make:made,making find:found get:got,gotten buy:bought run:ran,running go:went,gone
take:took,taken give:gave,given begin:began,begun break:broke,broken choose:chose,chosen do:did,done,does,dos
draw:drew,drawn drive:drove,driven fall:fell,fallen forget:forgot,forgotten hide:hid,hidden hold:held keep:kept
know:knew,known note:notes,noted,noting theme:themes,themed plane:planes paste:pastes,pasted,pasting api:apis id:ids leave:left lose:lost,losing mean:meant pay:paid see:saw,seen sell:sold speak:spoke,spoken spend:spent
think:thought throw:threw,thrown bring:brought build:built building:buildings setting:settings
person:people child:children index:indices,indexes analyze:analyse,analysis,analyses datum:data medium:media
woman:women man:men setup:setups meeting:meetings string:strings alias:aliases sender:senders status:statuses bus:buses
color:colour,colours,colors favorite:favourite,favourites,favorites center:centre organization:organisation,organisations
`;

const BASE_FORMS = new Map(
  IRREGULAR.trim()
    .split(/\s+/)
    .flatMap((entry) => {
      const [base = '', forms = ''] = entry.split(':');
      return [[base, base] as const, ...forms.split(',').map((form) => [form, base] as const)];
    }),
);

/** Words that would become another word without their `e`: `not`, `them`, `plan`, `past`. */
const WHOLE: ReadonlySet<string> = new Set(['note', 'theme', 'plane', 'paste']);

/** Suffixes from the longest to the shortest, each with its replacement. Applied at most once per step. */
const STEPS: readonly (readonly (readonly [suffix: string, replacement: string, leastRest: number])[])[] = [
  [
    ['sses', 'ss', 1],
    ['ies', 'y', 2],
    ['xes', 'x', 2],
    ['ches', 'ch', 2],
    ['shes', 'sh', 2],
    ['ss', 'ss', 0],
    ['us', 'us', 0],
    ['is', 'is', 0],
    ['s', '', 2],
  ],
  [
    ['ization', 'ize', 2],
    ['isation', 'ize', 2],
    ['ication', 'y', 3],
    ['ation', 'ate', 3],
    ['ition', 'it', 3],
    ['ction', 'ct', 2],
    ['ption', 'pt', 3],
    ['sion', 's', 4],
    ['tion', 'te', 3],
    ['fulness', '', 3],
    ['ness', '', 3],
    ['ment', '', 4],
    ['ability', 'able', 3],
    ['ically', 'ic', 3],
    ['ly', '', 4],
    ['ful', '', 4],
    ['eed', 'eed', 0],
    ['ied', 'y', 2],
    ['ed', '', 3],
    ['ing', '', 3],
    ['ise', 'ize', 4],
    ['er', '', 4],
    ['or', '', 4],
  ],
];

type Suffix = (typeof STEPS)[number][number];

/** The suffixes of each step by their last letter, in the same order. */
const STEPS_BY_LETTER = STEPS.map((step) => {
  const byLetter = new Map<string, Suffix[]>();
  for (const suffix of step) {
    const letter = suffix[0].at(-1) as string;
    byLetter.set(letter, [...(byLetter.get(letter) ?? []), suffix]);
  }
  return byLetter;
});

const VOWEL = /[aeiouy]/;

/**
 * A common stem for the forms of an English word: `files` and `file`, `queries` and `query`, `creating`, `creation` and
 * `create`, `running` and `run`. Stems are compared, never shown.
 */
export function stem(word: string): string {
  if (word.length < 4 && !BASE_FORMS.has(word)) return word;
  return ending(BASE_FORMS.get(word) ?? STEPS_BY_LETTER.reduce(strip, word));
}

function strip(word: string, step: (typeof STEPS_BY_LETTER)[number]): string {
  const base = BASE_FORMS.get(word);
  if (base !== undefined) return base;
  for (const [suffix, replacement, leastRest] of step.get(word.charAt(word.length - 1)) ?? []) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    if (rest.length < leastRest || !VOWEL.test(rest)) return word;
    return rest + replacement;
  }
  return word;
}

/** Letters that stay doubled at the end of a word, as in `process` and `install`, and digits. */
const STAYS_DOUBLE = /[aeiousl\d]/;

/** `create` and `creat-ing`, `run` and `runn-ing`, `query` and `queri-es` end alike. */
function ending(word: string): string {
  if (WHOLE.has(word)) return word;
  let end = word;
  if (end.length > 2 && end.endsWith('e')) end = end.slice(0, -1);
  if (end.length > 2 && end.endsWith('y')) end = `${end.slice(0, -1)}i`;
  const last = end.charAt(end.length - 1);
  const isDouble = end.length > 3 && end.charAt(end.length - 2) === last && !STAYS_DOUBLE.test(last);
  return isDouble ? end.slice(0, -1) : end;
}
