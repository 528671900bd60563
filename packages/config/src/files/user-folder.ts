import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of this user's own settings; `A2C_HOME` moves everything a2c keeps, for tests and for second identities. */
export function userConfigFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.A2C_HOME) return join(env.A2C_HOME, 'config');
  if (process.platform === 'win32') return join(env.APPDATA || join(homedir(), 'AppData', 'Roaming'), 'a2c');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'a2c');
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'a2c');
}

/** What may be lost at any time: it is only kept to be faster. */
export function userCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.A2C_HOME) return join(env.A2C_HOME, 'cache');
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'a2c', 'cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'a2c');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'a2c');
}

/** The folder of what a2c itself notes down about this user, such as the lines typed into its shell. */
export function userStateFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.A2C_HOME) return join(env.A2C_HOME, 'state');
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'a2c', 'state');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'a2c', 'state');
  return join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'a2c');
}
