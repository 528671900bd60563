import { z } from 'zod';
import { a2cServersFile } from './a2c-schema.js';
import { inputsFile } from './input-schema.js';
import { v1File } from './v1-schema.js';

/** The name of a JSON Schema, which is also the name of its file in `schemas/`. */
export type SchemaName = 'v1' | 'a2c-servers' | 'a2c-inputs';

const SOURCES: Readonly<Record<SchemaName, z.ZodType>> = {
  v1: v1File,
  'a2c-servers': a2cServersFile,
  'a2c-inputs': inputsFile,
};

/** The names that `jsonSchema` accepts. */
export const SCHEMA_NAMES: readonly SchemaName[] = Object.keys(SOURCES) as SchemaName[];

/** The JSON Schema of a format, generated from the zod schema that reads it. */
export function jsonSchema(name: SchemaName): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(SOURCES[name], { io: 'input', reused: 'ref' });
}
