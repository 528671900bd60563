import { isRecord, type ListedTool } from '../tools/parse-tool.js';

/** How a tool is called, on one line: `read_file(path: string, head?: number)`. Enough to correct a call by. */
export function signatureOf(tool: ListedTool): string {
  const { properties, required } = tool.inputSchema as { properties?: unknown; required?: unknown };
  const needed = new Set(Array.isArray(required) ? required : []);
  const parameters = Object.entries(isRecord(properties) ? properties : {})
    .sort(([a], [b]) => Number(needed.has(b)) - Number(needed.has(a)))
    .map(([name, schema]) => `${name}${needed.has(name) ? '' : '?'}: ${typeOf(schema)}`);
  return `${tool.name}(${parameters.join(', ')})`;
}

/** The type in a few words; `any` when it takes more. */
export function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return 'any';
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return [...new Set(choices.map(typeOf))].join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items)}[]`;
  if (typeof schema.type === 'string') return schema.type;
  return Array.isArray(schema.type) ? schema.type.join(' | ') : 'any';
}
