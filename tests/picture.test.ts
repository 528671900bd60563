import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { desk, startUp } from './desk.js';
import { read } from './source-tree.js';
import { drawTerminal, type Shown } from './terminal-picture.js';

const run = promisify(execFile);

const COMMANDS = [
  'npx a2c agent tools --office demo',
  "npx a2c agent call pc add_note text='buy milk' --office demo",
  'npx a2c agent desktop pc --size 1 --office demo',
];

/** `npm run picture` writes it anew. The port is the only thing that differs from run to run. */
verifies('HOUSE-DOCS-05', 'the picture of the first minute shows what the program prints today', async () => {
  const place = desk();
  const { url, told } = await startUp(place);
  const [greeting = ''] = told().replaceAll(url, 'http://127.0.0.1:7000').split('\n\n');
  const shown: Shown[] = [
    { kind: 'typed', text: '$ npm start -- --name pc' },
    { kind: 'printed', text: greeting },
    { kind: 'aside', text: '… what to paste next, for a shell and for MCP clients\n\nIn another terminal:\n' },
  ];
  for (const command of COMMANDS) {
    const env = { ...place.env, A2C_URL: url };
    const { stdout } = await run('sh', ['-ec', command], { cwd: place.folder, env });
    shown.push({ kind: 'typed', text: `$ ${command}` }, { kind: 'printed', text: stdout });
  }
  await expect(drawTerminal('The first minute with a2c', shown)).toMatchFileSnapshot(
    '../docs/pictures/first-minute.svg',
  );
});

verifies('HOUSE-DOCS-05', 'both READMEs show it', () => {
  for (const name of ['README.md', 'README.zh.md']) expect(read(name)).toContain('](docs/pictures/first-minute.svg)');
});
