/** Longer texts are compared from both ends only: the comparison costs time for each pair of lines. */
const MAX_LINES = 600;

/** The lines that differ, old ones with `-` and new ones with `+`, in their order. Empty if nothing differs. */
export function lineDiff(before: readonly string[], after: readonly string[]): readonly string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  if (old.length > MAX_LINES || now.length > MAX_LINES) return [...old.map(removed), ...now.map(added)];
  return walk(old, now, commonLengths(old, now));
}

const removed = (line: string): string => `- ${line}`;
const added = (line: string): string => `+ ${line}`;

/** For each pair of positions, the length of the longest common subsequence of what follows. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const [row, next] = [lengths[i] as Uint16Array, lengths[i + 1] as Uint16Array];
    for (let j = now.length - 1; j >= 0; j -= 1) {
      row[j] = old[i] === now[j] ? (next[j + 1] as number) + 1 : Math.max(next[j] as number, row[j + 1] as number);
    }
  }
  return lengths;
}

function walk(old: readonly string[], now: readonly string[], lengths: readonly Uint16Array[]): readonly string[] {
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      lines.push(removed(old[i] as string));
      i += 1;
    } else {
      lines.push(added(now[j] as string));
      j += 1;
    }
  }
  return lines;
}
