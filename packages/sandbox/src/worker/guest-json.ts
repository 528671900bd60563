/** What {@link guestJson} returns. */
export interface GuestJson {
  /**
   * JSON of a value, by the rules of the package's README ("Values").
   *
   * @param isArguments The value is the list of a call's arguments.
   */
  toJson(root: unknown, name: string, limit: number, isArguments?: boolean): string | undefined;
  /** A text list, without the iterator of arrays, which the code can replace. */
  append(list: readonly string[], more: readonly string[]): string[];
  /** The error of a value that has no form in JSON. */
  readonly Unrepresentable: new (
    message: string,
  ) => Error;
  /** The error of a value above the limit. Its message is the size. */
  readonly TooLarge: new (
    message: string,
  ) => Error;
}

/**
 * Runs inside QuickJS, as `bootstrap` does: it must not refer to anything outside its own body, and it keeps the
 * built-in functions it needs.
 */
export function guestJson(maxDepth: number): GuestJson {
  const { stringify } = JSON;
  const { apply } = Reflect;
  const { isArray } = Array;
  const { keys, getPrototypeOf } = Object;
  const plain = Object.prototype;
  const { forEach: forEachEntry } = Map.prototype;
  const { forEach: forEachMember } = Set.prototype;
  const { slice } = String.prototype;
  const { isView } = ArrayBuffer;
  const toText = String;
  const isFiniteNumber = Number.isFinite;
  const GuestPromise = Promise;
  const GuestError = Error;
  const GuestMap = Map;
  const GuestSet = Set;
  const GuestBuffer = ArrayBuffer;
  const GuestRegExp = RegExp;

  class Unrepresentable extends TypeError {}
  class TooLarge extends RangeError {}

  /** An object being written, the one around it, and the key that leads to it. */
  interface Level {
    readonly value: unknown;
    readonly outer: Level | undefined;
    readonly depth: number;
    readonly key: string | number;
  }
  /** The state of one `toJson`. It is an argument of the functions below: closures for each call cost more time. */
  interface Writer {
    readonly name: string;
    readonly limit: number;
    text: string;
    chunk: string;
    size: number;
    inner: Level | undefined;
  }
  const emit = (writer: Writer, piece: string) => {
    writer.size += piece.length;
    // Appending copies the text in this engine: small pieces are gathered first.
    if (writer.size <= writer.limit) writer.chunk += piece;
    if (writer.chunk.length > 4096) {
      writer.text += writer.chunk;
      writer.chunk = '';
    }
    if (writer.size > writer.limit * 8) throw new TooLarge(`more than ${writer.size}`);
  };
  /** `result.rows[3].id`. Built only for an error: a text for every value would cost more than the value itself. */
  const pathTo = ({ name, inner }: Writer, key: string | number): string => {
    const member = (part: string | number) => (typeof part === 'number' ? `[${part}]` : `.${part}`);
    let path = inner ? member(key) : '';
    for (let level = inner; level?.outer; level = level.outer) path = member(level.key) + path;
    return apply(slice, name + path, [0, 200]) as string;
  };
  const append = (list: readonly string[], more: readonly string[]): string[] => {
    const all: string[] = [];
    for (let index = 0; index < list.length; index++) all[all.length] = list[index] as string;
    for (let index = 0; index < more.length; index++) all[all.length] = more[index] as string;
    return all;
  };
  const writeList = (writer: Writer, items: ArrayLike<unknown>) => {
    emit(writer, '[');
    const { length } = items;
    for (let index = 0; index < length; index++) {
      if (index > 0) emit(writer, ',');
      if (!write(writer, items[index], index, '')) emit(writer, 'null');
    }
    emit(writer, ']');
  };
  const writeRecord = (writer: Writer, names: readonly string[], source: Record<string, unknown>) => {
    emit(writer, '{');
    let separator = '';
    for (let index = 0; index < names.length; index++) {
      const key = names[index] as string;
      if (key === '__proto__') continue;
      if (write(writer, source[key], key, `${separator}${stringify(key)}:`)) separator = ',';
    }
    emit(writer, '}');
  };
  const enter = (writer: Writer, value: object, key: string | number) => {
    const { inner } = writer;
    for (let level = inner; level; level = level.outer) {
      if (level.value === value) {
        throw new Unrepresentable(`${pathTo(writer, key)} refers to an object that contains it`);
      }
    }
    const depth = inner ? inner.depth + 1 : 1;
    if (depth > maxDepth) {
      throw new Unrepresentable(`${pathTo(writer, key)} is nested deeper than ${maxDepth} levels`);
    }
    writer.inner = { value, outer: inner, depth, key };
  };
  const writeObject = (writer: Writer, value: object, key: string | number) => {
    // Most objects are plain, and each `instanceof` costs as much as a short value.
    if (getPrototypeOf(value) === plain) {
      enter(writer, value, key);
      writeRecord(writer, keys(value), value as Record<string, unknown>);
    } else writeSpecial(writer, value, key);
    writer.inner = writer.inner?.outer;
  };
  const writeSpecial = (writer: Writer, value: object, key: string | number) => {
    if (value instanceof GuestPromise) throw new Unrepresentable(`${pathTo(writer, key)} is a promise; await it`);
    if (value instanceof GuestBuffer || (isView(value) && !('length' in value))) {
      const remedy = 'return Array.from(new Uint8Array(buffer)) or text';
      throw new Unrepresentable(`${pathTo(writer, key)} is a buffer; ${remedy}`);
    }
    enter(writer, value, key);
    if (isArray(value) || isView(value)) writeList(writer, value as ArrayLike<unknown>);
    else if (value instanceof GuestSet) {
      const members: unknown[] = [];
      apply(forEachMember, value, [(member: unknown) => (members[members.length] = member)]);
      writeList(writer, members);
    } else if (value instanceof GuestMap) writeMap(writer, value);
    else if (value instanceof GuestRegExp) emit(writer, stringify(toText(value)));
    else {
      const names = keys(value);
      const isError = value instanceof GuestError;
      writeRecord(writer, isError ? append(['name', 'message'], names) : names, value as Record<string, unknown>);
    }
  };
  const writeMap = (writer: Writer, value: Map<unknown, unknown>) => {
    const entries: [unknown, unknown][] = [];
    let named = true;
    apply(forEachEntry, value, [
      (member: unknown, key: unknown) => {
        if (typeof key !== 'string') named = false;
        entries[entries.length] = [key, member];
      },
    ]);
    if (!named) return writeList(writer, entries);
    const byName: Record<string, unknown> = { __proto__: null } as never;
    for (let index = 0; index < entries.length; index++) byName[entries[index]?.[0] as string] = entries[index]?.[1];
    return writeRecord(writer, keys(byName), byName);
  };
  /** Writes `prefix` and the value; writes nothing and returns false where JSON has no form for it. */
  const write = (writer: Writer, original: unknown, key: string | number, prefix: string): boolean => {
    let value = original;
    if (typeof value === 'object' && value !== null) {
      const own = (value as { toJSON?: unknown }).toJSON;
      if (typeof own === 'function') value = apply(own, value, ['']);
    }
    if (typeof value === 'object' && value !== null) {
      if (prefix !== '') emit(writer, prefix);
      writeObject(writer, value, key);
      return true;
    }
    if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) return false;
    if (typeof value === 'number') emit(writer, prefix + (isFiniteNumber(value) ? toText(value) : 'null'));
    else if (typeof value === 'bigint') emit(writer, `${prefix}"${toText(value)}"`);
    else emit(writer, prefix + stringify(value));
    return true;
  };
  const toJson = (root: unknown, name: string, limit: number, isArguments = false): string | undefined => {
    const writer: Writer = { name, limit, text: '', chunk: '', size: 0, inner: undefined };
    // The list of arguments is ours: a `toJSON` that the code gave to all arrays must not replace it.
    if (isArguments) {
      writer.inner = { value: root, outer: undefined, depth: 0, key: '' };
      writeList(writer, root as unknown[]);
    } else if (!write(writer, root, '', '') && root !== undefined) {
      throw new Unrepresentable(
        `${name} is a ${typeof root}; ${typeof root === 'function' ? 'call it' : 'describe it'}`,
      );
    }
    if (writer.size > limit) throw new TooLarge(`${writer.size}`);
    return root === undefined ? undefined : writer.text + writer.chunk;
  };

  return { toJson, append, Unrepresentable, TooLarge };
}
