import type { AvailableTool } from '@a2c/hub';

type Annotations = { readonly readOnlyHint?: boolean } | undefined;
type Schema = Readonly<Record<string, unknown>>;

/**
 * The words after `a2c agent call COMPUTER`: a tool that only reads, or that the owner allows without a question,
 * preferably without required arguments. Null if there is none: a person may paste the call without a thought.
 */
export function exampleCall(tools: readonly AvailableTool[]): readonly string[] | null {
  const isReading = ({ tool }: AvailableTool) => (tool.annotations as Annotations)?.readOnlyHint === true;
  const harmless = tools.filter((tool) => isReading(tool) || tool.meta?.auto_apply === true);
  const rank = (tool: AvailableTool) => Number(required(tool).length > 0) * 2 + Number(!isReading(tool));
  const [chosen] = harmless.toSorted((a, b) => rank(a) - rank(b));
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
