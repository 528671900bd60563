// Draws docs/pictures/shell.svg: a real session of `a2c computer run` at a pseudo-terminal (python3), recorded and rendered.
//   npm run build && node scripts/picture-shell.js
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const COLUMNS = 96;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const PTY = `
import fcntl, os, pty, select, struct, sys, termios
pid, master = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack('HHHH', 60, int(sys.argv[1]), 0, 0))
while True:
    ready, _, _ = select.select([0, master], [], [])
    if 0 in ready: os.write(master, os.read(0, 65536))
    if master in ready:
        try: os.write(1, os.read(master, 65536))
        except OSError: break
`;

/** A picture has little room: most tools of the server are left out. */
const HIDDEN = [
  'get-annotated-message get-env get-resource-links get-resource-reference get-structured-content get-roots-list',
  'gzip-file-as-resource simulate-research-query toggle-simulated-logging toggle-subscriber-updates',
  'trigger-elicitation-request trigger-sampling-request trigger-elicitation-request-async trigger-sampling-request-async',
].flatMap((names) => names.split(' '));

const place = mkdtempSync(join(tmpdir(), 'a2c-picture-'));
const write = (name, value) => writeFileSync(join(place, name), JSON.stringify(value));
write('servers.json', [
  {
    name: 'everything',
    type: 'stdio',
    server_parameters: {
      command: 'npx',
      args: ['@modelcontextprotocol/server-everything'],
      cwd: ROOT,
      env: { API_TOKEN: '${input:API_TOKEN}' },
    },
    forbidden_tools: HIDDEN,
    tool_meta: { echo: { alias: 'say', auto_apply: true } },
  },
]);
write('inputs.json', [
  { id: 'API_TOKEN', type: 'promptString', description: 'API token for the server', default: null, password: true },
]);

const SESSION = [
  ['API token for the server ', 'tok-1234\r'],
  ['a2c> ', 'status\r'],
  ['a2c> ', 'tools\r'],
  ['a2c> ', 'render {"Authorization":"Bearer ${input:API_TOKEN}"}\r'],
  ['a2c> ', 'tc {"tool_name":"get-sum","params":{"a":2,"b":3}}\r'],
  ['always for this tool: ', 'yes\r'],
  ['a2c> ', ''],
];

const command = ['a2c-computer', 'run', '--config', '@./servers.json', '--inputs', '@./inputs.json'];
const child = spawn(
  'python3',
  ['-c', PTY, String(COLUMNS), process.execPath, join(ROOT, 'packages/cli/bin/a2c-computer.js'), ...command.slice(1)],
  { cwd: place, env: { ...process.env, A2C_HOME: place, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', NO_COLOR: '' } },
);
let shown = '';
child.stdout.on('data', (chunk) => {
  shown += chunk;
});
let seen = 0;
for (const [text, keys] of SESSION) {
  const find = () => stripVTControlCharacters(shown).indexOf(text, seen);
  while (find() < 0) await new Promise((resolve) => setTimeout(resolve, 50));
  seen = find() + text.length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  child.stdin.write(keys);
}
child.kill();
rmSync(place, { recursive: true });

// ── A terminal just clever enough for this ──

/** Rows of cells `{ text, style }`. */
function render(output) {
  const rows = [[]];
  let row = 0;
  let column = 0;
  let style = '';
  const tokens = output.matchAll(new RegExp(String.raw`${'\u001b'}\[([\d;?]*)([A-Za-z])|[\s\S]`, 'gu'));
  for (const [token, parameters = '', verb] of tokens) {
    const count = Number.parseInt(parameters, 10) || 0;
    if (verb === 'm') style = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' }[count] ?? '';
    else if (verb === 'G') column = count - 1;
    else if (verb === 'A') row -= count;
    else if (verb === 'C') column += count;
    else if (verb === 'D') column -= count;
    else if (verb === 'K' || verb === 'J') rows[row].length = Math.min(rows[row].length, column);
    else if (verb !== undefined) continue;
    else if (token === '\r') column = 0;
    else if (token === '\n') {
      row += 1;
      rows[row] ??= [];
    } else {
      for (let i = rows[row].length; i < column; i += 1) rows[row][i] = { text: ' ', style: '' };
      rows[row][column] = { text: token, style };
      column += 1;
    }
  }
  return rows;
}

const COLOURS = {
  bold: '#ffffff',
  dim: '#8a8f98',
  red: '#ff7b72',
  green: '#7ee787',
  yellow: '#e3b341',
  cyan: '#79c0ff',
};
const LINE = 18;
const CELL = 8.43;
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const rows = [[...`$ ${command.join(' ')}`].map((text) => ({ text, style: 'dim' })), ...render(shown)];
while (rows.at(-1).length === 0) rows.pop();
const lines = rows.map((cells, y) => {
  const spans = [];
  for (const [x, { text, style }] of cells.entries()) {
    const last = spans.at(-1);
    if (last && last.style === style) last.text += text;
    else spans.push({ x, text, style });
  }
  return spans
    .filter(({ text }) => text.trim() !== '')
    .map(({ x, text, style }) => {
      const weight = style === 'bold' ? ' font-weight="bold"' : '';
      const place = `x="${(16 + x * CELL).toFixed(1)}" y="${56 + y * LINE}"`;
      return `<text ${place} fill="${COLOURS[style] ?? '#d6dae0'}"${weight}>${escaped(text)}</text>`;
    })
    .join('\n');
});
const width = Math.ceil(COLUMNS * CELL + 32);
const height = 56 + rows.length * LINE + 8;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>A session of the a2c shell</title>
<rect width="100%" height="100%" rx="10" fill="#15181e"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
${lines.filter((line) => line !== '').join('\n')}
</g>
</svg>
`;
writeFileSync(join(ROOT, 'docs/pictures/shell.svg'), svg);
console.log(`docs/pictures/shell.svg: ${rows.length} lines`);
