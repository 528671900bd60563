import { buildType } from './build-type.js';
import { isSchema } from './json-schema.js';
import { printType } from './print-type.js';
import { settleReferences } from './settle-references.js';
import { shareProperties } from './share-properties.js';
import { shareTypes } from './share-types.js';
import { TypeNames } from './type-names.js';

export interface SchemaConverterOptions {
  /** Property comments: descriptions cut at this many characters, with defaults, formats and bounds. None: types only. */
  readonly maxDescriptionLength?: number;
}

export interface ConvertedSchemas {
  /** One type per schema, in their order. */
  readonly types: readonly string[];
  /** `type Name = …` for everything recursive or repeated that the types refer to. */
  readonly declarations: readonly string[];
}

/** JSON Schema → TypeScript text, for reading. Never throws, and keeps nothing between two calls. */
export class SchemaConverter {
  readonly #options: SchemaConverterOptions;

  constructor(options: SchemaConverterOptions = {}) {
    this.#options = options;
  }

  /** The type on one line; recursive and repeated parts follow as `type Name = …`, one line each. */
  convert(schema: unknown): string {
    const { types, declarations } = this.convertAll([schema]);
    return [...types, ...declarations].join('\n');
  }

  /** Several schemas that share their named types, as the tools of one server do. */
  convertAll(schemas: readonly unknown[]): ConvertedSchemas {
    const names = new TypeNames();
    const { maxDescriptionLength } = this.#options;
    const comments = maxDescriptionLength === undefined ? undefined : { maxDescriptionLength };
    const built = schemas.map((schema) =>
      settleReferences(buildType(isSchema(schema) ? schema : true, names, comments)),
    );
    const forest = {
      types: built.map(({ type }) => type),
      definitions: new Map(built.flatMap(({ definitions }) => [...definitions])),
    };
    const { types, definitions } = shareTypes(shareProperties(forest, names), names);
    return {
      types: types.map(printType),
      declarations: [...definitions].map(([name, node]) => `type ${name} = ${printType(node)}`),
    };
  }
}
