export type ComposeValue = string | readonly ComposeValue[] | ComposeMap;
export interface ComposeMap {
  readonly [key: string]: ComposeValue;
}

/**
 * Parses the subset of YAML that `compose.yaml` uses: maps indented by two spaces, plain scalars, and lists and quoted
 * strings in JSON syntax. Anything else is an error.
 */
export function readCompose(text: string): ComposeMap {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const { map, rest } = readMap(lines, 0);
  if (rest.length > 0) throw new Error(`unexpected: ${rest[0]}`);
  return map;
}

function readMap(lines: readonly string[], depth: number): { map: ComposeMap; rest: readonly string[] } {
  const map: Record<string, ComposeValue> = {};
  let rest = lines;
  while (rest[0] !== undefined && indentOf(rest[0]) === depth) {
    const [, key = '', value = ''] = /^\s*([\w-]+):(?: (.+))?$/.exec(rest[0]) ?? [];
    if (key === '' || key in map) throw new Error(`not a key, or a duplicate key: ${rest[0]}`);
    rest = rest.slice(1);
    if (value !== '') map[key] = readScalar(value);
    else ({ map: map[key], rest } = readMap(rest, depth + 2) as { map: ComposeMap; rest: readonly string[] });
  }
  return { map, rest };
}

function readScalar(value: string): ComposeValue {
  if (value === '{}') return {};
  if (/^["[]/.test(value)) return JSON.parse(value) as ComposeValue;
  if (/^['&*!|>{%@]|\s#|: /.test(value)) throw new Error(`unsupported YAML: ${value}`);
  return value;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
