export type ComposeValue = string | readonly ComposeValue[] | ComposeMap;
export interface ComposeMap {
  readonly [key: string]: ComposeValue;
}

/**
 * The part of YAML that `compose.yaml` is written in: maps by indentation of two, texts, and lists and quotes as JSON has them. Whatever
 * goes beyond it is an error, so that nothing is judged by a guess.
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
    if (key === '' || key in map) throw new Error(`not a key, or one that is there already: ${rest[0]}`);
    rest = rest.slice(1);
    if (value !== '') map[key] = readScalar(value);
    else ({ map: map[key], rest } = readMap(rest, depth + 2) as { map: ComposeMap; rest: readonly string[] });
  }
  return { map, rest };
}

function readScalar(value: string): ComposeValue {
  if (value === '{}') return {};
  if (/^["[]/.test(value)) return JSON.parse(value) as ComposeValue;
  if (/^['&*!|>{%@]|\s#|: /.test(value)) throw new Error(`beyond what is read here: ${value}`);
  return value;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
