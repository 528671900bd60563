import { spawnSync } from 'node:child_process';
import { verifies } from '@a2c/requirements';
import type { Command } from 'commander';
import { describe, expect } from 'vitest';
import { wholeProgram } from '../src/run.js';
import { BINARY, Workplace, workshop } from './a2c.js';

function* everyCommand(command: Command, path = 'a2c'): Generator<{ path: string; command: Command }> {
  yield { path, command };
  for (const inner of command.commands) yield* everyCommand(inner, `${path} ${inner.name()}`);
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

/** The words of the example command lines in a help text, without redirections and comments. */
function examplesIn(help: string): string[][] {
  const lines = help.slice(help.search(/^Examples?:$/m)).matchAll(/^ {2}\$ (.+)$/gm);
  return [...lines].map(([, line = '']) =>
    line
      .replace(/^source <\((.*?)\)/, '$1')
      .replace(/^mkdir .* && /, '')
      .replace(/\s+[>#].*$/, '')
      .replaceAll(/"[^"]*"/g, 'QUOTED')
      .split(' '),
  );
}

describe('help', () => {
  verifies('NEW-CLI-01', 'every command has a description and an example', async () => {
    for (const { path, command } of everyCommand(await wholeProgram())) {
      expect(command.description(), path).not.toBe('');
      const examples = examplesIn(helpOf(command)).map((words) => words.join(' '));
      expect(examples.length, `${path} --help has an example`).toBeGreaterThan(0);
      for (const example of examples) expect(`${example} `, path).toContain(`${path} `);
    }
  });

  verifies('NEW-CLI-01', 'several examples have the heading Examples', async () => {
    const { commands } = await wholeProgram();
    for (const command of commands.filter((one) => ['doctor', 'proxy'].includes(one.name()))) {
      expect(helpOf(command)).toMatch(/^Examples:$/m);
    }
  });

  verifies('NEW-CLI-01', 'every example uses existing commands and options', async () => {
    const program = await wholeProgram();
    for (const { command } of everyCommand(program)) {
      for (const words of examplesIn(helpOf(command))) {
        let at = program;
        for (const word of words.slice(1)) at = at.commands.find((inner) => inner.name() === word) ?? at;
        const flags = at.options.flatMap(({ short, long }) => [short, long]);
        const used = words.filter((word) => word.startsWith('-')).map((word) => word.split('=')[0]);
        for (const flag of used) expect(flags, words.join(' ')).toContain(flag);
        // `a2c server` has subcommands and an action of its own.
        if (at.name() !== 'server') expect(at.commands, `${words.join(' ')} is a whole command`).toEqual([]);
      }
    }
  });

  verifies('NEW-CLI-01', 'the examples can be pasted, also where a2c is not installed', async () => {
    const place = new Workplace();
    const { stdout } = await place.a2c('login', '--help');
    expect(stdout).toContain('Examples:\n  $ npx a2c login notes\n');
    expect(stdout).toMatch(/^Usage: npx a2c login /);
    place.write('bin/a2c', '');
    const installed = await place.a2cWith({ PATH: place.path('bin') }, 'login', '--help');
    expect(installed.stdout).toContain('Examples:\n  $ a2c login notes\n');
  });

  verifies('NEW-CLI-06', 'commands in messages begin with npx where a2c is not installed', async () => {
    const tool = { name: 'saw', description: 'Saws wood.', inputSchema: { type: 'object' } };
    const place = new Workplace({ 'bin/a2c': '' });
    const installed = { PATH: place.path('bin') };
    const remedy = 'config import --write mcp.json"';
    expect((await place.a2c('mcp', 'servers')).stderr).toContain(`write one with "npx a2c ${remedy}`);
    expect((await place.a2cWith(installed, 'mcp', 'servers')).stderr).toContain(`write one with "a2c ${remedy}`);
    for (const description of ['Saws wood.', 'Saws anything.']) {
      place.write('servers.json', [workshop('w', {}, { WORKSHOP_TOOLS: JSON.stringify([{ ...tool, description }]) })]);
      expect(await place.computer(['tools'], ['--config', 'servers.json'])).toMatchObject({ code: 0 });
    }
    const { replies } = await place.replies(['tools'], ['--config', 'servers.json']);
    expect(JSON.stringify(replies)).toContain('to review: npx a2c tools review w');
  });

  verifies('NEW-CLI-01', 'a2c help COMMAND SUBCOMMAND prints the help of the subcommand', async () => {
    const place = new Workplace();
    expect(await place.a2c('help', 'config', 'import')).toEqual(await place.a2c('config', 'import', '--help'));
  });

  verifies('NEW-CLI-02', 'a misspelt word gets a suggestion and a reference to the help', async () => {
    const place = new Workplace();
    const cases = [
      [['confg'], 'error: unknown command \'confg\'\n(Did you mean config?)\nRun "npx a2c --help" for its usage.\n'],
      [
        ['help', 'confg'],
        'error: unknown command \'confg\'\n(Did you mean config?)\nRun "npx a2c --help" for its usage.\n',
      ],
      [
        ['config', 'chek'],
        'error: unknown command \'chek\'\n(Did you mean check?)\nRun "npx a2c config --help" for its usage.\n',
      ],
      [
        ['config', 'check', '--jsn'],
        'error: unknown option \'--jsn\'\n(Did you mean --json?)\nRun "npx a2c config check --help" for its usage.\n',
      ],
    ] as const;
    for (const [words, said] of cases) {
      expect(await place.a2c(...words)).toEqual({ code: 2, stdout: '', stderr: said });
    }
    const { stderr: wrongChoice } = await place.a2c('config', 'import', '--from', 'curser');
    expect(wrongChoice).toContain('did you mean "cursor"?');
    const { stderr } = await place.a2c('config', 'show');
    expect(stderr).toContain('"npx a2c config import --write mcp.json"');
  });
});

describe('version', () => {
  verifies('NEW-CLI-03', 'alone, and with the versions for a bug report', async () => {
    const place = new Workplace();
    for (const flag of ['--version', '-V']) {
      expect(await place.a2c(flag)).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
    }
    expect(await place.json('--version')).toEqual({
      a2c: '0.1.0',
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      protocol: { name: 'a2c-smcp', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
      mcp: expect.arrayContaining(['2026-07-28', '2025-11-25']),
    });
    expect((await place.a2c('--version', 'config')).code).toBe(2);
  });

  verifies('NEW-CLI-05', 'neither --version nor --help loads an a2c package', async () => {
    const place = new Workplace();
    place.write(
      'loaded.cjs',
      `const fs = require('node:fs');
      const { readFileSync } = fs;
      const files = [];
      fs.readFileSync = (file, ...options) => {
        if (/[\\/\\\\]bundle[\\/\\\\].*\\.js$/.test(file)) files.push(require('node:path').basename(String(file)));
        return readFileSync(file, ...options);
      };
      process.on('exit', () => console.error(JSON.stringify(files)));`,
    );
    /** The chunks of the bundle that are loaded, without their hashes. */
    const chunksOf = (...args: string[]) => {
      const hook = ['--require', place.path('loaded.cjs')];
      const { status, stderr } = spawnSync(process.execPath, [...hook, BINARY, ...args], { encoding: 'utf8' });
      expect(status).toBe(0);
      return (JSON.parse(stderr) as string[]).map((file) => file.replace(/(-[\w-]{8})?\.js$/, ''));
    };
    expect(chunksOf('--version')).toEqual([]);
    // The start of the command line has no code of other packages: its plugin for the bundle lists its modules.
    expect(chunksOf('--help').toSorted()).toEqual(['main', 'rolldown-runtime', 'start']);
    expect(chunksOf('config', 'schema')).toContain('config-options');
  });
});
