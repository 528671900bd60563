import {
  checkPrograms,
  howToFind,
  InputError,
  type LoadedConfig,
  maskServer,
  ResolveError,
  type ServerConfig,
  TrustError,
} from '@a2c/config';
import { HUB_LIMITS, HubError, MCPServerManager, type ServerStatus } from '@a2c/hub';
import { shellWords } from '@a2c/protocol';
import { hubOptionsFrom, trustCommand, trustingNamedFile } from '../config-options.js';
import { printError } from '../output.js';
import { a2c } from '../pasteable-command.js';
import type { DoctorOptions } from './command.js';
import type { Finding } from './findings.js';

/** After this time the servers that have not answered are named on stderr. */
const WAITING_MS = 2_000;

/** How many servers are named in the message about waiting. */
const NAMED = 5;

/** Starts all servers in parallel, lists their tools, and yields a finding for each as soon as it is known. */
export async function* checkServers(loaded: LoadedConfig, options: DoctorOptions): AsyncGenerator<Finding> {
  const { timeout = HUB_LIMITS.startTimeoutMs / 1_000 } = options;
  const warnings: Finding[] = [];
  const warn = (server: string, detail: string) =>
    warnings.push({ ok: true, warning: true, what: `server "${server}"`, detail });
  await using hub = new MCPServerManager({
    ...(await hubOptionsFrom(trustingNamedFile(options), loaded, warn)),
    autoConnect: false,
    autoReconnect: false,
    ...(options.timeout !== undefined && {
      limits: { startTimeoutMs: timeout * 1_000, downloadTimeoutMs: timeout * 1_000 },
    }),
  });
  hub.on('warning', ({ server, message }) => warn(server, message));
  await hub.initialize(loaded.servers);
  const pending = new Map(
    loaded.servers.map((server) => [
      server.name,
      checkServer(hub, server, loaded).then((finding) => ({ name: server.name, finding })),
    ]),
  );
  const timer = setTimeout(() => {
    const names = [...pending.keys()];
    const limits = loaded.servers.filter(({ name }) => pending.has(name)).map((one) => one.start_timeout ?? timeout);
    const more = names.length > NAMED ? [`${names.length - NAMED} more`] : [];
    const listed = [...names.slice(0, NAMED), ...more].join(', ');
    printError(`waiting for ${listed} …, at most ${Math.max(...limits)} s (--timeout)`);
  }, WAITING_MS);
  while (pending.size > 0) {
    const { name, finding } = await Promise.race(pending.values());
    pending.delete(name);
    yield finding;
    yield* warnings.splice(0);
  }
  clearTimeout(timer);
}

async function checkServer(hub: MCPServerManager, server: ServerConfig, loaded: LoadedConfig): Promise<Finding> {
  const what = `server "${server.name}"`;
  if (server.disabled) return { ok: true, what, detail: 'disabled' };
  const started = performance.now();
  try {
    await hub.startClient(server.name);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return { ok: false, what, ...explain(error, server, loaded) };
  }
  const { transport, protocolVersion, tools } = statusOf(hub, server.name);
  const ms = Math.round(performance.now() - started);
  return {
    ok: true,
    what,
    detail: `${transport}, MCP ${protocolVersion}, ${tools} ${tools === 1 ? 'tool' : 'tools'}, ${ms} ms`,
  };
}

function statusOf(hub: MCPServerManager, name: string): ServerStatus {
  return hub.status().find((status) => status.name === name) as ServerStatus;
}

type Explanation = Required<Pick<Finding, 'detail' | 'remedy'>>;

/** The codes of network errors that mean: nothing answers at this address. */
const UNREACHABLE = ['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];

/** Says why a server failed to start and what to do, by the type and code of the errors behind the failure. */
function explain(error: HubError, server: ServerConfig, loaded: LoadedConfig): Explanation {
  const causes = causesOf(error);
  const detail = withoutServerName(error.message, server.name);
  const refused = causes.find((cause) => cause instanceof TrustError);
  if (refused) return explainRefusals(refused, loaded);
  if (isProgramMissing(server, loaded)) {
    const program = server.transport.type === 'stdio' ? server.transport.argv[0] : '';
    return { detail: `the program "${program}" was not found or cannot be executed`, remedy: howToFind(program) };
  }
  if (causes.some((cause) => cause instanceof ResolveError || cause instanceof InputError))
    return { detail, remedy: 'set the variable, or give the input a value' };
  if (error.kind === 'needs-login')
    return { detail: detail.replace(/: run "[^"]*"$/, ''), remedy: `run \`${a2c('login', server.name)}\`` };
  if (error.kind === 'unauthorized')
    return { detail, remedy: 'check its headers, its token, or the variable they come from' };
  if (causes.some((cause) => cause instanceof HubError && cause.kind === 'timeout'))
    return { detail, remedy: `${remedyForTimeout(detail, server)}, or ${runByHand(server)}` };
  if (causes.some((cause) => 'status' in cause && cause.status === 404))
    return { detail, remedy: 'check the path of its URL' };
  if (causes.some((cause) => 'code' in cause && UNREACHABLE.includes(String(cause.code))))
    return { detail, remedy: 'start the server, or correct its address' };
  // The hub names the remedy for TLS.
  const [, problem, remedy = 'check its address and its certificate'] =
    /^(cannot reach \S+: [^;]+)(?:; (.+))?$/.exec(detail) ?? [];
  return problem === undefined ? { detail, remedy: runByHand(server) } : { detail: problem, remedy };
}

/** What a longer time limit would be; for a program that writes other output, that output is the likely cause. */
function remedyForTimeout(detail: string, { start_timeout }: ServerConfig): string {
  if (detail.includes('no JSON-RPC')) return 'make it write its messages to stderr';
  if (start_timeout !== undefined) return 'raise "start_timeout" of the server, which takes precedence over --timeout';
  return 'use a longer --timeout (the first `npx` run downloads the program)';
}

/** The error and the errors that caused it, outermost first. */
function causesOf(error: Error): readonly Error[] {
  return error.cause instanceof Error ? [error, ...causesOf(error.cause)] : [error];
}

/** The finding already names the server. */
function withoutServerName(message: string, name: string): string {
  const reason = message.replace(`server "${name}" could not be started: `, '').replaceAll(`server "${name}" `, '');
  return reason.replaceAll(`${name}: `, (found, at) => (at === 0 || reason[at - 1] === '\n' ? '' : found));
}

function isProgramMissing(server: ServerConfig, loaded: LoadedConfig): boolean {
  return checkPrograms({ ...loaded, servers: [server] }).length > 0;
}

/** Names the trust command and, where less than trust is enough, the options that allow just this. */
function explainRefusals({ refusals }: TrustError, { source }: LoadedConfig): Explanation {
  const detail = refusals.map(({ message, rule }) => `${message} (rule ${rule})`).join('\n');
  if (refusals.some(({ allow_with }) => allow_with === null)) return { detail, remedy: 'correct its URL' };
  const options = refusals.map(({ allow_with }) => allow_with ?? '').filter((option) => !option.startsWith('--trust'));
  const less = options.length === 0 ? '' : `; to allow only this: ${[...new Set(options)].join(' ')}`;
  return {
    detail,
    remedy: `if you trust the file: --trust for one call, or ${trustCommand(source.files[0].file, source.root)}${less}`,
  };
}

function runByHand(server: ServerConfig): string {
  const { transport } = maskServer(server);
  if (transport.type !== 'stdio') return 'read the log of that server';
  return `run it by hand: ${shellWords(transport.argv)}\nit should wait for input, and print only JSON-RPC on its stdout`;
}
