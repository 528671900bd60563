// Writes the JSON Schemas that editors use: npm run schemas
import { writeFileSync } from 'node:fs';
import { jsonSchema, SCHEMA_NAMES } from '@a2c/config';

for (const name of SCHEMA_NAMES) {
  const file = new URL(`../schemas/${name}.schema.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(jsonSchema(name), null, 2)}\n`);
}
