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

/** Legitimate uses by file: test data, the list itself, and a file whose digest is recorded with the VRL module. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  'packages/cli/test/agent.test.ts': /^nobody$/,
  'packages/cli/test/computer-shell.test.ts': /^nobody$/,
  'packages/proxy/README.md': /^Tells$/,
  'packages/proxy/test/inspect.test.ts': /^Tells$/,
  'packages/vrl/tools/compile.mjs': /^nobody$/,
  'tests/wording.ts': /./,
  'tests/wording.test.ts': /./,
};

const PATTERN = new RegExp(`\\b(?:${Object.keys(DISCOURAGED).join('|')})\\b`, 'gi');

/** `path:line: "phrase": better: …` for each use. */
export function discouraged(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(PATTERN)]
        .filter(([phrase]) => !ALLOWED[path]?.test(phrase))
        .map(([phrase]) => `${path}:${index + 1}: "${phrase}"; better: ${better(phrase)}`),
    );
}

function better(phrase: string): string | undefined {
  return Object.entries(DISCOURAGED).find(([pattern]) => new RegExp(`^(?:${pattern})$`, 'i').test(phrase))?.[1];
}
