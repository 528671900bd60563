import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, type AgentOptions, type Dialect } from '@a2c/agent';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addJsonOption } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { parsePairs } from '../pairs.js';

/** What every `a2c agent` command accepts. */
export interface AgentCommandOptions {
  readonly url: string;
  readonly office: string;
  readonly name: string;
  readonly apiKey?: string;
  readonly auth?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecure?: true;
  readonly dialect?: Dialect;
  readonly timeout?: number;
  readonly json?: true;
}

export function addAgentOptions(command: Command): Command {
  command
    .addOption(new Option('--url <url>', 'the signalling server').env('A2C_URL').default('http://127.0.0.1:7000'))
    .addOption(new Option('--office <id>', 'the office to join').env('A2C_OFFICE').makeOptionMandatory())
    .addOption(
      new Option('--name <name>', 'the name to join under').default(
        `cli-${randomBytes(4).toString('hex')}`,
        'a new one',
      ),
    )
    .addOption(new Option('--api-key <key>', 'the key to be let in with').env('A2C_API_KEY'))
    .option('--auth <k:v,…>', 'more for the handshake’s auth object; also as JSON', parsePairs)
    .option('--headers <k:v,…>', 'more HTTP headers; also as JSON', parsePairs)
    .option('--tls-ca <path>', 'the authority that signed the server’s certificate')
    .option('--tls-cert <path>', 'a client certificate')
    .option('--tls-key <path>', 'and its key')
    .option('--insecure', 'connect to another host without TLS')
    .addOption(new Option('--dialect <dialect>', 'the event names to speak').choices(['spec', 'sdk']))
    .option('--timeout <seconds>', 'how long an answer may take', seconds);
  return addJsonOption(command);
}

function seconds(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number > 0) return number;
  throw new InvalidArgumentError('expected a number of seconds, above 0');
}

/** Joins, does what is to be done, and leaves. */
export async function withAgent<T>(options: AgentCommandOptions, act: (agent: Agent) => Promise<T>): Promise<T> {
  await using agent = await Agent.connect(agentOptions(options));
  return await act(agent);
}

function agentOptions(options: AgentCommandOptions): AgentOptions {
  const { url, office, name, apiKey, auth, headers, insecure, dialect, timeout, tlsCa, tlsCert, tlsKey } = options;
  const tls = {
    ...(tlsCa !== undefined && { ca: readText(tlsCa) }),
    ...(tlsCert !== undefined && { cert: readText(tlsCert) }),
    ...(tlsKey !== undefined && { key: readText(tlsKey) }),
  };
  return {
    ...{ url, office, name, apiKey, auth, headers, dialect, tls },
    allowInsecure: insecure ?? false,
    limits: timeout === undefined ? {} : { querySeconds: timeout },
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read "${path}": ${(error as Error).message}`);
  }
}
