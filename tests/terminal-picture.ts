/** A part of a terminal session: a typed command, program output, or a remark. */
export interface Shown {
  readonly kind: 'typed' | 'printed' | 'aside';
  readonly text: string;
}

const COLUMNS = 92;
const CELL = 8.43;
const LINE = 19;
const TOP = 58;
const COLOURS = { typed: '#7ee787', printed: '#d6dae0', aside: '#8a8f98' };

/** Deterministic: the same lines give the same SVG. */
export function drawTerminal(title: string, shown: readonly Shown[]): string {
  const lines = shown.flatMap(({ kind, text }) =>
    text.split('\n').map((line) => ({ kind, line: withoutTabs(line).trimEnd() })),
  );
  const tooLong = lines.find(({ line }) => line.length > COLUMNS);
  if (tooLong) throw new Error(`wider than the picture: ${tooLong.line}`);
  const texts = lines.flatMap(({ kind, line }, row) =>
    line === '' ? [] : [`<text x="16" y="${TOP + row * LINE}" fill="${COLOURS[kind]}">${escaped(line)}</text>`],
  );
  const [width, height] = [Math.ceil(COLUMNS * CELL + 32), TOP + lines.length * LINE];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="10" fill="#15181e"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
${texts.join('\n')}
</g>
</svg>
`;
}

function withoutTabs(line: string): string {
  return line.split('\t').reduce((before, after) => before.padEnd(Math.ceil((before.length + 1) / 8) * 8) + after);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
