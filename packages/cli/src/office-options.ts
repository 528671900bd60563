import { readFileSync } from 'node:fs';
import type { Dialect } from '@a2c/protocol';
import { type Command, Option } from 'commander';
import { UsageError } from './exit-codes.js';
import { parseKeyValues } from './key-values.js';

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
      new Option('--dialect <dialect>', 'event names of the document, or of the shipped SDKs').choices(['spec', 'sdk']),
    );
}

/** How to be let in, in the words that the Agent's and the Computer's options share. */
export interface OfficeAccess {
  readonly auth: Readonly<Record<string, string>>;
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
    auth: { ...(apiKey && { api_key: apiKey }), ...keyValuesOf('--auth', auth) },
    headers: { ...(apiKey && { 'x-api-key': apiKey }), ...keyValuesOf('--headers', headers) },
    tls: {
      ...(tlsCa !== undefined && { ca: readText(tlsCa) }),
      ...(tlsCert !== undefined && { cert: readText(tlsCert) }),
      ...(tlsKey !== undefined && { key: readText(tlsKey) }),
    },
    allowInsecure: insecure,
    ...(dialect && { dialect }),
  };
}

function keyValuesOf(option: string, text: string): Record<string, string> {
  try {
    return parseKeyValues(text);
  } catch (error) {
    throw new UsageError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read "${path}": ${(error as Error).message}`, { cause: error });
  }
}
