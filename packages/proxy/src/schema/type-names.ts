/** Parts of a pointer that lead somewhere but name nothing. */
const STRUCTURE = /^(#|\$defs|definitions|properties|items|prefixItems|additionalProperties|anyOf|oneOf|allOf|\d+|)$/;

/** Type names that already mean something. */
const TAKEN = ['Array', 'Boolean', 'Function', 'Number', 'Object', 'Record', 'String', 'Symbol'];

/** Readable and unique names, for what references lead to and for what is shared. */
export class TypeNames {
  /** Where to go on counting, so that thousands of one name do not count from the beginning. */
  readonly #counts = new Map<string, number>();
  readonly #taken = new Set<string>(TAKEN);

  /** A name for the target of a reference, taken. */
  give(pointer: string): string {
    const name = this.propose(tellingPart(pointer));
    this.take(name);
    return name;
  }

  /** `filter_by` → `FilterBy`, or `FilterBy2` when that is another type's name. */
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
function tellingPart(pointer: string): string {
  const parts = pointer.replace(/^#(?=[^/])/, '').split('/');
  return parts.findLast((part) => !STRUCTURE.test(part)) ?? 'Root';
}

function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((part) => part !== '');
  const name = words.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  return /^[A-Za-z]/.test(name) ? name : `T${name}`;
}
