import { sha256 } from './sha256.js';

/** The shortest limit among the model providers. */
const MAX_NAME_LENGTH = 64;
const SEPARATOR = '__';
const INVALID = /[^A-Za-z0-9_-]/g;

/** 80 bits: a Computer cannot search for names that give the hash of another one's tool. */
const HASH_DIGITS = 20;
const HASHED = new RegExp(`_[0-9a-f]{${HASH_DIGITS}}$`);

/**
 * Returns a tool name for models. It depends on the Computer and the tool only, so it is stable while other Computers
 * join and leave, and no two tools have the same. A hash is added when the name is not reversible: replaced characters,
 * cut names, ambiguous separators, or an end that looks like a hash.
 */
export function toolName(computer: string, tool: string): string {
  const plain = `${computer}${SEPARATOR}${tool}`;
  return isReversible(computer, plain) ? plain : hashedName(computer, tool);
}

function isReversible(computer: string, plain: string): boolean {
  if (computer.includes(SEPARATOR) || computer.endsWith('_')) return false;
  return plain.length <= MAX_NAME_LENGTH && plain.search(INVALID) < 0 && !HASHED.test(plain);
}

function hashedName(computer: string, tool: string): string {
  // JSON escapes invalid Unicode, which would become the same bytes otherwise.
  const suffix = `_${sha256(JSON.stringify([computer, tool])).slice(0, HASH_DIGITS)}`;
  const room = MAX_NAME_LENGTH - suffix.length;
  // The tool says more than the Computer: the Computer's part is cut first, down to a minimum.
  const tail = `${SEPARATOR}${clean(tool)}`.slice(0, room - Math.min(clean(computer).length, MIN_COMPUTER));
  return `${clean(computer).slice(0, room - tail.length)}${tail}${suffix}`;
}

const MIN_COMPUTER = 16;

function clean(text: string): string {
  return text.replaceAll(INVALID, '_');
}
