/** What model providers accept as a name; the tightest of them all. */
export const MAX_NAME_LENGTH = 64;
const SEPARATOR = '__';
const FOREIGN = /[^A-Za-z0-9_-]/g;

/**
 * A name for a Computer's tool that a model may use. It depends on the two alone, not on what else is there, so it stays
 * the same while Computers come and go. Whatever cannot be read back from it gets a hash: foreign characters, length,
 * and Computers whose names blur where the tool's begins.
 */
export function toolName(computer: string, tool: string, salt = 0): string {
  const plain = `${computer}${SEPARATOR}${tool}`;
  const isClear = !computer.includes(SEPARATOR) && !computer.endsWith('_');
  if (salt === 0 && isClear && plain.length <= MAX_NAME_LENGTH && plain.search(FOREIGN) < 0) return plain;
  const suffix = `_${hash(`${computer}\0${tool}\0${salt}`)}`;
  const room = MAX_NAME_LENGTH - suffix.length;
  // The tool tells more than the Computer: of a long name the Computer's part is cut first, but not away.
  const tail = `${SEPARATOR}${clean(tool)}`.slice(0, room - Math.min(clean(computer).length, MIN_COMPUTER));
  return `${clean(computer).slice(0, room - tail.length)}${tail}${suffix}`;
}

const MIN_COMPUTER = 16;

function clean(text: string): string {
  return text.replaceAll(FOREIGN, '_');
}

/** FNV-1a, 32 bits: short, the same everywhere, and no secret. Two names that still meet are told apart by a salt. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
