import { execFileSync } from 'node:child_process';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { Workplace } from './a2c.js';

describe('completion', () => {
  verifies('NEW-CLI-04', 'bash completes commands, options and their choices', async () => {
    const place = new Workplace();
    const { code, stdout: script } = await place.a2c('completion', 'bash');
    expect(code).toBe(0);
    place.write('a2c.bash', script);
    const complete = (...words: string[]) => {
      const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _a2c; echo "\${COMPREPLY[*]}"`;
      const args = ['--norc', '-uc', program, 'bash', place.path('a2c.bash'), 'a2c', ...words];
      return execFileSync('bash', args, { encoding: 'utf8' }).trim();
    };
    expect(complete('con')).toBe('config');
    expect(complete('').split(' ')).toEqual(expect.arrayContaining(['config', 'mcp', 'server', 'completion']));
    expect(complete('config', 'im')).toBe('import');
    expect(complete('config', 'check', '--allow-l')).toBe('--allow-localhost');
    expect(complete('config', 'convert', 'x.json', '--to', '')).toBe('a2c v1 mcpServers vscode');
    expect(complete('config', 'import', '--from', 'c')).toBe('claude-desktop claude-code cursor codex');
    expect(complete('config', 'import', '--json', '--wr')).toBe('--write');
    expect(complete('config', 'schema', 'a2c-i')).toBe('a2c-inputs');
    // Without candidates bash offers files.
    expect(complete('config', 'check', '')).toBe('');
    expect(complete('config', 'export', '--config', '')).toBe('');
    expect(complete('completion', '')).toBe('bash zsh fish');
  });

  verifies('NEW-CLI-04', 'there is a script for every supported shell; others are rejected', async () => {
    const place = new Workplace();
    for (const shell of ['zsh', 'fish']) {
      const { code, stdout } = await place.a2c('completion', shell);
      expect(code).toBe(0);
      for (const word of [
        'a2c config import',
        'find the MCP servers your other clients',
        'allow-localhost',
        'lenient',
      ]) {
        expect(stdout).toContain(word);
      }
    }
    const { code, stderr } = await place.a2c('completion', 'tcsh');
    expect(code).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});
