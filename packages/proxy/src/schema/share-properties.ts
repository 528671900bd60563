import { printType } from './print-type.js';
import type { TypeSet } from './share-types.js';
import type { TypeNames } from './type-names.js';
import type { ObjectNode, PropertyNode, TypeNode } from './type-node.js';

/** Bounds for a block of common properties. */
const MIN_OBJECTS = 4;
const MIN_PROPERTIES = 3;
const MAX_PROPERTIES = 32;

/**
 * Tools of one server often have the same block of options. The block is declared once, as `Common`, and the arguments
 * of each of these tools become `Common & {…}`.
 */
export function shareProperties({ types, definitions }: TypeSet, names: TypeNames): TypeSet {
  const objects = types.filter((type): type is ObjectNode => type.kind === 'object' && type.others === undefined);
  const name = names.propose('Common');
  const common = commonBlock(objects, `${name}&`.length);
  if (common.length === 0) return { types, definitions };
  names.take(name);
  const shared = new Set(common.map(textOf));
  const reference: TypeNode = { kind: 'name', name };
  const shortened = types.map((type): TypeNode => {
    if (type.kind !== 'object' || !hasAll(type, shared)) return type;
    const own = type.properties.filter((property) => !shared.has(textOf(property)));
    return own.length === 0 ? reference : { kind: 'intersection', members: [reference, { ...type, properties: own }] };
  });
  return { types: shortened, definitions: new Map([[name, { kind: 'object', properties: common }], ...definitions]) };
}

/** The set of most frequent properties that saves the most text in the objects that have all of them. */
function commonBlock(objects: readonly ObjectNode[], mentionLength: number): readonly PropertyNode[] {
  const frequent = byFrequency(objects).slice(0, MAX_PROPERTIES);
  let best: readonly PropertyNode[] = [];
  let bestSaving = 0;
  for (let size = MIN_PROPERTIES; size <= frequent.length; size++) {
    const block = frequent.slice(0, size);
    const wanted = new Set(block.map(textOf));
    const users = objects.filter((object) => hasAll(object, wanted)).length;
    if (users < MIN_OBJECTS) break;
    const length = [...wanted].join('').length;
    const saving = (users - 1) * length - users * mentionLength;
    if (saving > bestSaving) [best, bestSaving] = [block, saving];
  }
  return best;
}

function byFrequency(objects: readonly ObjectNode[]): PropertyNode[] {
  const found = new Map<string, { property: PropertyNode; count: number }>();
  for (const property of objects.flatMap(({ properties }) => properties)) {
    const text = textOf(property);
    const known = found.get(text);
    if (known) known.count++;
    else found.set(text, { property, count: 1 });
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count).map(({ property }) => property);
}

const texts = new WeakMap<PropertyNode, string>();

function textOf(property: PropertyNode): string {
  const text = texts.get(property) ?? printType({ kind: 'object', properties: [property] });
  texts.set(property, text);
  return text;
}

function hasAll({ properties }: ObjectNode, wanted: ReadonlySet<string>): boolean {
  return properties.filter((property) => wanted.has(textOf(property))).length === wanted.size;
}
