/** A server that is given on the command line instead of a configuration: `--stdio COMMAND` or `--url URL`. */
import { basename } from 'node:path';
import { approvalLists, NETWORK_ENV, readConfig, type ServerConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import type { ManagerOptions } from '@a2c/hub';
import type { Command } from 'commander';
import { words } from '../computer/shell/command-line.js';
import { UsageError } from '../exit-codes.js';
import { parseHeaders } from '../options.js';

export interface TypedServerOptions {
  readonly stdio?: string;
  readonly url?: string;
  /** As for `computer run`; only with `url`. */
  readonly headers?: string;
}

export function addTypedServerOptions(command: Command): Command {
  command
    .option('--stdio <command>', 'start this MCP server instead of a configured one; leave SERVER out')
    .option('--url <url>', 'connect to this MCP server instead of a configured one; leave SERVER out')
    .option('--headers <k:v,…>', 'HTTP headers for --url, such as a token, or a JSON object');
  // The arguments move one place to the left; `operandsOf` checks that none is missing.
  const leaveServerOut = () => command.registeredArguments.forEach((argument) => void argument.argOptional());
  return command.on('option:stdio', leaveServerOut).on('option:url', leaveServerOut);
}

/** The server's name and configuration; undefined when neither option is given. */
export function typedServer({ stdio, url, headers }: TypedServerOptions): ServerConfig | undefined {
  if (headers !== undefined && url === undefined) throw new UsageError('--headers needs --url');
  if (stdio === undefined && url === undefined) return undefined;
  if (stdio !== undefined && url !== undefined) throw new UsageError('--stdio and --url exclude each other');
  if (/["']/.test((stdio ?? '').replaceAll(/"[^"]*"|'[^']*'/g, '')))
    throw new UsageError('--stdio: a quote is not closed');
  const [program = '', ...args] = words(stdio ?? '');
  if (stdio !== undefined && program === '') throw new UsageError('--stdio needs a command');
  const [name, entry] =
    url === undefined
      ? [basename(program), { command: program, args, env: networkEnv() }]
      : [hostOf(url), { url, ...(headers !== undefined && { headers: parseHeaders(headers) }) }];
  const { config, problems } = readConfig(JSON.stringify({ mcpServers: { [name]: entry } }), {
    file: '',
  });
  const [server] = config?.servers ?? [];
  // The places are those of a text that the user has not written.
  const option = url === undefined ? '--stdio' : '--url';
  if (!server) throw new UsageError(problems.map(({ message }) => `${option}: ${message}`).join('\n'));
  return server;
}

/** A command that was typed reaches the network as the shell does: with its certificates and its proxy. */
function networkEnv(): Record<string, string> {
  return Object.fromEntries(NETWORK_ENV.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function hostOf(url: string): string {
  if (!URL.canParse(url)) throw new UsageError('--url is not a URL; expected https://host[:port]/path');
  return new URL(url).hostname;
}

/**
 * The arguments of a command, with the name of a typed server as the first one.
 *
 * @throws UsageError
 */
export function operandsOf(command: Command, required: number): readonly string[] {
  const server = typedServer(command.opts());
  if (!server) return command.args;
  const operands = [server.name, ...command.args];
  const { registeredArguments } = command;
  if (operands.length < required)
    throw new UsageError(`missing required argument '${registeredArguments[operands.length]?.name()}'`);
  if (operands.length > registeredArguments.length && !registeredArguments.at(-1)?.variadic)
    throw new UsageError('too many arguments; leave SERVER out with --stdio or --url');
  return operands;
}

/** The user typed the server, so it is trusted, unless the policy of the machine denies it. */
export async function typedServerHubOptions(): Promise<ManagerOptions> {
  return { guard: new TrustGuard({ ...UNTRUSTED, trusted: true, lists: await approvalLists() }), root: process.cwd() };
}
