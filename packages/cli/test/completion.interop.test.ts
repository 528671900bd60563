import { execFileSync } from 'node:child_process';
import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { Workplace } from './a2c.js';

verifies('NEW-CLI-04', 'fish completes with descriptions', async () => {
  const place = new Workplace();
  place.write('a2c.fish', (await place.a2c('completion', 'fish')).stdout);
  const complete = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', place.path('a2c.fish'), line], {
      encoding: 'utf8',
      cwd: place.folder,
    })
      .trim()
      .split('\n');
  expect(complete('a2c con')).toEqual(['config\tcheck, convert, trust, import and export configuration files']);
  expect(complete('a2c config im')).toEqual([expect.stringMatching(/^import\tfind the MCP servers/)]);
  expect(complete('a2c config check --allow-l')).toEqual([expect.stringMatching(/^--allow-localhost\t/)]);
  expect(complete('a2c config convert --to v').map((line) => line.split('\t')[0])).toEqual(['v1', 'vscode']);
  expect(complete('a2c completion ').map((line) => line.split('\t')[0])).toEqual(['bash', 'fish', 'zsh']);
});

verifies('NEW-CLI-04', 'zsh completes with descriptions', async () => {
  const place = new Workplace();
  place.write('a2c.zsh', (await place.a2c('completion', 'zsh')).stdout);
  // Stubs of zsh's completion functions print their candidates.
  const program = `compdef() { }; source $1; shift
    _describe() { print -l -- "\${(@P)@[-1]}" }
    compadd() { if [[ $1 == -a ]]; then print -l -- "\${(@P)2}"; else print -l -- "$@"; fi }
    _files() { print files }
    words=("$@") CURRENT=$# PREFIX="$@[-1]"; _a2c`;
  const complete = (...words: string[]) =>
    execFileSync('zsh', ['-f', '-c', program, 'zsh', place.path('a2c.zsh'), 'a2c', ...words], { encoding: 'utf8' })
      .trim()
      .split('\n');
  expect(complete('')).toContain('config:check, convert, trust, import and export configuration files');
  expect(complete('config', 'check', '--')).toContain(
    '--allow-localhost:an untrusted configuration may reach local hosts',
  );
  expect(complete('config', 'convert', '--to', '')).toEqual(['a2c', 'v1', 'mcpServers', 'vscode']);
  expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  expect(complete('config', 'check', '')).toEqual(['files']);
});
