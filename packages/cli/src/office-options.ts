import { type Dialect, WIRE_LIMITS } from '@a2c/protocol';
import { type Command, Option } from 'commander';
import { UsageError } from './exit-codes.js';
import { parseAuth, parseHeaders } from './key-values.js';
import { readNamedFile } from './named-file.js';

/** What every command that goes to an office accepts, Agent or Computer. */
export interface OfficeOptions {
  readonly apiKey?: string;
  /** Read by us, not by commander, which repeats a wrong value in its message. */
  readonly auth?: string;
  readonly headers?: string;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecure?: true;
  readonly dialect?: Dialect;
}

/** Checked here, where the remedy can be named; what else may be wrong with it, whoever connects says. */
export function serverUrl(text: string): string {
  if (/^[a-z][a-z+.-]*:\/\//i.test(text)) return text;
  const isHere = /^(?:localhost|127\.|\[::1\])/i.test(text);
  // Not commander's error, which would repeat all of it: credentials may be in it.
  if (text === '' || text.includes('@')) throw new UsageError('--url is not a URL; expected https://host[:port]');
  throw new UsageError(`"${text}" is not a URL; did you mean ${isHere ? 'http' : 'https'}://${text}?`);
}

/** What the wire would refuse as the name of an office or of whoever sits in it is refused before anything listens. */
export function nameOf(option: string): (text: string) => string {
  return (text) => {
    const problem = problemOfName(text);
    if (problem !== undefined) throw new UsageError(`${option} must not ${problem}`);
    return text;
  };
}

function problemOfName(text: string): string | undefined {
  if (text === '') return 'be empty';
  if (text.length > WIRE_LIMITS.identifierLength) return `be longer than ${WIRE_LIMITS.identifierLength} characters`;
  return /\p{Cc}/u.test(text) ? 'contain control characters' : undefined;
}

export function addOfficeOptions(command: Command): Command {
  return command
    .addOption(new Option('--api-key <key>', 'the key to be let in with').env('A2C_API_KEY'))
    .option('--auth <k:v,…>', 'more for the handshake’s auth object; also as a JSON object')
    .option('--headers <k:v,…>', 'more HTTP headers; also as a JSON object')
    .option('--tls-ca <path>', 'the authority that signed the server’s certificate')
    .option('--tls-cert <path>', 'our certificate, where the server demands one')
    .option('--tls-key <path>', 'and its key')
    .option('--insecure', 'connect to other hosts without TLS')
    .addOption(
      new Option('--dialect <dialect>', 'event names of the document, or of the shipped SDKs (default: spec)').choices([
        'spec',
        'sdk',
      ]),
    );
}

/** How to be let in, in the words that the Agent's and the Computer's options share. */
export interface OfficeAccess {
  readonly auth: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly allowInsecure: boolean;
  readonly dialect?: Dialect;
}

export function readOfficeOptions(options: OfficeOptions): OfficeAccess {
  const { apiKey, auth = '', headers = '', tlsCa, tlsCert, tlsKey, insecure = false, dialect } = options;
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UsageError('a client certificate needs both --tls-cert and --tls-key');
  return {
    // Servers look for a key in one place or the other.
    auth: { ...(apiKey && { api_key: apiKey }), ...keyValuesOf('--auth', auth, parseAuth) },
    headers: { ...(apiKey && { 'x-api-key': apiKey }), ...keyValuesOf('--headers', headers, parseHeaders) },
    tls: {
      ...(tlsCa !== undefined && { ca: readNamedFile(tlsCa) }),
      ...(tlsCert !== undefined && { cert: readNamedFile(tlsCert) }),
      ...(tlsKey !== undefined && { key: readNamedFile(tlsKey) }),
    },
    allowInsecure: insecure,
    ...(dialect && { dialect }),
  };
}

function keyValuesOf<T>(option: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}
