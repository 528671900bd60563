import { ConfigError, formatProblem, type LoadedConfig, loadConfig } from '@a2c/config';
import { loadFrom } from '../config-options.js';
import { a2c } from '../own-command.js';
import type { DoctorOptions } from './doctor.js';
import { checkServers } from './servers.js';
import { checkSignalling } from './signalling.js';

export interface Finding {
  readonly ok: boolean;
  readonly what: string;
  readonly detail: string;
  /** What to do about it. */
  readonly remedy?: string;
  /** The command line or the configuration is wrong, rather than the world. */
  readonly isOurFault?: true;
}

const NODE_FLOOR = [20, 19] as const;

/** One after the other, as they are found. */
export async function* findings(options: DoctorOptions): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node);
  yield* checkConfiguration(options);
  if (options.url !== undefined) yield await checkSignalling(options.url);
}

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [floorMajor, floorMinor] = NODE_FLOOR;
  const ok = major > floorMajor || (major === floorMajor && minor >= floorMinor);
  return {
    ok,
    what: 'Node',
    detail: version,
    ...(!ok && { remedy: `install Node ${NODE_FLOOR.join('.')} or newer` }),
  };
}

async function* checkConfiguration(options: DoctorOptions): AsyncGenerator<Finding> {
  const loaded = await load(options);
  if ('ok' in loaded) {
    yield loaded;
    return;
  }
  const { source, servers, warnings } = loaded;
  const count = servers.length === 1 ? '1 server' : `${servers.length} servers`;
  const hint = servers.length === 0 ? `; ${a2c('config')} import finds those of your other clients` : '';
  yield { ok: true, what: 'configuration', detail: `${source.files[0].file}, ${count}${hint}` };
  for (const warning of warnings) {
    yield { ok: true, what: 'configuration', detail: formatProblem(warning) };
  }
  yield* checkServers(loaded, options);
}

async function load(options: DoctorOptions): Promise<LoadedConfig | Finding> {
  const what = 'configuration';
  try {
    if (options.config === undefined && !(await loadConfig(options.root === undefined ? {} : { root: options.root }))) {
      return { ok: true, what, detail: 'there is no .mcp.json or mcp.json here; --config names another file' };
    }
    return await loadFrom(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const file = error.problems[0]?.file ?? '';
    const isMissing = error.problems[0]?.message === 'does not exist';
    const remedy = isMissing
      ? `name a file that is there, or write one: ${a2c('config import --write', file)}`
      : `correct the file, and check it with: ${a2c('config', 'check', file)}`;
    return { ok: false, what, detail: error.message, remedy, isOurFault: true };
  }
}
