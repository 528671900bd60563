// Removes credentials from messages and details: values under keys that name a secret, and text that looks like one.
// Internal addresses are redacted separately, because they are useful in local logs. The patterns keep ordinary errors
// readable (tool names, signatures, token counts), and none has an unbounded part before its anchor, so that matching
// takes linear time.

import { META_KEYS } from './tool-meta.js';

/** Replaces a redacted value. */
export const REDACTED = '[redacted]';

/** Longer texts are truncated. */
const MAX_TEXT = 2_000;
/** Of a longer log, the end is kept. */
const MAX_LOG = 8_000;
const MAX_DEPTH = 6;
/** Limits for all details of one error together. */
const MAX_VALUES = 500;
const MAX_CHARACTERS = 16_000;

/** A pattern of the words that announce a secret, in texts and in configurations. */
export const SECRET_WORD =
  'token|secret|password|passwd|passphrase|pwd|api[_-]?key|access[_-]?key|account[_-]?key|secret[_-]?key|private[_-]?key|signing[_-]?key|credentials?|jwt|session[_-]?id';
const SEPARATOR = String.raw`\\?["']?\s{0,4}[=:]\s{0,4}`;

interface Rule {
  readonly pattern: RegExp;
  /** Returns how much of the start of a match is kept; nothing by default. */
  readonly keep?: (match: string, ...groups: string[]) => number;
}

const SECRET_TEXT: readonly Rule[] = [
  // Formats of the keys of known vendors.
  { pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{2,}(?:\.[\w-]*)?/g },
  {
    pattern: /\b(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{8,}|npm_\w{36}|hf_\w{30,})/g,
  },
  { pattern: /\b(?:(?:AKIA|ASIA)[0-9A-Z]{12,}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|[spr]k_(?:live|test)_\w{8,})/g },
  { pattern: /\bsk-[\w-]{16,}/g, keep: (match) => (/\d/.test(match) ? 0 : match.length) },
  { pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|$)/g },
  // user:password@ in a URL, up to the last @ before the path.
  { pattern: /(?<=:\/\/)[^\s/]{1,256}(?=@)/g },
  // Headers: redacted to the end of the line.
  {
    pattern: new RegExp(String.raw`\b((?:proxy-)?authorization|(?:set-)?cookie)(${SEPARATOR})[^\r\n]+`, 'gi'),
    keep: keepName,
  },
  {
    pattern: /\b(bearer|basic|digest|apikey)\s+([\w.~+/=-]{6,})/gi,
    keep: (match, _scheme, value = '') => match.length - (/[\d=A-Z]/.test(value) ? value.length : 0),
  },
  // `name = value` in code, JSON, query strings and shells. A quoted value ends at its quote. Our own errors about a
  // missing value stay readable, and an object is no value.
  {
    pattern: new RegExp(
      String.raw`(${SECRET_WORD})(${SEPARATOR})(?!input "|the environment variable |[[{]{1,4}\\?["'])(\\?"[^"]*"?|\\?'[^']*'?|(?:\[redacted\]|[^\s"'&,;)}\]])+)`,
      'gi',
    ),
    keep: keepName,
  },
  { pattern: /([?&](?:key|sig|signature))(=)[^\s&]+/gi, keep: keepName },
  { pattern: new RegExp(String.raw`(--?[\w-]{0,40}(?:${SECRET_WORD}))(\s{1,4})\S+`, 'gi'), keep: keepName },
];

function keepName(_match: string, name = '', separator = ''): number {
  return name.length + separator.length;
}

/** Loopback, private, link-local, carrier-grade NAT, unique local. */
const INTERNAL_ADDRESS: readonly Rule[] = [
  { pattern: /\b(?:127|10)(?:\.\d{1,3}){3}\b|\b0\.0\.0\.0\b/g },
  {
    pattern:
      /\b(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(?:\.\d{1,3}){2}\b/g,
  },
  { pattern: /(?<![\w:])(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):[0-9a-f:]{2,40}/gi },
  { pattern: /(?<![\w:])(?:0{0,4}:){2,7}0{0,3}1(?!\w)/g },
];

/** Replaces everything in a text that looks like a credential, and truncates long texts. */
export function redactSecrets(text: string): string {
  return redact(text, SECRET_TEXT);
}

/** Replaces everything in a text that looks like a credential, in texts of any length. */
export function replaceCredentials(text: string, replace: (credential: string) => string): string {
  return applyRules(text, SECRET_TEXT, replace);
}

/** Shorter values would remove ordinary words from ordinary texts. */
export const MIN_SECRET_LENGTH = 4;

/**
 * Replaces known secrets in a text, and everything that looks like a credential.
 *
 * @param secrets Longest first, because one secret may contain another. Those below `MIN_SECRET_LENGTH` are ignored.
 */
export function redactValues(text: string, secrets: readonly string[]): string {
  return redactSecrets(withoutValues(text, secrets));
}

/** As `redactValues`, for the output of a program: of a long text, the last lines are kept. */
export function redactLog(text: string, secrets: readonly string[]): string {
  return applyRules(lastLines(withoutValues(text, secrets)), SECRET_TEXT);
}

/** A shorter line of a secret may be an ordinary word or a bracket. */
const MIN_SECRET_LINE = 8;

/**
 * Adds to secrets the lines of those with several lines: a program may print each on its own. Longest first, each once.
 */
export function withLines(secrets: readonly string[]): string[] {
  const lines = secrets
    .filter((secret) => secret.includes('\n'))
    .flatMap((secret) => secret.split('\n').map((line) => line.trim()))
    .filter(({ length }) => length >= MIN_SECRET_LINE);
  return [...new Set([...secrets, ...lines])].toSorted((a, b) => b.length - a.length);
}

function withoutValues(text: string, secrets: readonly string[]): string {
  const long = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH);
  return long.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
}

