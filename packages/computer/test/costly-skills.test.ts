import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { SkillLibrary } from '@a2c/computer';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { folder, until } from './harness.js';

const MIB = 2 ** 20;

/** The beginning of an entry of an archive. */
function header(name: string, bytes: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write(bytes.toString(8).padStart(11, '0'), 124);
  block.write('0', 156);
  return block;
}

const ZEROS = gzipSync(Buffer.alloc(MIB));

/** An archive with a file of zeros. A gzip file may consist of several: to compress all zeros would take seconds. */
function archive(name: string, mebibytes: number): Buffer {
  const skill = `---\nname: ${name}\ndescription: x\n---\n`;
  const start = [
    header('SKILL.md', skill.length),
    Buffer.from(skill.padEnd(512, '\0')),
    header('zeros', mebibytes * MIB),
  ];
  const zeros = Array.from({ length: mebibytes }, () => ZEROS);
  return Buffer.concat([gzipSync(Buffer.concat(start)), ...zeros, gzipSync(Buffer.alloc(1_024))]);
}

/** A library with one MCP server, whose skills are archives. */
function library(archives: Record<string, Buffer>) {
  const home = folder();
  const listeners: (() => void)[] = [];
  const fetched: string[] = [];
  const warnings: string[] = [];
  let created = 0;
  let lists = 0;
  const manager = {
    on: (event: string, listener: (value: object) => void) => {
      if (event === 'resources') listeners.push(() => listener({ server: 's' }));
      return () => {};
    },
    status: () => [{ name: 's' }],
    statusOf: () => ({ state: 'connected', capabilities: { resources: {} } }),
    bundleIdOf: () => 's',
    listResources: async () => {
      lists++;
      return Object.keys(archives).map((name) => ({
        uri: `skill://${name}`,
        _meta: { source: 'archive', archive_uri: name, archive_format: 'tar.gz' },
      }));
    },
    fetch: async (_server: string, name: string) => {
      fetched.push(name);
      return archives[name];
    },
  };
  const skills = new SkillLibrary({
    home,
    manager: manager as never,
    copyFolder: async () => {
      created++;
      return join(home, 'copies');
    },
    debounceMs: 1,
    startMs: 100_000,
    maxFileBytes: MIB,
    onChange: () => {},
    warn: (_server, message) => void warnings.push(message),
  });
  onTestFinished(() => skills.close());
  const counts = () => ({ created, lists });
  return { home, skills, fetched, warnings, counts, changed: () => listeners.forEach((listener) => void listener()) };
}

const names = (skills: SkillLibrary) => skills.list().map(({ name }) => name);

verifies('COST-SKILL-03', 'the skills of a server have one limit together', async () => {
  const { skills, warnings } = library({
    a: archive('a', 200),
    b: archive('b', 100),
    c: archive('c', 1),
  });
  await skills.start();
  expect(names(skills)).toEqual(['mcp:s:a']);
  expect(warnings.join('\n')).toMatch(
    /skill:\/\/b is left out: it has more than 268435456 bytes, with the skills before/,
  );
});

verifies('COST-SKILL-03', 'an archive is not unpacked again, and lists that change are read with pauses', async () => {
  const archives = { a: archive('a', 1), b: archive('b', 1) };
  const { home, skills, fetched, changed, counts } = library(archives);
  await skills.start();
  const inode = () => readdirSync(join(home, 'copies', 's'));
  expect(inode()).toEqual(['a', 'b']);
  const staged: string[] = [];
  const end = performance.now() + 2_000;
  while (performance.now() < end) {
    changed();
    staged.push(...inode().filter((name) => name.startsWith('.staging')));
    await setTimeout(2);
  }
  expect(staged).toEqual([]);
  expect(counts().lists).toBeLessThan(60);
  expect(fetched.length).toBe(2 * counts().lists);
  archives.b = archive('c', 0);
  await until(() => names(skills).includes('mcp:s:c'));
  expect(inode()).toEqual(['a', 'c']);
});

verifies('COST-SKILL-03', 'without skills there is no folder, and after the end nothing is written', async () => {
  const none = library({});
  await none.skills.start();
  expect([none.counts().created, existsSync(join(none.home, 'copies'))]).toEqual([0, false]);
  const { home, skills } = library({ a: archive('a', 200) });
  const starting = skills.start();
  await until(() => existsSync(join(home, 'copies', 's')));
  await skills.close();
  await starting;
  expect(readdirSync(join(home, 'copies', 's'))).toEqual([]);
});
