import {
  type LoadedConfig,
  type LoadOptions,
  loadRequiredConfig,
  nearest,
  policyFor,
  type TrustPolicy,
} from '@a2c/config';
import { checkSyntax } from '@a2c/vrl';
import { type Command, InvalidArgumentError } from 'commander';
import { seconds } from './numbers.js';
import { a2c } from './own-command.js';

/** What every command that reads a configuration accepts. */
export interface ConfigOptions {
  readonly root?: string;
  readonly config?: string;
  readonly trust?: true;
  readonly allowHost?: readonly string[];
  readonly allowLocalhost?: true;
  readonly allowPrivateIp?: true;
  /** Absent when neither `--dns-check` nor `--no-dns-check` was said. */
  readonly dnsCheck?: boolean;
  readonly json?: true;
}

/** For commands that are told their file as an argument. */
export function addRootOption(command: Command): Command {
  return command.option('--root <dir>', 'where configurations are looked for and relative paths start (default: here)');
}

export function addRootOptions(command: Command): Command {
  return addRootOption(command).option(
    '--config <path>',
    'this file instead of .mcp.json or mcp.json, absolute or relative to the root',
  );
}

export function addTrustOptions(command: Command): Command {
  return command
    .option('--trust', 'trust the configuration for this call')
    .option('--allow-host <host>', 'a host an untrusted configuration may reach, and no others; repeatable', collect)
    .option('--allow-localhost', 'let an untrusted configuration name local hosts')
    .option('--allow-private-ip', 'let an untrusted configuration reach private addresses')
    .option('--dns-check', 'look up host names and judge every answer')
    .option('--no-dns-check', 'do not look up host names');
}

export function addTimeoutOption(command: Command, does: string): Command {
  return command.option('--timeout <seconds>', does, seconds);
}

/** For a repeatable option. Not variadic: a list would swallow the file that follows it. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** The same for one of several words. */
export function collectChoice<Choice extends string>(choices: readonly Choice[]) {
  return (value: string, previous: readonly Choice[] = []): readonly Choice[] => {
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw new InvalidArgumentError(suggestion(value, choices));
    return [...previous, choice];
  };
}

/** What to say instead of a word that is none of the choices. */
export function suggestion(word: string, choices: readonly string[]): string {
  const near = nearest(word, choices);
  return `${near === undefined ? '' : `did you mean "${near}"? `}there are ${choices.join(', ')}`;
}

export function addJsonOption(command: Command): Command {
  return command.option('--json', 'print one JSON document');
}

export function loadFrom({ root, config }: ConfigOptions, file?: string): Promise<LoadedConfig> {
  const named = file ?? config;
  const options: LoadOptions = {
    checkVrl,
    ...(root === undefined ? {} : { root }),
    ...(named === undefined ? {} : { config: named }),
  };
  return loadRequiredConfig(options);
}

/** Everything the VRL compiler has against a script, with the places inside it; null for a right one. */
export function checkVrl(source: string): string | null {
  const errors =
    checkSyntax(source)?.messages.filter(({ severity }) => severity === 'error' || severity === 'bug') ?? [];
  if (errors.length === 0) return null;
  return errors.map(({ line, column, message }) => `VRL ${line}:${column}: ${message}`).join('; ');
}

/** A refusal does not know which file it is about; whoever prints it does, and what is printed can be pasted. */
export function namingFile(refusal: string, file: string): string {
  // Some name the flag alone, but whatever it allows a trusted file may do too.
  return refusal.replaceAll(
    /allowed by --trust(?:, or a2c config trust FILE)?\)/g,
    () => `allowed by --trust, or ${a2c('config', 'trust', file)})`,
  );
}

export function policyFrom(options: ConfigOptions, { source }: LoadedConfig): Promise<TrustPolicy> {
  return policyFor(source, {
    trusted: options.trust ?? false,
    allowed_hosts: options.allowHost ?? [],
    allow_localhost: options.allowLocalhost ?? false,
    allow_private_ip: options.allowPrivateIp ?? false,
    ...(options.dnsCheck === undefined ? {} : { dns_check: options.dnsCheck }),
  });
}
