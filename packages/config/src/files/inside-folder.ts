import { lstatSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';

/** Whether an absolute path is below a folder, by the texts alone: links are not resolved. */
export function isInsideFolder(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/** The first symbolic link on the way from a folder to a path below it; undefined if there is none. */
export function linkOnTheWay(folder: string, path: string): string | undefined {
  const names = relative(folder, path).split(sep);
  return names
    .map((_, index) => join(folder, ...names.slice(0, index + 1)))
    .find((each) => lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink());
}
