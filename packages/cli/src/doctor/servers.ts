import {
  InputResolver,
  type LoadedConfig,
  maskServer,
  resolveServer,
  type ServerConfig,
  TrustGuard,
} from '@a2c/config';
import { HUB_LIMITS, MCPServerManager, type ServerStatus } from '@a2c/hub';
import { policyFrom } from '../config-options.js';
import { printError } from '../output.js';
import { a2c } from '../own-command.js';
import { shellWords } from '../shell-words.js';
import type { DoctorOptions } from './doctor.js';
import type { Finding } from './findings.js';

/** After this long a person wants to know what is waited for. */
const PATIENCE_MS = 2_000;

/** Each server is started, listed and timed, side by side, and told as soon as it is known. */
export async function* checkServers(loaded: LoadedConfig, options: DoctorOptions): AsyncGenerator<Finding> {
  const { root, files } = loaded.source;
  const { timeout = HUB_LIMITS.startTimeoutMs / 1_000 } = options;
  const guard = new TrustGuard(await policyFrom(options, loaded));
  const inputs = new InputResolver(loaded.inputs);
  await using hub = new MCPServerManager({
    guard,
    root,
    autoReconnect: false,
    client: loaded.client,
    limits: { startTimeoutMs: timeout * 1_000 },
    prepare: (server) => resolveServer(server, { trusted: guard.policy.trusted, root, inputs }),
  });
  const began = performance.now();
  const settling = loaded.servers.map((server) => ({ server, settled: settled(hub, server) }));
  const all = hub.initialize(loaded.servers);
  const waiting = new Map(
    settling.map(({ server, settled }) => [server.name, Promise.race([settled, all]).then(() => server)]),
  );
  const timer = setTimeout(() => {
    printError(`waiting for ${[...waiting.keys()].join(', ')} …, ${timeout} s at most (--timeout)`);
  }, PATIENCE_MS);
  while (waiting.size > 0) {
    const server = await Promise.race(waiting.values());
    waiting.delete(server.name);
    const status = hub.status().find(({ name }) => name === server.name) as ServerStatus;
    yield judge(status, server, files[0].file, performance.now() - began);
  }
  clearTimeout(timer);
  await all;
}

/** Resolves when the server runs or has failed. */
function settled(hub: MCPServerManager, server: ServerConfig): Promise<void> {
  return new Promise((resolve) => {
    hub.on('state', ({ server: name, state }) => {
      if (name === server.name && state !== 'initialized') resolve();
    });
  });
}

function judge(status: ServerStatus, server: ServerConfig, file: string, ms: number): Finding {
  const { name, disabled, state, tools, protocolVersion, cause, transport } = status;
  const what = `server "${name}"`;
  if (disabled) return { ok: true, what, detail: 'disabled' };
  if (state === 'connected') {
    const detail = `${transport}, MCP ${protocolVersion}, ${tools} tools, ${Math.round(ms)} ms`;
    return { ok: true, what, detail };
  }
  // Which server it is has been said.
  const why = (cause ?? `it is ${state}`)
    .replace(`${what} could not be started: `, '')
    .replaceAll(`${name}: `, '')
    .replaceAll(`${what} `, '');
  return { ok: false, what, detail: withoutRemedy(why), remedy: remedyFor(why, server, file) };
}

/** What the remedy says need not be said twice. */
function withoutRemedy(why: string): string {
  return why.replaceAll(/; allowed by [^)\n]*\)/g, ')').replace(/(was not found or cannot be executed):[^\n]*/, '$1');
}

/** What would allow just this; whoever trusts the file allows everything. */
function allowances(why: string): string {
  const flags = [...why.matchAll(/; allowed by (--(?!trust)[^)\n]*)\)/g)].map(([, flag]) => flag);
  return flags.length === 0 ? '' : `; for no more than this: ${[...new Set(flags)].join(' ')}`;
}

/** The first that fits. */
const REMEDIES: readonly (readonly [RegExp, (server: ServerConfig, file: string, why: string) => string])[] = [
  [/nothing allows it/, () => 'correct its URL'],
  [
    /rule \w/,
    (_, file, why) =>
      `if you trust the file: --trust for this once, or ${a2c('config', 'trust', file)}${allowances(why)}`,
  ],
  [
    /was not found or cannot be executed/,
    () => 'install the program, give its full path as "command", or make it executable',
  ],
  [/HTTP 404/, () => 'check the path of its URL'],
  [/refuses our credentials/, () => 'check its headers, its token, or the variable they come from'],
  [/is not set|input "/, () => 'set the variable, or give the input a value'],
  [/took longer than/, (server) => `${byHand(server)}; a first \`npx\` run downloads: give it longer with --timeout`],
  [/the connection is refused|cannot reach/, () => 'start the server, or correct its address'],
];

function remedyFor(why: string, server: ServerConfig, file: string): string {
  const [, known = byHand] = REMEDIES.find(([pattern]) => pattern.test(why)) ?? [];
  return known(server, file, why);
}

function byHand(server: ServerConfig): string {
  const { transport } = maskServer(server);
  if (transport.type !== 'stdio') return 'see its own log';
  return `run it by hand: ${shellWords(transport.argv)}\n       it should wait for input, and print nothing but JSON-RPC on its stdout`;
}
