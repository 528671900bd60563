import {
  ConfigError,
  formatProblem,
  InputResolver,
  type LoadedConfig,
  loadConfig,
  resolveServer,
  TrustGuard,
} from '@a2c/config';
import { MCPServerManager, type ServerStatus } from '@a2c/hub';
import { loadFrom, policyFrom } from '../config-options.js';
import type { DoctorOptions } from './doctor.js';

export interface Finding {
  readonly ok: boolean;
  readonly what: string;
  readonly detail: string;
  /** What to do about it. */
  readonly remedy?: string;
}

const NODE_FLOOR = [20, 19] as const;
const SERVER_ANSWER_MS = 5_000;

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
  const file = source.files[0].file;
  yield { ok: true, what: 'configuration', detail: `${file}, ${servers.length} servers` };
  for (const warning of warnings) {
    yield { ok: true, what: 'configuration', detail: formatProblem(warning) };
  }
  yield* checkServers(loaded, options);
}

async function load(options: DoctorOptions): Promise<LoadedConfig | Finding> {
  const what = 'configuration';
  try {
    if (options.config === undefined && !(await loadConfig(options.root === undefined ? {} : { root: options.root }))) {
      const remedy = 'name a file with --config, or see `a2c config import`';
      return { ok: true, what, detail: 'there is no .mcp.json or mcp.json here', remedy };
    }
    return await loadFrom(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      ok: false,
      what,
      detail: error.message,
      remedy: 'correct the file; `a2c config check` tells every mistake',
    };
  }
}

/** Each server is started, listed and timed, side by side. */
async function* checkServers(loaded: LoadedConfig, options: DoctorOptions): AsyncGenerator<Finding> {
  const { root } = loaded.source;
  const guard = new TrustGuard(await policyFrom(options, loaded));
  const inputs = new InputResolver(loaded.inputs);
  await using hub = new MCPServerManager({
    guard,
    root,
    autoReconnect: false,
    client: loaded.client,
    prepare: (server) => resolveServer(server, { trusted: guard.policy.trusted, root, inputs }),
  });
  const began = performance.now();
  const took = new Map<string, number>();
  hub.on('state', ({ server }) => took.set(server, performance.now() - began));
  await hub.initialize(loaded.servers);
  for (const status of hub.status()) yield judge(status, took.get(status.name) ?? 0);
}

function judge(status: ServerStatus, ms: number): Finding {
  const { name, disabled, state, tools, protocolVersion, cause, transport } = status;
  const what = `server "${name}"`;
  if (disabled) return { ok: true, what, detail: 'disabled' };
  if (state === 'connected') {
    const detail = `${transport}, MCP ${protocolVersion}, ${tools} tools, ${Math.round(ms)} ms`;
    return { ok: true, what, detail };
  }
  return { ok: false, what, detail: cause ?? `it is ${state}`, remedy: remedyFor(cause ?? '', transport) };
}

/** The first that fits. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/rule \w/, 'if you trust the file: --trust for this once, or `a2c config trust FILE`'],
  [/was not found or cannot be executed/, 'install the program, or give its full path as "command"'],
  [/refuses our credentials/, 'check its headers, its token, or the variable they come from'],
  [/is not set|input "/, 'set the variable, or give the input a value'],
  [/took longer than/, 'run its command by hand and see what it waits for; a first `npx` run downloads'],
  [/the connection is refused|cannot reach/, 'start the server, or correct its address'],
];

function remedyFor(cause: string, transport: ServerStatus['transport']): string {
  const known = REMEDIES.find(([pattern]) => pattern.test(cause));
  if (known) return known[1];
  return transport === 'stdio' ? 'run its command by hand in a terminal: it should wait for input' : 'see its own log';
}

async function checkSignalling(url: string): Promise<Finding> {
  const what = `signalling server ${url}`;
  const began = performance.now();
  try {
    const { status } = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(SERVER_ANSWER_MS) });
    const detail = `ready, ${Math.round(performance.now() - began)} ms`;
    if (status === 200) return { ok: true, what, detail };
    return { ok: false, what, detail: `answers with HTTP ${status}`, remedy: 'see its log; it may be draining' };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    const detail = cause?.code ?? message;
    return { ok: false, what, detail, remedy: 'start it (`a2c server`, `a2c up`), or correct --url' };
  }
}
