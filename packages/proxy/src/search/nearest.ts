const MAX_SUGGESTIONS = 3;

/** No name is longer; comparing a page of text with every name would cost more than it tells. */
const MAX_LENGTH = 128;

/** The names that were probably meant: equal but for case and punctuation, one inside the other, or a few letters apart. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  const target = plain(wanted);
  const scored = names.map((name) => ({ name, distance: difference(target, plain(name)) }));
  return scored
    .filter(({ name, distance }) => distance <= tolerance(target, plain(name)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .slice(0, MAX_LENGTH);

function tolerance(a: string, b: string): number {
  return Math.max(1, Math.floor(Math.max(a.length, b.length) / 3));
}

function difference(a: string, b: string): number {
  if (a.length >= 3 && b.length >= 3 && (a.includes(b) || b.includes(a))) return 1;
  return editDistance(a, b);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, change));
    }
    previous = row;
  }
  return previous[b.length] as number;
}
