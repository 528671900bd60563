import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { SkillLibrary } from '@a2c/computer';
import { verifies } from '@a2c/requirements';
import { expect, onTestFinished } from 'vitest';
import { folder, until } from './harness.js';

const MIB = 2 ** 20;

function file(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write('0', 156);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

/** An archive with a file of zeros. */
function archive(name: string, zeros: number): Buffer {
  const entry = file('SKILL.md', Buffer.from(`---\nname: ${name}\ndescription: x\n---\n`));
  return gzipSync(Buffer.concat([entry, file('zeros', Buffer.alloc(zeros)), Buffer.alloc(1_024)]), { level: 1 });
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
    a: archive('a', 200 * MIB),
    b: archive('b', 100 * MIB),
    c: archive('c', MIB),
  });
  await skills.start();
  expect(names(skills)).toEqual(['mcp:s:a']);
  expect(warnings.join('\n')).toMatch(
    /skill:\/\/b is left out: it has more than 268435456 bytes, with the skills before/,
  );
});

verifies('COST-SKILL-03', 'an archive is not unpacked again, and lists that change are read with pauses', async () => {
  const archives = { a: archive('a', MIB), b: archive('b', MIB) };
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
  archives.b = archive('c', 1);
  await until(() => names(skills).includes('mcp:s:c'));
  expect(inode()).toEqual(['a', 'c']);
});

verifies('COST-SKILL-03', 'without skills there is no folder, and after the end nothing is written', async () => {
  const none = library({});
  await none.skills.start();
  expect([none.counts().created, existsSync(join(none.home, 'copies'))]).toEqual([0, false]);
  const { home, skills } = library({ a: archive('a', 200 * MIB) });
  const starting = skills.start();
  await until(() => existsSync(join(home, 'copies', 's')));
  await skills.close();
  await starting;
  expect(readdirSync(join(home, 'copies', 's'))).toEqual([]);
});
