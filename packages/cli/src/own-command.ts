import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { shellWords } from './shell-words.js';

/** A command line of this program that a person can paste; the words after the command are quoted where they need it. */
export function a2c(command: string, ...words: readonly string[]): string {
  return [isInstalled() ? 'a2c' : 'npx a2c', command, ...(words.length > 0 ? [shellWords(words)] : [])].join(' ');
}

/** Whether a shell knows `a2c` in every folder. What npm and npx add to the PATH of their children, a person's shell has not. */
export function isInstalled(path = process.env.PATH ?? ''): boolean {
  const name = process.platform === 'win32' ? 'a2c.cmd' : 'a2c';
  return path
    .split(delimiter)
    .some((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder) && existsSync(join(folder, name)));
}
