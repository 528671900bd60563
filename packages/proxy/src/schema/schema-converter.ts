import { buildType } from './build-type.js';
import { inlineReferences } from './inline-references.js';
import { isSchema } from './json-schema.js';
import { printType } from './print-type.js';
import { shareProperties } from './share-properties.js';
import { shareTypes } from './share-types.js';
import { TypeNames } from './type-names.js';
import { WorkBudget } from './work-budget.js';

/** Options of `SchemaConverter`. */
export interface SchemaConverterOptions {
  /**
   * Adds comments to properties: descriptions cut at this many characters, defaults, formats and bounds. Absent: no
   * comments.
   */
  readonly maxDescriptionLength?: number;
}

/** The types of several schemas. */
export interface ConvertedSchemas {
  /** One type per schema, in the order of the schemas. */
  readonly types: readonly string[];
  /** `type Name = …` for recursive and repeated types that the types refer to. */
  readonly declarations: readonly string[];
}

/**
 * Converts JSON Schemas to TypeScript types for a model to read. Never throws; invalid schemas, and parts of
 * very large ones, become `unknown`.
 *
 * @example
 * ```ts
 * new SchemaConverter().convert({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] });
 * // '{city: string}'
 * ```
 */
export class SchemaConverter {
  readonly #options: SchemaConverterOptions;

  constructor(options: SchemaConverterOptions = {}) {
    this.#options = options;
  }

  /**
   * Converts one schema. The type is on the first line; recursive and repeated parts follow as `type Name = …`, one per
   * line.
   */
  convert(schema: unknown): string {
    const { types, declarations } = this.convertAll([schema]);
    return [...types, ...declarations].join('\n');
  }

  /** Converts several schemas that share their named types, such as those of one server's tools. */
  convertAll(schemas: readonly unknown[]): ConvertedSchemas {
    const names = new TypeNames();
    const { maxDescriptionLength } = this.#options;
    const comments = maxDescriptionLength === undefined ? undefined : { maxDescriptionLength };
    const budget = new WorkBudget();
    const built = schemas.map((schema) =>
      budget.forSchema((own) =>
        inlineReferences(buildType(isSchema(schema) ? schema : true, names, own, comments), own),
      ),
    );
    const all = {
      types: built.map(({ type }) => type),
      definitions: new Map(built.flatMap(({ definitions }) => [...definitions])),
    };
    const { types, definitions } = shareTypes(shareProperties(all, names), names);
    return {
      types: types.map(printType),
      declarations: [...definitions].map(([name, node]) => `type ${name} = ${printType(node)}`),
    };
  }
}