/** Whole lines. If there is only one, it starts after a blank, so that no part of a credential remains. */
function lastLines(text: string): string {
  if (text.length <= MAX_LOG) return text;
  const cut = text.slice(-MAX_LOG);
  const lineEnd = cut.indexOf('\n');
  const kept = lineEnd >= 0 && lineEnd < cut.length - 1 ? cut.slice(lineEnd + 1) : cut.replace(/^\S*/, '…');
  const keyEnd = /-----END [A-Z ]{0,40}PRIVATE KEY-----/.exec(kept)?.index ?? -1;
  const isInsideKey = keyEnd >= 0 && !kept.slice(0, keyEnd).includes('-----BEGIN ');
  return isInsideKey ? `${REDACTED}${kept.slice(keyEnd)}` : kept;
}

/** Replaces internal IP addresses in a text, and truncates long texts. */
export function redactAddresses(text: string): string {
  return redact(text, INTERNAL_ADDRESS);
}

function redact(text: string, rules: readonly Rule[]): string {
  // Truncate first, so that the cost of the patterns does not depend on the length of the text.
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
  return applyRules(cut, rules);
}

function applyRules(text: string, rules: readonly Rule[], replace: (found: string) => string = () => REDACTED): string {
  const replaced = (match: string, kept: number) =>
    kept === match.length ? match : match.slice(0, kept) + replace(match.slice(kept));
  return rules.reduce(
    (rest, { pattern, keep }) =>
      rest.replace(pattern, (match, ...groups) => replaced(match, keep?.(match, ...groups) ?? 0)),
    text,
  );
}

const SECRET_KEY = new RegExp(
  `(?:${SECRET_WORD.replaceAll('[_-]?', '')}|authorization|authheader|cookies?|bearer|connectionstring|dsn)$|^auth$|^pass$`,
);

/** Separators are ignored, so that `api_key`, `apiKey` and `X-Api-Key` match the same pattern. */
function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(
    key
      .slice(-64)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, ''),
  );
}

/**
 * Returns a plain JSON copy of limited depth and size, in which the mark of the execution always has room. Values under
 * keys that name a secret are masked.
 *
 * @param redactText Redacts every text; `redactSecrets` by default.
 */
export function redactDetails(
  details: Readonly<Record<string, unknown>>,
  redactText: (text: string) => string = redactSecrets,
): Record<string, unknown> {
  // The first keys have room, and a key keeps its place when it is set again.
  return new DetailsCopy(redactText).record({ [META_KEYS.execution]: undefined, ...details }, 0);
}

class DetailsCopy {
  readonly #redactText: (text: string) => string;
  #values = 0;
  #characters = 0;

  constructor(redactText: (text: string) => string) {
    this.#redactText = redactText;
  }

  record(record: object, depth: number): Record<string, unknown> {
    const copy: [string, unknown][] = [];
    // In `{ "name": "TOKEN", "value": … }` the name of the secret is a value.
    const named = 'name' in record && typeof record.name === 'string' && isSecretKey(record.name);
    for (const [key, value] of Object.entries(record)) {
      if (this.#isFull) break;
      if (value === undefined || typeof value === 'function' || key === '__proto__') continue;
      const secret = isSecretKey(key) || (named && key === 'value');
      copy.push([this.#text(key), secret ? mask(value) : this.#value(value, depth + 1)]);
    }
    return Object.fromEntries(copy);
  }

  #value(value: unknown, depth: number): unknown {
    this.#values++;
    if (typeof value === 'string') return this.#text(value);
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value !== 'object') return this.#text(String(value));
    if (value instanceof Error) return this.#text(value.message);
    if (depth > MAX_DEPTH) return '[too deep]';
    return Array.isArray(value) ? this.#list(value, depth) : this.record(value, depth);
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    const copy: unknown[] = [];
    for (const [i, item] of list.entries()) {
      if (this.#isFull) break;
      const flag = list[i - 1];
      const secret = typeof flag === 'string' && /^--?\w/.test(flag) && isSecretKey(flag);
      copy.push(secret ? mask(item) : this.#value(item, depth + 1));
    }
    return copy;
  }

  #text(text: string): string {
    const redacted = this.#redactText(text);
    this.#characters += redacted.length;
    return redacted;
  }

  get #isFull(): boolean {
    return this.#values >= MAX_VALUES || this.#characters >= MAX_CHARACTERS;
  }
}

/** Numbers, booleans and null are kept: `max_tokens: 5`, `token: null`. */
function mask(value: unknown): unknown {
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? value : REDACTED;
}

/** Returns every string in a JSON value, keys excluded. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
