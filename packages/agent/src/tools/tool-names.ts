/** The shortest limit among the model providers. */
const MAX_NAME_LENGTH = 64;
const SEPARATOR = '__';
const INVALID = /[^A-Za-z0-9_-]/g;

/**
 * Returns a tool name for models. It depends on the Computer and the tool only, so it is stable while other Computers
 * join and leave. A hash is added when the name is not reversible: replaced characters, cut names, ambiguous
 * separators.
 */
export function toolName(computer: string, tool: string, salt = 0): string {
  const plain = `${computer}${SEPARATOR}${tool}`;
  const isUnambiguous = !computer.includes(SEPARATOR) && !computer.endsWith('_');
  if (salt === 0 && isUnambiguous && plain.length <= MAX_NAME_LENGTH && plain.search(INVALID) < 0) return plain;
  const suffix = `_${hash(`${computer}\0${tool}\0${salt}`)}`;
  const room = MAX_NAME_LENGTH - suffix.length;
  // The tool says more than the Computer: the Computer's part is cut first, down to a minimum.
  const tail = `${SEPARATOR}${clean(tool)}`.slice(0, room - Math.min(clean(computer).length, MIN_COMPUTER));
  return `${clean(computer).slice(0, room - tail.length)}${tail}${suffix}`;
}

const MIN_COMPUTER = 16;

function clean(text: string): string {
  return text.replaceAll(INVALID, '_');
}

/** FNV-1a, 32 bits. A salt resolves collisions. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
