import { Validator } from '@cfworker/json-schema';

type Schema = Record<string, unknown>;

/** How much of a schema a sample contains: required properties, or all of them with the n-th member of every choice. */
export type Extent = 'least' | number;

const STRINGS: Record<string, string> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  email: 'a@example.com',
  uri: 'https://example.com/a',
  url: 'https://example.com/a',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  ipv4: '192.0.2.1',
  hostname: 'example.com',
};

const GUESSES = [
  'a',
  'abc',
  '1',
  '12',
  '2026-01-02',
  'A1',
  'a-b',
  '123e4567-e89b-42d3-a456-426614174000',
  '+15550001111',
];

/** Sample values that a validator accepts for the schema. */
export function validSamples(schema: object, extents: readonly Extent[] = ['least', 0, 1, 2]): unknown[] {
  const validator = new Validator(schema, dialectOf(schema), false);
  const texts = extents.map((extent) => JSON.stringify(sample(schema, schema as Schema, extent, 0)));
  return [...new Set(texts)]
    .filter((text) => text !== undefined)
    .map((text) => JSON.parse(text) as unknown)
    .filter((value) => validator.validate(value).valid);
}

export function dialectOf(schema: object): '7' | '2020-12' {
  return /draft-0[3-7]/.test(String((schema as Schema).$schema)) ? '7' : '2020-12';
}

function sample(schema: unknown, root: Schema, extent: Extent, depth: number): unknown {
  if (typeof schema !== 'object' || schema === null) return 'anything';
  const s = schema as Schema;
  if (typeof s.$ref === 'string') return depth > 12 ? undefined : sample(follow(root, s.$ref), root, extent, depth + 1);
  if (Array.isArray(s.enum)) return pick(s.enum, extent);
  if ('const' in s) return s.const;
  const choice = (s.anyOf ?? s.oneOf) as unknown[] | undefined;
  if (choice?.length) return merged(s, pick(choice, extent), root, extent, depth);
  if (Array.isArray(s.allOf) && s.allOf.length > 0) {
    return s.allOf.reduce(
      (value: unknown, part) => together(value, sample(part, root, extent, depth + 1)),
      own(s, root, extent, depth),
    );
  }
  return own(s, root, extent, depth);
}

function merged(s: Schema, choice: unknown, root: Schema, extent: Extent, depth: number): unknown {
  const { anyOf: _any, oneOf: _one, ...rest } = s;
  const chosen = sample(choice, root, extent, depth + 1);
  if (!('type' in rest || 'properties' in rest)) return chosen;
  const required = [rest.required, (choice as Schema | null)?.required].filter(Array.isArray).flat();
  return together(sample({ ...rest, required }, root, extent, depth), chosen);
}

function together(a: unknown, b: unknown): unknown {
  return isObject(a) && isObject(b) ? { ...a, ...b } : isObject(a) ? a : b;
}

function own(s: Schema, root: Schema, extent: Extent, depth: number): unknown {
  const type = Array.isArray(s.type)
    ? pick(s.type, extent)
    : (s.type ?? (s.properties ? 'object' : s.items ? 'array' : undefined));
  switch (type) {
    case 'string':
      return text(s);
    case 'number':
    case 'integer':
      return number(s);
    case 'boolean':
      return extent !== 0;
    case 'null':
      return null;
    case 'array':
      return list(s, root, extent, depth);
    case 'object':
      return object(s, root, extent, depth);
    default:
      return 'anything';
  }
}

function object(s: Schema, root: Schema, extent: Extent, depth: number): unknown {
  const required = Array.isArray(s.required) ? (s.required as string[]) : [];
  const all = extent !== 'least' && depth < 8 ? Object.keys((s.properties as Schema) ?? {}) : [];
  const value: Schema = {};
  for (const key of new Set([...required, ...all])) {
    const member = sample((s.properties as Schema)?.[key] ?? true, root, extent, depth + 1);
    if (member !== undefined) value[key] = member;
  }
  const { additionalProperties: others } = s;
  if (extent !== 'least' && others !== undefined && others !== false && depth < 8) {
    value['further key'] = sample(others, root, extent, depth + 1);
  }
  return value;
}

function list(s: Schema, root: Schema, extent: Extent, depth: number): unknown {
  const fixed = (s.prefixItems ?? (Array.isArray(s.items) ? s.items : [])) as unknown[];
  const least = Number(s.minItems ?? 0);
  const wanted =
    extent === 'least' || depth > 8 ? least : Math.min(Math.max(least, fixed.length, 1), Number(s.maxItems ?? 99));
  const others = s.prefixItems ? s.items : Array.isArray(s.items) ? s.additionalItems : s.items;
  return Array.from({ length: wanted }, (_, index) => sample(fixed[index] ?? others, root, extent, depth + 1));
}

function text(s: Schema): string {
  const pattern = typeof s.pattern === 'string' ? new RegExp(s.pattern, 'u') : undefined;
  const guess =
    STRINGS[String(s.format)] ?? (pattern && GUESSES.find((candidate) => pattern.test(candidate))) ?? 'text';
  return guess.padEnd(Number(s.minLength ?? 0), 'x').slice(0, Number(s.maxLength ?? 1000));
}

function number(s: Schema): number {
  const least = Number(s.minimum ?? (s.exclusiveMinimum !== undefined ? Number(s.exclusiveMinimum) + 1 : 1));
  const most = Number(s.maximum ?? (s.exclusiveMaximum !== undefined ? Number(s.exclusiveMaximum) - 1 : least));
  const step = Number(s.multipleOf ?? 0);
  return step > 0 ? Math.ceil(least / step) * step : Math.min(least, most);
}

function pick(from: readonly unknown[], extent: Extent): unknown {
  return from[(extent === 'least' ? 0 : extent) % from.length];
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function follow(root: Schema, pointer: string): unknown {
  if (pointer === '#') return root;
  return pointer
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (here, key) => (here as Schema | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      root,
    );
}
