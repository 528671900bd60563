import { isRecord, jsonSize } from '@a2c/protocol';
import { intersection, union } from './combine-types.js';
import { commentOf } from './comment.js';
import {
  ignoresSiblingsOfRef,
  isSchema,
  type JsonSchema,
  References,
  type SchemaObject,
  schemasOf,
} from './json-schema.js';
import type { TypeNames } from './type-names.js';
import { literalType, NEVER, NULL, type PropertyNode, type TypeNode, UNKNOWN, word } from './type-node.js';
import type { WorkBudget } from './work-budget.js';

/** Schemas nested deeper become `unknown`. */
const MAX_DEPTH = 48;

/** What a part of a schema costs of the budget, in characters. */
const PART = 8;

export interface BuiltType {
  readonly type: TypeNode;
  /** One type per `$ref` target, by name. */
  readonly definitions: ReadonlyMap<string, TypeNode>;
}

export interface CommentRule {
  readonly maxDescriptionLength: number;
}

/**
 * Converts a JSON Schema to a type, with a name for every `$ref`. Guarantee: the type accepts every value that the
 * schema accepts. Keywords that TypeScript cannot express (`not`, `if`, bounds) are therefore left out, and unclear
 * parts, and those beyond the budget, become `unknown`.
 */
export function buildType(root: JsonSchema, names: TypeNames, budget: WorkBudget, comments?: CommentRule): BuiltType {
  const builder = new TypeBuilder(root, names, budget, comments);
  const type = builder.build(root, 0);
  return { type, definitions: builder.definitions() };
}

class TypeBuilder {
  /** The names of the `$ref` targets found so far, in the order of first use. */
  readonly #targets = new Map<JsonSchema, string>();
  readonly #names: TypeNames;
  readonly #references: References;
  readonly #budget: WorkBudget;
  readonly #comments: CommentRule | undefined;
  readonly #refHidesSiblings: boolean;

  constructor(root: JsonSchema, names: TypeNames, budget: WorkBudget, comments: CommentRule | undefined) {
    this.#names = names;
    this.#references = new References(root);
    this.#budget = budget;
    this.#comments = comments;
    this.#refHidesSiblings = ignoresSiblingsOfRef(root);
  }

  build(schema: JsonSchema, depth: number): TypeNode {
    if (schema === false) return NEVER;
    if (schema === true || depth > MAX_DEPTH || !this.#budget.spend(PART)) return UNKNOWN;
    const type = this.#withoutNull(schema, depth + 1);
    return schema.nullable === true ? union([type, NULL]) : type;
  }

  #withoutNull(schema: SchemaObject, depth: number): TypeNode {
    if (Array.isArray(schema.enum)) return this.#literals(schema.enum);
    if ('const' in schema) return this.#literals([schema.const]);
    const reference = typeof schema.$ref === 'string' ? [this.#reference(schema.$ref)] : [];
    if (reference.length > 0 && this.#refHidesSiblings) return intersection(reference);
    return intersection([this.#own(schema, depth), ...reference, ...this.#combinations(schema, depth)]);
  }

  #literals(values: readonly unknown[]): TypeNode {
    return this.#spendFor(values) ? union(values.map((value) => literalType(value))) : UNKNOWN;
  }

  /** Whether the budget allows all of a list of values or names. */
  #spendFor(values: unknown): boolean {
    return this.#budget.spend(jsonSize(values, this.#budget.left));
  }

  #combinations(schema: SchemaObject, depth: number): TypeNode[] {
    const choices = [schemasOf(schema.anyOf), schemasOf(schema.oneOf)].filter((members) => members.length > 0);
    const all = schemasOf(schema.allOf);
    const isTooLarge = !this.#budget.spend(choices.flat().length + all.length);
    if (isTooLarge) return [UNKNOWN];
    return [
      ...choices.map((members) => union(members.map((member) => this.build(member, depth)))),
      ...all.map((member) => this.build(member, depth)),
    ];
  }

  #reference(pointer: string): TypeNode {
    const target = this.#budget.spend(pointer.length) ? this.#references.resolve(pointer) : undefined;
    if (target === undefined) return UNKNOWN;
    const name = this.#targets.get(target) ?? this.#names.give(pointer);
    this.#targets.set(target, name);
    return { kind: 'name', name };
  }

