import type { IncomingMessage } from 'node:http';
import type { OperatorAuditRecord } from '@a2c/console';
import { createLogger, type Logger } from '@a2c/log';
import type { OperatorPart, VersionPolicy } from '@a2c/protocol';
import {
  AuditFile,
  type Authenticator,
  allowAnonymous,
  apiKey,
  authFile,
  firstOf,
  isLoopback,
  jwt,
  keyFileLog,
  type Listening,
  type ListenOptions,
  listen,
  type OfficePolicy,
  type ServerLimits,
  type SMCPServer,
} from '@a2c/server';
import { announceConsole, type HostConsole, onBothLoopbacks, openConsole } from '../console/host-console.js';
import { UsageError } from '../exit-codes.js';
import { print } from '../output.js';
import { stopSignal } from '../process-signals.js';

export interface ServerCommandOptions {
  readonly host: string;
  readonly port: number;
  readonly apiKey?: string;
  readonly apiKeyHeader: string;
  readonly authFile?: string;
  readonly jwtJwks?: string;
  readonly jwtAudience: string;
  readonly jwtIssuer?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly clientCa?: string;
  readonly insecure?: true;
  readonly allowHost?: readonly string[];
  readonly origin?: readonly string[];
  readonly trustedProxy?: readonly string[];
  readonly redis?: string;
  readonly sharded?: true;
  readonly versionPolicy?: VersionPolicy;
  readonly manyAgents?: readonly string[];
  readonly oneComputer?: readonly string[];
  readonly manyComputers?: readonly string[];
  readonly metrics?: true;
  readonly console?: true;
  readonly audit?: string;
  readonly limit?: Partial<ServerLimits>;
  readonly drainSeconds: number;
  readonly json?: true;
}

/** Serves until a signal, then drains. */
export async function serve(options: ServerCommandOptions): Promise<void> {
  let web: HostConsole | undefined;
  const { url, server, close } = await start(options, (request, response) => web?.handle(request, response) ?? false);
  const stopped = stopSignal();
  if (server.operator) web = await openServerConsole(server, server.operator, options);
  const console = web?.link(url);
  if (console !== undefined && !options.json) announceConsole(console, createLogger('a2c-server'));
  print(options.json ? JSON.stringify({ event: 'ready', url, console }) : `ready ${url}`);
  await stopped;
  await server.drain(options.drainSeconds * 1_000);
  await web?.close();
  await close();
}

/** On loopback everyone with the link is an operator, elsewhere every identity with the operator right. */
function openServerConsole(
  server: SMCPServer,
  operator: OperatorPart,
  options: ServerCommandOptions,
): Promise<HostConsole> {
  const authenticate = isAnonymous(options)
    ? undefined
    : (request: IncomingMessage) => server.authenticateOperator(request);
  const logger = createLogger('a2c-server');
  const audit = server.audit && ((record: OperatorAuditRecord) => server.audit?.append(record));
  return openConsole({
    parts: [operator],
    withLink: isLoopback(options.host),
    authenticate,
    hosts: options.allowHost,
    ...(audit && { audit }),
    logger,
  });
}

/** Every error before the server is ready is an error of the command line. */
async function start(
  options: ServerCommandOptions,
  onRequest: NonNullable<ListenOptions['onRequest']>,
): Promise<Listening> {
  if (options.console && isAnonymous(options) && !isLoopback(options.host)) {
    throw new UsageError('--console on other addresses than loopback needs --api-key, --auth-file or --jwt-jwks');
  }
  try {
    const server = await listen({ ...(await listenOptions(options)), onRequest });
    return options.console && isLoopback(options.host) ? await onBothLoopbacks(server, onRequest) : server;
  } catch (error) {
    throw new UsageError(messageOf(error as NodeJS.ErrnoException, options), { cause: error });
  }
}

const FILE_OPTIONS = {
  authFile: '--auth-file',
  jwtJwks: '--jwt-jwks',
  tlsCert: '--tls-cert',
  tlsKey: '--tls-key',
  clientCa: '--client-ca',
} as const satisfies Partial<Record<keyof ServerCommandOptions, string>>;

/** Names the option whose file cannot be read. */
function messageOf({ message, code, path }: NodeJS.ErrnoException, options: ServerCommandOptions): string {
  const [, flag] =
    Object.entries(FILE_OPTIONS).find(([key]) => path !== undefined && options[key as never] === path) ?? [];
  return flag === undefined ? message : `${flag}: cannot read "${path}" (${code}); check the path and the permissions`;
}

async function listenOptions(options: ServerCommandOptions): Promise<ListenOptions> {
  const { host, port, redis, sharded, versionPolicy, audit, origin } = options;
  const logger = createLogger('a2c-server');
  const onError = (error: Error) => logger.error({ err: error, path: audit }, 'cannot write the audit log');
  return {
    host,
    port,
    logger,
    authenticate: await authenticatorOf(options, logger),
    publicMetrics: options.metrics ?? false,
    allowInsecure: options.insecure ?? false,
    operatorInterface: options.console ?? false,
    limits: options.limit ?? {},
    ...tlsOf(options),
    ...(options.allowHost && { hosts: options.allowHost }),
    ...(origin && { origins: origin }),
    ...(options.trustedProxy && { trustedProxies: options.trustedProxy }),
    ...(redis !== undefined && { cluster: { redis } }),
    ...(sharded && { sharded }),
    ...(versionPolicy && { versionPolicy }),
    officePolicy: (office) => ({
      agents: names(options.manyAgents, office) ? 'many' : 'one',
      computers: computersIn(office, options),
    }),
    ...(audit !== undefined && { audit: new AuditFile({ path: audit, onError }) }),
  };
}

/** Undefined if no option names the office: then its first member decides, by its version. */
function computersIn(office: string, { oneComputer, manyComputers }: ServerCommandOptions): OfficePolicy['computers'] {
  if (names(oneComputer, office)) return 'one';
  return names(manyComputers, office) ? 'many' : undefined;
}

/** Whether a repeatable option names the office. */
function names(offices: readonly string[] = [], office: string): boolean {
  return offices.includes(office) || offices.includes('*');
}

async function authenticatorOf(options: ServerCommandOptions, logger: Logger): Promise<Authenticator> {
  const {
    apiKey: key,
    apiKeyHeader: header,
    authFile: path,
    jwtJwks,
    jwtAudience: audience,
    jwtIssuer: issuer,
  } = options;
  const known: Authenticator[] = [];
  if (key !== undefined) known.push(apiKey(key, header));
  if (path !== undefined) {
    known.push(await authFile({ path, header, ...keyFileLog(path, logger) }));
  }
  if (jwtJwks !== undefined) known.push(jwt({ jwks: jwtJwks, audience, issuer }));
  return known.length === 0 ? allowAnonymous : firstOf(known);
}

function isAnonymous({ apiKey, authFile, jwtJwks }: ServerCommandOptions): boolean {
  return apiKey === undefined && authFile === undefined && jwtJwks === undefined;
}

function tlsOf({ tlsCert: cert, tlsKey: key, clientCa }: ServerCommandOptions): Pick<ListenOptions, 'tls'> {
  if (cert === undefined && key === undefined && clientCa === undefined) return {};
  if (cert === undefined || key === undefined) throw new Error('TLS needs both --tls-cert and --tls-key');
  return { tls: { cert, key, ...(clientCa !== undefined && { clientCa }) } };
}
