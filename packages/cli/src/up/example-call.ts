import type { AvailableTool } from '@a2c/hub';

type Annotations = { readonly readOnlyHint?: boolean } | undefined;
type Schema = Readonly<Record<string, unknown>>;

/** The words after `a2c agent call COMPUTER`, preferably for a tool that only reads and has no required arguments. */
export function exampleCall(tools: readonly AvailableTool[]): readonly string[] | null {
  const simple = tools.filter((tool) => required(tool).length === 0);
  const chosen = simple.find(({ tool }) => (tool.annotations as Annotations)?.readOnlyHint) ?? simple[0] ?? tools[0];
  if (!chosen) return null;
  const { properties = {} } = schemaOf(chosen);
  return [chosen.displayName, ...required(chosen).map((key) => `${key}=${exampleValue(key, properties[key] ?? {})}`)];
}

interface ArgumentsSchema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

function schemaOf({ tool }: AvailableTool): ArgumentsSchema {
  return tool.inputSchema as ArgumentsSchema;
}

function required(tool: AvailableTool): readonly string[] {
  return schemaOf(tool).required ?? [];
}

/** A placeholder value of the right type. */
function exampleValue(key: string, schema: Schema): string {
  const { type, enum: choices, examples, default: usual } = schema;
  const given = [usual, ...list(examples), ...list(choices)].find((value) => value !== undefined);
  if (given !== undefined) return typeof given === 'string' ? given : JSON.stringify(given);
  if (type === 'number' || type === 'integer') return String(schema.minimum ?? 1);
  if (type === 'boolean') return 'true';
  if (type === 'object') return '{}';
  if (type === 'array') return `[${elementOf(key, (schema.items ?? {}) as Schema)}]`;
  return key.toUpperCase();
}

function elementOf(key: string, items: Schema): string {
  const value = exampleValue(key, items);
  return items.type === undefined || items.type === 'string' ? JSON.stringify(value) : value;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
