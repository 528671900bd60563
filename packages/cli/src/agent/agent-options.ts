import { randomBytes } from 'node:crypto';
import { Agent, type AgentOptions } from '@a2c/agent';
import { type Command, Option } from 'commander';
import { addJsonOption } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { seconds } from '../numbers.js';
import { addOfficeOptions, nameOf, type OfficeOptions, readOfficeOptions, serverUrl } from '../office-options.js';
import { a2c } from '../own-command.js';
import { withRemedy } from '../unreachable.js';

/** What every command that joins an office as an Agent accepts. */
export interface ConnectionOptions extends OfficeOptions {
  readonly url: string;
  readonly office: string;
  readonly name: string;
  readonly timeout?: number;
}

export interface AgentCommandOptions extends ConnectionOptions {
  readonly json?: true;
}

export function addAgentOptions(command: Command, addJson = addJsonOption): Command {
  return addJson(
    addConnectionOptions(command, {
      kind: 'cli',
      officeIsMandatory: true,
      patience: 'an answer may take (default: 60 for calls, else 30)',
    }),
  );
}

interface Joining {
  /** How names begin that nobody chose. */
  readonly kind: string;
  readonly officeIsMandatory: boolean;
  /** What `--timeout` is about. */
  readonly patience: string;
}

export function addConnectionOptions(command: Command, { kind, officeIsMandatory, patience }: Joining): Command {
  const freshName = `${kind}-${randomBytes(4).toString('hex')}`;
  command
    .addOption(
      new Option('--url <url>', 'the signalling server')
        .env('A2C_URL')
        .argParser(serverUrl)
        .default('http://127.0.0.1:7000'),
    )
    .addOption(new Option('--office <id>', 'the office to join').env('A2C_OFFICE'))
    .addOption(
      new Option('--name <name>', 'the name to join under').argParser(nameOf('--name')).default(freshName, 'a new one'),
    );
  // Not commander's mandatory option: it would be missed before a misspelt one is noticed.
  if (officeIsMandatory) command.hook('preAction', () => requireOffice(command.opts().office));
  return addOfficeOptions(command).option('--timeout <seconds>', `how long ${patience}`, seconds);
}

function requireOffice(office: string | undefined): void {
  if (!office)
    throw new UsageError(`--office is missing: the office to join (or A2C_OFFICE; "${a2c('up')}" opens "demo")`);
}

/** Joins, does what is to be done, and leaves. */
export async function withAgent<T>(options: AgentCommandOptions, act: (agent: Agent) => Promise<T>): Promise<T> {
  await using agent = await Agent.connect(agentOptions(options)).catch((error: unknown) => {
    throw withRemedy(error);
  });
  return await act(agent);
}

export function agentOptions(options: ConnectionOptions): AgentOptions {
  const { url, office, name, timeout } = options;
  const limits = timeout === undefined ? {} : { queryMs: timeout * 1_000 };
  return { url, office, name, ...readOfficeOptions(options), limits };
}
