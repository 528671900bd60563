import { isAbsolute, relative, sep } from 'node:path';

/** Whether an absolute path is below a folder, by the texts alone: links are not resolved. */
export function isInsideFolder(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
