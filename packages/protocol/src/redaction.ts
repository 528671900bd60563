/**
 * An error explains; it must not carry a credential. Two nets: a key that names a secret loses its value, and text loses
 * whatever looks like one. Internal addresses are a second matter: useful at home, hidden when the error leaves.
 */

export const REDACTED = '[redacted]';

/** Longest text kept; an error explains, it does not transport. */
const MAX_TEXT = 2_000;
const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;

/** Compared with separators removed, so that `api_key`, `apiKey` and `X-Api-Key` are one. */
const SECRET_KEY =
  /token|secret|passw|passphrase|apikey|accesskey|privatekey|signingkey|encryptionkey|authorization|^auth$|bearer|cookie|credential|^pwd$|^jwt$|session(id|key)|connectionstring|dsn$/;

/** Every pattern is linear: no nested quantifiers, so a hostile text cannot make it backtrack. */
const SECRET_TEXT: readonly RegExp[] = [
  /\b(?:bearer|basic)\s+[\w.~+/=-]{6,}/gi,
  /\beyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g, // JSON Web Token
  /\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|glpat|xox[abprs]|npm|hf)[-_][\w-]{8,}/gi, // vendor-prefixed keys
  /\bgithub_pat_\w{8,}/g,
  /\bAKIA[0-9A-Z]{12,}/g,
  /\bAIza[\w-]{20,}/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END|$)/g,
  /(?<=:\/\/)[^\s/@]{1,256}(?=@)/g, // user:password@ in a URL
  /(?<=\b(?:token|secret|password|passwd|pwd|api[_-]?key|access[_-]?key|auth|authorization|signature|sig)["']?\s?[=:]\s?["']?)[^\s"'&,;]+/gi,
];

/** Loopback, private, link-local, carrier-grade NAT, unique local. */
const INTERNAL_ADDRESS: readonly RegExp[] = [
  /\b(?:127|10)(?:\.\d{1,3}){3}\b/g,
  /\b(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(?:\.\d{1,3}){2}\b/g,
  /(?<![\w:])(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):[0-9a-f:]{2,}/gi,
  /\[::1\]/g,
];

export function redactSecrets(text: string): string {
  return redact(text, SECRET_TEXT);
}

export function redactAddresses(text: string): string {
  return redact(text, INTERNAL_ADDRESS);
}

function redact(text: string, patterns: readonly RegExp[]): string {
  // Cut first: the patterns then cost the same for a 100 MB string as for a short one.
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
  return patterns.reduce((redacted, pattern) => redacted.replace(pattern, REDACTED), cut);
}

export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(
    key
      .slice(0, 256)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, ''),
  );
}

type RedactText = (text: string) => string;

/** A plain JSON copy, bounded in depth and size, whose texts went through `redactText` and whose secret keys are masked. */
export function redactDetails(
  details: Readonly<Record<string, unknown>>,
  redactText: RedactText = redactSecrets,
): Record<string, unknown> {
  return redactRecord(details, redactText, 0);
}

function redactRecord(record: object, redactText: RedactText, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(record)) {
    if (entries.length === MAX_ENTRIES) break;
    if (value === undefined || typeof value === 'function' || key === '__proto__') continue;
    const masked = isSecretKey(key) && value !== null;
    entries.push([redactText(key), masked ? REDACTED : redactValue(value, redactText, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

function redactValue(value: unknown, redactText: RedactText, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object') return redactText(String(value));
  if (depth > MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ENTRIES).map((item) => redactValue(item, redactText, depth + 1));
  }
  if (value instanceof Error) return redactText(value.message);
  return redactRecord(value, redactText, depth);
}
