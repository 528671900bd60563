import { deceptiveName, GENERATIONS, type Generation, type SMCPError, WIRE_LIMITS } from '@a2c/protocol';
import { type Command, Option } from 'commander';
import { UsageError } from './exit-codes.js';
import { withRemedy } from './explain-error.js';
import { parseAuth, parseHeaders, readCertificate, readNamedFile } from './options.js';

/** The options of every command that joins an office, as an Agent or as a Computer. */
export interface OfficeOptions {
  readonly apiKey?: string;
  /** Parsed here rather than by commander, whose error message would quote the value. */
  readonly auth?: string;
  readonly headers?: string;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecure?: true;
  readonly dialect?: Generation;
}

/** Checks that a URL has a scheme, and suggests one if not. The client that connects checks the rest. */
export function serverUrl(text: string): string {
  if (/^[a-z][a-z+.-]*:\/\//i.test(text)) return text;
  const isLocal = /^(?:localhost|127\.|\[::1\])/i.test(text);
  // The text may contain credentials, so it is not quoted.
  if (text === '' || text.includes('@')) throw new UsageError('--url is not a URL; expected https://host[:port]');
  throw new UsageError(`"${text}" is not a URL; did you mean ${isLocal ? 'http' : 'https'}://${text}?`);
}

/** Returns a parser that rejects names which the protocol does not accept for offices and members. */
export function nameParser(option: string): (text: string) => string {
  return (text) => {
    const problem = problemOfName(text);
    if (problem !== undefined) throw new UsageError(`${option} must not ${problem}`);
    return text;
  };
}

function problemOfName(text: string): string | undefined {
  if (text === '') return 'be empty';
  if (text.length > WIRE_LIMITS.identifierLength) return `be longer than ${WIRE_LIMITS.identifierLength} characters`;
  return deceptiveName(text);
}

export function addOfficeOptions(command: Command): Command {
  return command
    .addOption(new Option('--api-key <key>', 'API key').env('A2C_API_KEY'))
    .option('--auth <k:v,…>', 'more fields for the handshake’s auth object, or a JSON object')
    .option('--headers <k:v,…>', 'more HTTP headers, or a JSON object')
    .addOption(tlsCaOption())
    .option('--tls-cert <path>', 'client certificate')
    .option('--tls-key <path>', 'key of the client certificate')
    .option('--insecure', 'allow connections to other hosts without TLS')
    .addOption(
      new Option(
        '--dialect <generation>',
        'speak as the protocol document (spec) or as a generation of the SDKs (default: the newest)',
      ).choices(Object.keys(GENERATIONS)),
    );
}

export function tlsCaOption(): Option {
  return new Option('--tls-ca <path>', 'certificate authority of the server’s certificate');
}

/** The time limit for a proxy. */
const CONNECT_MS = 10_000;

/** Credentials and connection settings, with the names that Agent and Computer options share. */
export interface OfficeAccess {
  readonly auth: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly allowInsecure: boolean;
  readonly httpAgent?: (origin: string) => Promise<object | undefined>;
  readonly dialect?: Generation;
  readonly explain: (error: SMCPError) => SMCPError;
}

export function readOfficeOptions(options: OfficeOptions): OfficeAccess {
  const { apiKey, auth = '', headers = '', tlsCa, tlsCert, tlsKey, insecure = false, dialect } = options;
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UsageError('a client certificate needs both --tls-cert and --tls-key');
  return {
    // Some servers read the key from the auth object, others from the header.
    auth: { ...(apiKey && { api_key: apiKey }), ...parseOption('--auth', auth, parseAuth) },
    headers: { ...(apiKey && { 'x-api-key': apiKey }), ...parseOption('--headers', headers, parseHeaders) },
    tls: {
      ...(tlsCa !== undefined && { ca: readCertificate('--tls-ca', tlsCa) }),
      ...(tlsCert !== undefined && { cert: readCertificate('--tls-cert', tlsCert) }),
      ...(tlsKey !== undefined && { key: readNamedFile(tlsKey) }),
    },
    allowInsecure: insecure,
    ...(hasProxy() && { httpAgent: async (origin) => (await import('@a2c/hub')).proxyAgent(origin, CONNECT_MS) }),
    ...(dialect && { dialect }),
    explain: withRemedy,
  };
}

/** The hub is loaded only for a proxy: commands of Agents start faster without it. */
function hasProxy(): boolean {
  return Object.keys(process.env).some((name) => /^(?:https?|all)_proxy$/i.test(name));
}

/** Parses a value and names the option in the error. */
function parseOption<T>(option: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}
