/** ` (did you mean "x"?)` with the name that differs least, or nothing when none is near. */
export function nearest(wanted: string, names: readonly string[]): string {
  if (wanted.length > LONGEST_WORTH_COMPARING) return '';
  let best: string | undefined;
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= least) continue;
    const distance = editDistance(wanted.toLowerCase(), name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best === undefined ? '' : ` (did you mean "${best}"?)`;
}

/** The cost is the product of the lengths, and the wanted name is a stranger's. */
const LONGEST_WORTH_COMPARING = 64;

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
