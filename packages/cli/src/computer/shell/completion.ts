import { readdirSync } from 'node:fs';
import type { Computer } from '@a2c/computer';
import { oneLine } from '@a2c/protocol';
import { COMMANDS } from './commands.js';
import { findTool } from './find-tool.js';
import type { ArgumentKind } from './session.js';

/** Returns the candidates, and the part of the line that they replace. */
export function complete(line: string, computer: Computer): [candidates: string[], replaced: string] {
  const typed = line.trimStart();
  const replaced = /\S*$/.exec(typed)?.[0] ?? '';
  const before = typed
    .slice(0, typed.length - replaced.length)
    .trim()
    .toLowerCase();
  const depth = before === '' ? 0 : before.split(/\s+/).length;
  const next = COMMANDS.map(({ path }) => path.split(' '))
    .filter((path) => path.length > depth && path.slice(0, depth).join(' ') === before)
    .map((path) => path[depth] as string);
  const candidates = next.length > 0 ? next : argumentsOf(before, computer);
  const tool = /^tc\s+(\S+)\s/i.exec(typed)?.[1];
  const keys = tool === undefined ? [] : keysOf(computer, tool).filter((key) => !typed.includes(` ${key}`));
  if (replaced.startsWith('@')) return [filesOf(replaced), replaced];
  const words = [...new Set(candidates)].map((each) => `${each} `);
  return [[...words, ...keys].filter((each) => each.startsWith(replaced)), replaced];
}

/** The files of `@path`; a folder ends with a slash. */
function filesOf(typed: string): string[] {
  const path = typed.slice(1);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const entries = readdirSync(folder || '.', { withFileTypes: true, encoding: 'utf8' });
  return entries
    .filter(({ name }) => oneLine(name) === name && !/\s/.test(name))
    .map((entry) => `@${folder}${entry.name}${entry.isDirectory() ? '/' : ' '}`)
    .filter((each) => each.startsWith(typed));
}

/** The arguments of a tool, as `key=`. */
function keysOf(computer: Computer, name: string): string[] {
  const found = findTool(computer, name);
  const keys = Object.keys(
    (found?.tool.inputSchema as { readonly properties?: object } | undefined)?.properties ?? {},
  ).filter((key) => /^[\w.-]+$/.test(key));
  return keys.map((key) => `${key}=`);
}

function argumentsOf(before: string, computer: Computer): string[] {
  const command = COMMANDS.find(({ path }) => path === before);
  const names = command ? VALUES[command.argument](computer, command.path) : [];
  // readline prints candidates without escaping, so names with control characters are left out.
  return names.filter((name) => oneLine(name) === name).map(quoted);
}

const VALUES: Readonly<Record<ArgumentKind, (computer: Computer, path: string) => string[]>> = {
  server: (computer, path) => [
    ...computer.servers().map(({ name }) => name),
    ...(['start', 'stop', 'restart'].includes(path) ? ['all'] : []),
  ],
  tool: (computer) => computer.tools().map(({ displayName }) => displayName),
  input: (computer) => computer.inputs().map(({ id }) => id),
  file: () => [],
  none: () => [],
};

function quoted(word: string): string {
  return /\s/.test(word) ? JSON.stringify(word) : word;
}
