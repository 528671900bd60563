/** Segments of a JSON pointer that are keywords, not names. */
const STRUCTURE = /^(#|\$defs|definitions|properties|items|prefixItems|additionalProperties|anyOf|oneOf|allOf|\d+|)$/;

/** Names of global types. */
const RESERVED = ['Array', 'Boolean', 'Function', 'Number', 'Object', 'Record', 'String', 'Symbol'];

/** Of longer names only the end is used. */
const MAX_LENGTH = 100;

/** Generates readable and unique type names. */
export class TypeNames {
  /** The next suffix to try for each name. */
  readonly #counts = new Map<string, number>();
  readonly #taken = new Set<string>(RESERVED);

  /** Takes a name for the target of a reference. */
  give(pointer: string): string {
    const name = this.propose(lastName(pointer));
    this.take(name);
    return name;
  }

  /** A free name: `filter_by` → `FilterBy`, or `FilterBy2` if that is taken. */
  propose(hint: string): string {
    const wanted = pascalCase(hint);
    let name = wanted;
    for (let count = this.#counts.get(wanted) ?? 2; this.#taken.has(name); count++) {
      name = `${wanted}${count}`;
      this.#counts.set(wanted, count);
    }
    return name;
  }

  take(name: string): void {
    this.#taken.add(name);
  }
}

/** `#/properties/filter_by/anyOf/0` → `filter_by`. */
function lastName(pointer: string): string {
  const parts = pointer.replace(/^#(?=[^/])/, '').split('/');
  return parts.findLast((part) => !STRUCTURE.test(part)) ?? 'Root';
}

function pascalCase(text: string): string {
  const words = text
    .slice(-MAX_LENGTH)
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '');
  const name = words.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  return /^[A-Za-z]/.test(name) ? name : `T${name}`;
}
