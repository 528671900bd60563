import { randomBytes } from 'node:crypto';
import type { Agent, AgentOptions } from '@a2c/agent';
import { type Command, Option } from 'commander';
import { UsageError } from '../exit-codes.js';
import { withSeatRemedy } from '../explain-error.js';
import { addOfficeOptions, nameParser, type OfficeOptions, readOfficeOptions, serverUrl } from '../office-options.js';
import { addJsonOption, addTimeoutOption } from '../options.js';
import { a2c } from '../pasteable-command.js';

/** The options of every command that joins an office as an Agent. */
export interface ConnectionOptions extends OfficeOptions {
  readonly url: string;
  readonly office: string;
  readonly name: string;
  /** Seconds. */
  readonly timeout?: number;
}

export interface AgentCommandOptions extends ConnectionOptions {
  readonly json?: true;
}

export function addAgentOptions(command: Command, addJson = addJsonOption): Command {
  return addJson(
    addConnectionOptions(command, {
      namePrefix: 'cli',
      officeIsMandatory: true,
      timeout: 'time limit of the request (default: 60 for calls, else 30)',
    }),
  );
}

interface ConnectionSettings {
  /** The prefix of generated names. */
  readonly namePrefix: string;
  readonly officeIsMandatory: boolean;
  /** The description of `--timeout`. */
  readonly timeout: string;
}

export function addConnectionOptions(command: Command, settings: ConnectionSettings): Command {
  const generatedName = `${settings.namePrefix}-${randomBytes(4).toString('hex')}`;
  command
    .addOption(
      new Option('--url <url>', 'the signalling server')
        .env('A2C_URL')
        .argParser(serverUrl)
        .default('http://127.0.0.1:7000'),
    )
    .addOption(new Option('--office <id>', 'the office to join').env('A2C_OFFICE'))
    .addOption(
      new Option('--name <name>', 'the name to join with')
        .argParser(nameParser('--name'))
        .default(generatedName, 'random'),
    );
  // A mandatory option of commander would be reported before a misspelt one.
  if (settings.officeIsMandatory) command.hook('preAction', () => requireOffice(command.opts().office));
  return addTimeoutOption(addOfficeOptions(command), settings.timeout);
}

function requireOffice(office: string | undefined): void {
  if (!office)
    throw new UsageError(`--office is missing: the office to join (or A2C_OFFICE; "${a2c('up')}" opens "demo")`);
}

/** Joins the office, runs the action, and leaves. */
export async function withAgent<T>(options: AgentCommandOptions, act: (agent: Agent) => Promise<T>): Promise<T> {
  // The proxy shares the options of this file, and does not need the Agent.
  const { Agent } = await import('@a2c/agent');
  await using agent = await Agent.connect(agentOptions(options)).catch((error: unknown) => {
    throw withSeatRemedy(error);
  });
  return await act(agent);
}

export function agentOptions(options: ConnectionOptions): AgentOptions {
  const { url, office, name, timeout } = options;
  const limits = timeout === undefined ? {} : { queryMs: timeout * 1_000 };
  return { url, office, name, ...readOfficeOptions(options), limits };
}
