const TOKEN = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*|\s+/g;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * The object or array a text stands for, if writing it again would say the same. The same are escaped and plain characters, and
 * numbers of one value (`1.0` and `1`, `1e3` and `1000`); not the same is whatever has more digits than a number can hold, or a key twice.
 */
export function parseExactly(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isSame = typeof value === 'object' && value !== null && JSON.stringify(value) === normal(text);
    return isSame ? value : undefined;
  } catch {
    return undefined; // not JSON
  }
}

/** Every token as `JSON.stringify` writes it, without the white space between them. */
function normal(json: string): string {
  return json.replaceAll(TOKEN, (token) => {
    if (token.startsWith('"')) return token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token;
    if (token.trim() === '') return '';
    const written = String(Number(token));
    return decimal(token) === decimal(written) ? written : token;
  });
}

/** Sign, digits and power of ten: equal for equal values, however they are written. */
function decimal(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + digits.length - short.length;
  return `${sign}${short}e${short === '' ? 0 : power}`;
}
