import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** True when `a2c` is on the user's PATH. Folders that npm and npx add to the PATH of their children do not count. */
export function isInstalled(path = process.env.PATH ?? ''): boolean {
  const name = process.platform === 'win32' ? 'a2c.cmd' : 'a2c';
  return path
    .split(delimiter)
    .some((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder) && existsSync(join(folder, name)));
}

/** How the user starts a2c. */
export function commandName(path?: string): string {
  return isInstalled(path) ? 'a2c' : 'npx a2c';
}
