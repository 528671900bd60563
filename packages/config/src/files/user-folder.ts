import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for the user's settings. `A2C_HOME` moves all user folders, for tests and for a second identity.
 *
 * @param env The environment to read; the environment of the process by default.
 */
export function userConfigFolder(env: NodeJS.ProcessEnv = process.env): string {
  return userFolder('config', env);
}

/** The folder for data that can be deleted at any time and is rebuilt. */
export function userCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return userFolder('cache', env);
}

/** The folder for data that a2c records about its own use, such as the history of the shell. */
export function userStateFolder(env: NodeJS.ProcessEnv = process.env): string {
  return userFolder('state', env);
}

/**
 * The folder with the user's skills. It is where other implementations of the protocol look, too.
 *
 * @param env The environment to read; the environment of the process by default.
 */
export function skillFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.A2C_SKILL_HOME) return env.A2C_SKILL_HOME;
  if (env.A2C_HOME) return join(env.A2C_HOME, 'skills');
  return env.XDG_DATA_HOME ? join(env.XDG_DATA_HOME, 'a2c', 'skills') : join(homedir(), '.a2c', 'skills');
}

function userFolder(kind: 'config' | 'cache' | 'state', env: NodeJS.ProcessEnv): string {
  if (env.A2C_HOME) return join(env.A2C_HOME, kind);
  const home = homedir();
  if (process.platform === 'win32') {
    if (kind === 'config') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'a2c');
    return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'a2c', kind);
  }
  if (process.platform === 'darwin') {
    const support = join(home, 'Library', 'Application Support', 'a2c');
    return { config: support, cache: join(home, 'Library', 'Caches', 'a2c'), state: join(support, 'state') }[kind];
  }
  const folders = {
    config: env.XDG_CONFIG_HOME || join(home, '.config'),
    cache: env.XDG_CACHE_HOME || join(home, '.cache'),
    state: env.XDG_STATE_HOME || join(home, '.local', 'state'),
  };
  return join(folders[kind], 'a2c');
}
