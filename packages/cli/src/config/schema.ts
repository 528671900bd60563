import { jsonSchema, SCHEMA_NAMES, type SchemaName } from '@a2c/config';
import type { ConfigOptions } from '../config-options.js';
import { print, printJson } from '../output.js';

export function schema(name: SchemaName | undefined, { json }: ConfigOptions): void {
  if (name !== undefined) printJson(jsonSchema(name));
  else if (json) printJson(SCHEMA_NAMES);
  else print(SCHEMA_NAMES.join('\n'));
}
