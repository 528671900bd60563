import { existsSync } from 'node:fs';
import { ConfigError, formatProblem, type LoadedConfig, loadConfig } from '@a2c/config';
import { readFrom } from '../config-options.js';
import { a2c } from '../pasteable-command.js';
import type { DoctorOptions } from './command.js';
import { checkServers } from './mcp-servers.js';
import { checkSignallingServer } from './signalling-server.js';

/** The result of one check. */
export interface Finding {
  readonly ok: boolean;
  /** Nothing failed, but a person should look at it. */
  readonly warning?: true;
  /** What was checked. */
  readonly what: string;
  readonly detail: string;
  /** What the user can do. */
  readonly remedy?: string;
  /** The command line or the configuration is wrong: exit code 2. */
  readonly isUsageError?: true;
}

const MIN_NODE = [20, 19] as const;

/** Runs all checks and yields each finding as soon as it is known. */
export async function* findings(options: DoctorOptions): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node);
  yield* checkConfiguration(options);
  if (options.url !== undefined) yield await checkSignallingServer(options.url, options.tlsCa);
}

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE;
  const ok = major > minMajor || (major === minMajor && minor >= minMinor);
  return {
    ok,
    what: 'Node',
    detail: version,
    ...(!ok && { remedy: `install Node ${MIN_NODE.join('.')} or newer` }),
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
    yield { ok: true, warning: true, what: 'configuration', detail: formatProblem(warning) };
  }
  yield* checkServers(loaded, options);
}

async function load(options: DoctorOptions): Promise<LoadedConfig | Finding> {
  const what = 'configuration';
  try {
    if (options.config === undefined && !(await loadConfig(options.root === undefined ? {} : { root: options.root }))) {
      return { ok: true, what, detail: 'there is no .mcp.json or mcp.json here; --config names another file' };
    }
    return await readFrom(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const file = error.problems[0]?.file ?? '';
    const remedy = existsSync(file)
      ? `correct the file, and check it with: ${a2c('config', 'check', file)}`
      : `correct the path, or write a file: ${a2c('config import --write', file)}`;
    return { ok: false, what, detail: error.message, remedy, isUsageError: true };
  }
}
