/** Wording that `docs/glossary.md` and the usual terms of MCP and Socket.IO replace. */
const DISCOURAGED: Readonly<Record<string, string>> = {
  nobody: 'no one, or name the role: "no caller", "no client"',
  whoever: 'name the role: the caller, the client, the operator',
  told: 'notified, reported, shown, configured',
  tells: 'notifies, reports, shows, prints',
  'hears?': 'receives, is notified of, subscribes to',
  'heard of': 'received, notified of',
  'let go': 'release, drop, close',
  'of ours': 'our, or name the package',
  'of theirs': 'their, or name the peer',
  'to be had': 'available',
  'says? so': 'reports it, or name what is printed',
  'stands(?! for\\b)': 'is, exists, is listed',
  "its owner's": 'name the owner',
};

/** Files that quote the list, and texts of peers that are reproduced word for word. */
const ALLOWED: readonly RegExp[] = [/^tests\/wording(\.test)?\.ts$/, /^packages\/vrl\/crate\//];

const PATTERN = new RegExp(`\\b(?:${Object.keys(DISCOURAGED).join('|')})\\b`, 'gi');

/** `path:line: "phrase": better: …` for each use. */
export function discouraged(path: string, text: string): string[] {
  if (ALLOWED.some((allowed) => allowed.test(path))) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(PATTERN)].map(([phrase]) => `${path}:${index + 1}: "${phrase}"; better: ${better(phrase)}`),
    );
}

function better(phrase: string): string | undefined {
  return Object.entries(DISCOURAGED).find(([pattern]) => new RegExp(`^(?:${pattern})$`, 'i').test(phrase))?.[1];
}
