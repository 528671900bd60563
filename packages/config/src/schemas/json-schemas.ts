import { z } from 'zod';
import { a2cServersFile } from './a2c-schema.js';
import { inputsFile } from './input-schema.js';
import { v1File } from './v1-schema.js';

/** The schemas that editors can use, by the name of their file. */
const SOURCES = { v1: v1File, 'a2c-servers': a2cServersFile, 'a2c-inputs': inputsFile };

export type SchemaName = keyof typeof SOURCES;
export const SCHEMA_NAMES = Object.keys(SOURCES) as readonly SchemaName[];

/** The JSON Schema of a format, made from the very schema that reads it. */
export function jsonSchema(name: SchemaName): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(SOURCES[name], { io: 'input', reused: 'ref' });
}
