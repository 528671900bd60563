/** How an MCP server is connected, as far as it identifies the server: the raw values, placeholders unfilled. */
export type ServerConnection =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'streamable' | 'sse';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** Returns the SHA-256 of the bytes in lower-case hex. It is passed in, because this package also runs in browsers. */
export type Sha256 = (bytes: Uint8Array) => string;

/** Whether a text can be a bundle id: letters, digits, `_` and `-`, without `__`, which precedes a tool name. */
export function isBundleId(text: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(text) && !text.includes('__');
}

/**
 * The bundle id of a server without a configured one: its name in the permitted characters, or a digest of its
 * connection if the name has none of them. Equal for equal declarations on every machine.
 */
export function deriveBundleId(name: string, connection: ServerConnection, sha256: Sha256): string {
  return bundleIdOfName(name) || `bundle_${sha256(connectionIdentity(connection)).slice(0, 16)}`;
}

/** A name in the characters of a bundle id; empty when it has none of them. */
export function bundleIdOfName(name: string): string {
  return (
    name
      .replaceAll(/[^A-Za-z0-9_-]/gu, '_')
      .replaceAll(/_+/g, '_')
      // In linear time: without the condition, each character of a long row within the name would begin a search.
      .replaceAll(/^[_-]+|(?<![_-])[_-]+$/g, '')
  );
}

/** The name of a tool for Agents from protocol 0.3 on. It is opaque: it is looked up whole and never split. */
export function exposedName(bundleId: string, displayName: string): string {
  return `${bundleId}__${displayName}`;
}

function connectionIdentity(connection: ServerConnection): Uint8Array {
  if (connection.type === 'stdio') {
    const { type, command, args, env } = connection;
    return concat([text(type), text(command), list(args), map(env)]);
  }
  return concat([text(connection.type), text(connection.url), map(connection.headers)]);
}

function count(number: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  return concat([count(bytes.length), bytes]);
}

function list(values: readonly string[]): Uint8Array {
  return concat([count(values.length), ...values.map(text)]);
}

function map(values: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(values).toSorted(([a], [b]) => compareCodePoints(a, b));
  return concat([count(entries.length), ...entries.flatMap(([key, value]) => [text(key), text(value)])]);
}

/** The order of UTF-8 bytes, which is that of code points. JavaScript compares UTF-16 units. */
function compareCodePoints(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (Number.isNaN(left) || Number.isNaN(right)) return a.length - b.length;
  return rank(left) - rank(right);
}

/** Surrogates stand for code points above all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
