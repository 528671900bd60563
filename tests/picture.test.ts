import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { createWorkspace, startUp } from './docs-workspace.js';
import { read } from './source-tree.js';
import { drawTerminal, type Shown } from './terminal-picture.js';

const run = promisify(execFile);

const COMMANDS = [
  'npx a2c agent tools --office demo',
  "npx a2c agent call pc add_note text='buy milk' --office demo",
  'npx a2c agent desktop pc --size 1 --office demo',
];

/** `npm run picture` updates the picture. Only the port differs between runs. */
verifies(
  'HOUSE-DOCS-05',
  'the picture of the first minute shows the current output of the program',
  async () => {
    const workspace = createWorkspace();
    const { url, stderr } = await startUp(workspace);
    const [greeting = ''] = stderr().replaceAll(url, 'http://127.0.0.1:7000').split('\n\n');
    const shown: Shown[] = [
      { kind: 'typed', text: '$ npm start -- --name pc' },
      { kind: 'printed', text: greeting },
      { kind: 'aside', text: '… what to paste next, for a shell and for MCP clients\n\nIn another terminal:\n' },
    ];
    for (const command of COMMANDS) {
      const env = { ...workspace.env, A2C_URL: url };
      const { stdout } = await run('sh', ['-ec', command], { cwd: workspace.folder, env });
      shown.push({ kind: 'typed', text: `$ ${command}` }, { kind: 'printed', text: stdout });
    }
    await expect(drawTerminal('The first minute with a2c', shown)).toMatchFileSnapshot(
      '../docs/pictures/first-minute.svg',
    );
  },
  { timeout: 120_000 },
);

verifies('HOUSE-DOCS-05', 'both READMEs contain the picture', () => {
  for (const name of ['README.md', 'README.zh.md']) expect(read(name)).toContain('](docs/pictures/first-minute.svg)');
});
