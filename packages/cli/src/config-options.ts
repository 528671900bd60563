import { resolve } from 'node:path';
import {
  approvalLists,
  formatProblem,
  InputResolver,
  InputStore,
  type LoadedConfig,
  type LoadOptions,
  loadRequiredConfig,
  type Problem,
  policyFor,
  resolveServer,
  TrustGuard,
  type TrustPolicy,
} from '@a2c/config';
import type { ManagerOptions } from '@a2c/hub';
import { openKeychain } from '@a2c/login';
import { checkSyntax } from '@a2c/vrl';
import type { Command } from 'commander';
import { collect } from './options.js';
import { printError } from './output.js';
import { a2c } from './pasteable-command.js';

/** The options of every command that reads a configuration. */
export interface ConfigOptions {
  readonly root?: string;
  readonly config?: string;
  readonly trust?: true;
  readonly allowHost?: readonly string[];
  readonly allowLocalhost?: true;
  readonly allowPrivateIp?: true;
  /** Undefined when neither `--dns-check` nor `--no-dns-check` is given. */
  readonly dnsCheck?: boolean;
  readonly json?: true;
}

/** For commands that take their file as an argument. */
export function addRootOption(command: Command): Command {
  return command.option('--root <dir>', 'search this folder; relative paths start here (default: current folder)');
}

export function addRootOptions(command: Command): Command {
  return addRootOption(command).option('--config <path>', 'read this file instead of .mcp.json or mcp.json');
}

export function addTrustOptions(command: Command): Command {
  return command
    .option('--trust', 'trust the configuration for this call')
    .option('--allow-host <host>', 'restrict an untrusted configuration to this host; repeatable', collect)
    .option('--allow-localhost', 'an untrusted configuration may reach local hosts')
    .option('--allow-private-ip', 'an untrusted configuration may reach private addresses')
    .option('--dns-check', 'resolve host names and check every address')
    .option('--no-dns-check', 'do not resolve host names');
}

/** As `readFrom`, and prints the warnings about the file. */
export async function loadFrom(options: ConfigOptions, file?: string): Promise<LoadedConfig> {
  const loaded = await readFrom(options, file);
  printWarnings(loaded.warnings);
  return loaded;
}

function printWarnings(warnings: readonly Problem[]): void {
  for (const warning of warnings) printError(formatProblem(warning));
}

/** Reads the file, `--config`, or the file found in the root. The caller reports the warnings. */
export function readFrom({ root, config }: ConfigOptions, file?: string): Promise<LoadedConfig> {
  const named = file ?? config;
  const options: LoadOptions = {
    checkVrl,
    ...(root === undefined ? {} : { root }),
    ...(named === undefined ? {} : { config: named }),
  };
  return loadRequiredConfig(options);
}

/** Returns the errors of the VRL compiler with their positions; null for a correct script. */
export function checkVrl(source: string): string | null {
  const errors =
    checkSyntax(source)?.messages.filter(({ severity }) => severity === 'error' || severity === 'bug') ?? [];
  if (errors.length === 0) return null;
  return errors.map(({ line, column, message }) => `VRL ${line}:${column}: ${message}`).join('; ');
}

/** The command that trusts a file, as configuration of this folder. */
export function trustCommand(file: string, root = '.'): string {
  return a2c('config', 'trust', file, ...(resolve(root) === process.cwd() ? [] : ['--root', resolve(root)]));
}

/** Completes the remedy of a trust refusal with the command that trusts this file. */
export function withTrustCommand(refusal: string, file: string, root: string | undefined): string {
  // Some refusals name only --trust; trusting the file allows the same.
  return refusal.replaceAll(
    /allowed by --trust(?:, or a2c config trust FILE)?\)/g,
    () => `allowed by --trust, or ${trustCommand(file, root)})`,
  );
}

/** Trusts a file that the user named with `--config`. `a2c mcp` does not use this: it follows the rule of mcp-kit. */
export function trustingNamedFile<Options extends ConfigOptions>(options: Options): Options {
  return options.config === undefined ? options : { ...options, trust: true };
}

/** What the options of `addTrustOptions` permit. */
export function permissionsFrom(options: ConfigOptions): Partial<TrustPolicy> {
  return {
    trusted: options.trust ?? false,
    allowed_hosts: options.allowHost ?? [],
    allow_localhost: options.allowLocalhost ?? false,
    allow_private_ip: options.allowPrivateIp ?? false,
    ...(options.dnsCheck === undefined ? {} : { dns_check: options.dnsCheck }),
  };
}

export async function policyFrom(options: ConfigOptions, { source }: LoadedConfig): Promise<TrustPolicy> {
  return policyFor(source, { ...permissionsFrom(options), lists: await approvalLists() });
}

/** The values of inputs that this user stored. */
export function inputStore(): InputStore {
  return new InputStore({ keychain: openKeychain });
}

/** The values that `config import --with-secrets` stored for this file. */
export function storedInputs({ source }: LoadedConfig): Promise<Readonly<Record<string, string>>> {
  return inputStore().load(source.files[0].file);
}

/** The options of a hub that runs the servers of a configuration. A warning is repeated by each start of a server. */
export async function hubOptionsFrom(
  options: ConfigOptions,
  loaded: LoadedConfig,
  warn: (server: string, message: string) => void = printOnce(),
) {
  const { root } = loaded.source;
  const guard = new TrustGuard(await policyFrom(options, loaded));
  const inputs = new InputResolver(loaded.inputs, { stored: await storedInputs(loaded) });
  return {
    guard,
    root,
    client: loaded.client,
    prepare: (server) =>
      resolveServer(server, {
        trusted: guard.policy.trusted,
        root,
        inputs,
        warn: (message) => warn(server.name, message),
      }),
  } satisfies ManagerOptions;
}

function printOnce(): (server: string, message: string) => void {
  const printed = new Set<string>();
  return (server, message) => {
    const line = `${server}: ${message}`;
    if (!printed.has(line)) printError(line);
    printed.add(line);
  };
}