  /** Builds definitions in a loop instead of recursively: a chain of references may be arbitrarily long. */
  definitions(): Map<string, TypeNode> {
    const built = new Map<string, TypeNode>();
    // The loop also visits targets that are added meanwhile.
    for (const [target, name] of this.#targets) built.set(name, this.build(target, 0));
    return built;
  }

  /** The type from the schema's own keywords, without references and combinations. */
  #own(schema: SchemaObject, depth: number): TypeNode {
    const { type } = schema;
    if (Array.isArray(type)) {
      return this.#budget.spend(type.length) ? union(type.map((one) => this.#ofType(one, schema, depth))) : UNKNOWN;
    }
    if (type !== undefined) return this.#ofType(type, schema, depth);
    // `properties` without `type` means an object, unless a combination allows other types.
    if (isRecord(schema.properties) && this.#combinesObjectsOnly(schema)) return this.#object(schema, depth);
    if ('items' in schema || 'prefixItems' in schema)
      return this.#hasCombination(schema) ? UNKNOWN : this.#array(schema, depth);
    return UNKNOWN;
  }

  #ofType(type: unknown, schema: SchemaObject, depth: number): TypeNode {
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return word(type);
      case 'number':
      case 'integer':
        return word('number');
      case 'array':
        return this.#array(schema, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return UNKNOWN;
    }
  }

  #array(schema: SchemaObject, depth: number): TypeNode {
    const { items, prefixItems, additionalItems, minItems, maxItems } = schema;
    const fixed = schemasOf(prefixItems ?? (Array.isArray(items) ? items : []));
    if (!this.#budget.spend(fixed.length)) return UNKNOWN;
    if (fixed.length === 0) return { kind: 'array', item: isSchema(items) ? this.build(items, depth) : UNKNOWN };
    const others = prefixItems ? items : additionalItems;
    const isClosed = others === false || (typeof maxItems === 'number' && maxItems <= fixed.length);
    return {
      kind: 'tuple',
      items: fixed.map((item) => this.build(item, depth)),
      required: Math.min(typeof minItems === 'number' ? minItems : 0, fixed.length),
      ...(isClosed ? {} : { rest: isSchema(others) ? this.build(others, depth) : UNKNOWN }),
    };
  }

  #object(schema: SchemaObject, depth: number): TypeNode {
    const named = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
    if (!this.#spendFor(named.map(([name]) => name)) || !this.#spendFor(schema.required)) return UNKNOWN;
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const properties = named.map(([name, value]) =>
      this.#property(name, isSchema(value) ? value : true, required.delete(name), depth),
    );
    for (const name of required)
      if (typeof name === 'string') properties.push({ name, optional: false, type: UNKNOWN });
    const others = this.#otherProperties(schema, depth);
    return { kind: 'object', properties, ...(others && { others }) };
  }

  #property(name: string, schema: JsonSchema, isRequired: boolean, depth: number): PropertyNode {
    const [references, budget] = [this.#references, this.#budget];
    const comment = this.#comments && commentOf(schema, { ...this.#comments, references, budget });
    // A caller may leave out what has a default: servers that fill it in list it as required all the same.
    const isFilledIn = isRecord(schema) && schema.default !== undefined;
    return { name, optional: !isRequired || isFilledIn, type: this.build(schema, depth), ...(comment && { comment }) };
  }

  /** Undefined if the schema is closed, or has named properties and no rule for others. */
  #otherProperties(schema: SchemaObject, depth: number): TypeNode | undefined {
    const patterns = isRecord(schema.patternProperties) ? Object.values(schema.patternProperties).filter(isSchema) : [];
    if (!this.#budget.spend(patterns.length)) return UNKNOWN;
    const { additionalProperties: others } = schema;
    const hasNoRule = !isSchema(others);
    if (hasNoRule && isRecord(schema.properties) && patterns.length === 0) return undefined;
    const admitted = hasNoRule ? [UNKNOWN] : others === false ? [] : [this.build(others, depth)];
    const all = [...patterns.map((pattern) => this.build(pattern, depth)), ...admitted];
    return all.length === 0 ? undefined : union(all);
  }

  #hasCombination(schema: SchemaObject): boolean {
    return ['anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema);
  }

  #combinesObjectsOnly(schema: SchemaObject): boolean {
    const choices = [...schemasOf(schema.anyOf), ...schemasOf(schema.oneOf), ...schemasOf(schema.allOf)];
    const target = typeof schema.$ref === 'string' ? this.#references.resolve(schema.$ref) : undefined;
    return [...choices, ...(target === undefined ? [] : [target])].every(meansObject);
  }
}

/**
 * Whether the schema describes an object, or only conditions on one. References and nested combinations are not
 * followed.
 */
function meansObject(schema: JsonSchema): boolean {
  if (!isRecord(schema)) return false;
  if (schema.type !== undefined) return schema.type === 'object';
  return 'properties' in schema || Object.keys(schema).every((keyword) => keyword === 'required');
}
