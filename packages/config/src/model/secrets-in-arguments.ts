// Finds secrets in the arguments of a program, also in a command line that is one argument, as in `sh -c "…"`.
import { basename } from 'node:path';
import {
  isOrdinaryHeader,
  isSecretName,
  isUrl,
  looksRandom,
  mayBeSecret,
  ORDINARY_VALUE,
  type Replace,
  replaceInUrl,
  URL_PASSWORD,
} from './secret-shapes.js';

/** `--flag=value` and `NAME=value`. */
const JOINED = /^(--?[A-Za-z][^=\s]*=|[A-Za-z_][A-Za-z0-9_]*=)(.*)$/s;
const HEADER = /^([A-Za-z][A-Za-z0-9-]*:\s*)(?!\/\/)(\S.*)$/s;
const HEADER_FLAG = /^(?:-H|--?(?:http-)?headers?)=?$/i;
/** The flag names where a secret is, or what it is for, not the secret. */
const ABOUT_SECRET = /(?:file|path|dir|folder|url|uri|endpoint|type|mode|method|name|scopes?)=?$/i;
const USER_FLAG = /^(?:-u|--(?:[a-z]+-)?user)$/;
const SCHEME = /^(Bearer|Basic)$/i;
const WITH_SCHEME = /^((?:Bearer|Basic)\s+)(\S+)$/i;
const USER_AND_PASSWORD = /^([^\s:@/]+):([^\s/]+)@(?!sha\d)/;
/** `user/password` in an address of Oracle. Without a prefix, such a text may be a repository or a package. */
const ORACLE_PASSWORDS = [
  /^(jdbc:oracle:\w+:[^\s:@/]*\/)(?!\/)(.+)(?=@)/i,
  /^([^\s:@/]+\/)([^\s/]+)(?=@(?:\/\/|[\w.-]+:\d+[/:]))/,
];
/** Flags of programs that take a password and do not name it. Those of `JOINED_PASSWORD` begin with it. */
const PASSWORD_FLAGS: readonly (readonly [program: RegExp, flag: string])[] = [
  [/^ldap\w+$/i, '-w'],
  [/^redis-cli$/i, '-a'],
  [/^sqlcmd$/i, '-P'],
];
const JOINED_PASSWORD = /^(-p)([^\s=].*)$/s;
const WITH_JOINED_PASSWORD = /^(?:mysql\w*|mariadb(?:-\w+)?|sshpass)$/i;
/** `"name": "value"` and `name = 'value'` in JSON, also escaped, and in code. Of a long name the end counts. */
const QUOTED_PAIR = /(\\?["']|)\b([A-Za-z_][\w.-]{0,60})\1\s*[:=]\s*(\\?["'])((?:(?!\3)(?:\\.|[^\\]))+)\3/gs;
/** `name=value` between semicolons, as in connection strings. A value in quotes or braces may contain semicolons. */
const LISTED_PAIR =
  /(?<=^|;)(\s*([A-Za-z_][\w .-]{0,60})=\s*)((?:"[^"]*")+(?=\s*(?:;|$))|(?:'[^']*')+(?=\s*(?:;|$))|\{[^{}]*\}(?=\s*(?:;|$))|[^;]*)/g;
/** A word of a command line, with its quotes. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g;
/** Programs whose own `-p` is a port, a package or a folder. */
const OTHER_P =
  /^(?:npx|npm|pnpm|pnpx|yarn|bunx?|uvx?|pipx|docker|podman|nerdctl|ssh|mkdir|python\d*|node|tar|cp|kubectl)(?:\.\w+)?$/i;

/** The place of an argument. */
interface Place {
  readonly previous: string;
  readonly command: string;
  /** The program whose flag the previous argument is; undefined after a first argument that is no flag. */
  readonly program: string | undefined;
  readonly label: string;
}

/** The place of each argument of a program. */
function placesIn(argv: readonly string[], label: (index: number) => string): Place[] {
  const first = argv.findIndex((argument, index) => index > 0 && !argument.startsWith('-'));
  return argv.map((_, index) => ({
    previous: argv[index - 1] ?? '',
    command: basename(argv[0] ?? ''),
    program: first === -1 || index <= first ? basename(argv[0] ?? '') : undefined,
    label: label(index),
  }));
}

/** Replaces arguments, and parts of them, whose flag, name or shape suggests a secret. */
export function replaceInArguments(argv: readonly string[], replace: Replace): string[] {
  const places = placesIn(argv, (index) => `argument ${index}`);
  return argv.map((argument, index) => replaceInArgument(argument, places[index] as Place, replace));
}

/** Replaces the secrets in a text other than an argument, such as the value of a variable. */
export function replaceInText(text: string, label: string, replace: Replace): string {
  return replaceInArgument(text, { previous: '', command: '', program: undefined, label }, replace);
}

function replaceInArgument(argument: string, place: Place, replace: Replace): string {
  const { previous, command, label } = place;
  const asSecret = (text: string, label: string) => replace({ text, label, likely: true });
  if (announcesSecret(argument, place)) {
    const isDoubtful = previous === '-p' && /^[a-z-]+$/.test(argument);
    const label = USER_FLAG.test(previous) ? URL_PASSWORD : previous.replace(/:$/, '');
    return replace({ text: argument, label, likely: !isDoubtful });
  }
  if (HEADER_FLAG.test(previous)) return replaceInHeader(argument, true, replace) ?? argument;
  if (isPairList(argument)) return replaceInPairList(argument, place, replace);
  const [, flag, value = ''] = JOINED.exec(argument) ?? [];
  if (flag !== undefined) {
    if (HEADER_FLAG.test(flag)) return flag + (replaceInHeader(value, true, replace) ?? value);
    const isOneValue = flag.startsWith('-') || !/\s/.test(value);
    if (isOneValue && isSecretFlag(flag)) return flag + asSecret(value, flag.slice(0, -1));
    if (isOneValue)
      return flag + replaceInArgument(value, { ...place, previous: '', label: flag.slice(0, -1) }, replace);
  }
  const inHeader = replaceInHeader(argument.replace(/^-H(?=[A-Za-z])/, ''), false, replace);
  if (inHeader !== undefined) return argument.startsWith('-H') ? `-H${inHeader}` : inHeader;
  const [, scheme, credential] = WITH_SCHEME.exec(argument) ?? [];
  if (scheme !== undefined && credential !== undefined) return scheme + asSecret(credential, scheme.trim());
  if (/[\s"']/.test(argument)) return replaceInCommandLine(argument, place, replace);
  if (isUrl(argument)) return replaceInUrl(argument, replace);
  for (const pattern of WITH_JOINED_PASSWORD.test(command) ? [JOINED_PASSWORD] : ORACLE_PASSWORDS) {
    const [, before, secret] = pattern.exec(argument) ?? [];
    if (before !== undefined && secret !== undefined)
      return before + asSecret(secret, URL_PASSWORD) + argument.slice(before.length + secret.length);
  }
  const [, user, password] = USER_AND_PASSWORD.exec(argument) ?? [];
  if (user !== undefined && password !== undefined && user !== 'npm') {
    return `${user}:${asSecret(password, URL_PASSWORD)}${argument.slice(user.length + 1 + password.length)}`;
  }
  return mayBeSecret(argument) ? replace({ text: argument, label, likely: looksRandom(argument) }) : argument;
}

/** Whether the flag or word before an argument says that it is a secret. */
function announcesSecret(argument: string, { previous, command, program }: Place): boolean {
  if (argument.startsWith('-') || /^[[{]*$/.test(argument)) return false;
  if (/^bearer$/i.test(previous)) return true;
  if (/^[A-Za-z][\w-]*:$/.test(previous)) return isSecretFlag(previous) && !SCHEME.test(argument);
  if (!/^--?[A-Za-z]/.test(previous) || previous.includes('=') || /\s/.test(previous)) return false;
  if (previous === '-p')
    return !OTHER_P.test(program ?? '') && !ORDINARY_VALUE.test(argument) && !/^\.|\//.test(argument);
  if (PASSWORD_FLAGS.some(([of, flag]) => flag === previous && of.test(command))) return true;
  if (USER_FLAG.test(previous)) return /^[^\s:/]+:(?!\d+$)[^\s/]/.test(argument);
  return isSecretFlag(previous);
}

/** Whether a text consists of `name=value` between semicolons. A command line has other parts too. */
function isPairList(text: string): boolean {
  return text.includes(';') && /^[;\s]*$/.test(text.replaceAll(LISTED_PAIR, ''));
}

function replaceInPairList(text: string, place: Place, replace: Replace): string {
  return text.replaceAll(LISTED_PAIR, (_, start: string, label: string, value: string) => {
    const [, quote = '', inner = ''] = /^(["'{]?)(.*?)["'}]?$/s.exec(value) ?? [];
    const content = quote === '' ? value : inner;
    const replaced = isSecretFlag(label.trim())
      ? content && replace({ text: content, label: label.trim(), likely: true })
      : replaceInArgument(content, { ...place, previous: '', label: label.trim() }, replace);
    return start + (quote === '' ? replaced : quote + replaced + value.slice(1 + content.length));
  });
}

function isSecretFlag(flag: string): boolean {
  return isSecretName(flag) && !ABOUT_SECRET.test(flag);
}

/** Replaces the value of `Name: value`; undefined if the text is no header, or one that needs no care. */
function replaceInHeader(text: string, isAnnounced: boolean, replace: Replace): string | undefined {
  const [, name, value] = HEADER.exec(text) ?? [];
  if (name === undefined || value === undefined) return undefined;
  const label = name.replace(/:\s*$/, '');
  if (isAnnounced ? isOrdinaryHeader(label) || ORDINARY_VALUE.test(value) : !isSecretName(name)) return undefined;
  // A command line is no header, but may begin like one.
  if (!isAnnounced && /["']|\s--?[A-Za-z]/.test(value)) return undefined;
  return name + replace({ text: value, label, likely: true });
}

/** Treats the words of a text as arguments. The text keeps its quotes and blanks. */
function replaceInCommandLine(text: string, { label }: Place, replace: Replace): string {
  const found = new Map<string, string>();
  const note: Replace = (candidate) => {
    const replaced = found.get(candidate.text) ?? replace(candidate);
    found.set(candidate.text, replaced);
    return replaced;
  };
  for (const { name, value } of secretsInJson(text)) note({ text: value, label: name, likely: true });
  for (const [, , name = '', , value = ''] of text.matchAll(QUOTED_PAIR)) {
    if (isSecretFlag(name)) note({ text: value, label: name, likely: true });
  }
  // A text in quotes is one argument, which may be a command line itself.
  const words = (text.match(WORD) ?? []).map((word) => word.replaceAll(/^["']|(?<==)["']|["']$/g, ''));
  const places = placesIn(words, () => label);
  for (const [index, word] of words.entries()) {
    if (word !== text) replaceInArgument(word, places[index] as Place, note);
  }
  const longestFirst = [...found].toSorted(([a], [b]) => b.length - a.length);
  return longestFirst.reduce((result, [secret, replaced]) => result.replaceAll(secret, () => replaced), text);
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** The texts in a JSON document below names of secrets, as they are written there. */
function secretsInJson(text: string): NamedValue[] {
  if (!/^\s*[[{]/.test(text)) return [];
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return []; // It is code, or a command line.
  }
  return secretsBelow(document, undefined);
}

function secretsBelow(value: unknown, name: string | undefined): NamedValue[] {
  if (typeof value === 'string')
    return name === undefined || value === '' ? [] : [{ name, value: JSON.stringify(value).slice(1, -1) }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => secretsBelow(item, isSecretFlag(key) ? key : name));
}
