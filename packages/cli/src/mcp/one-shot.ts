import { InputError, type JsonObject, maskConfig, ResolveError, TrustError } from '@a2c/config';
import { HubError, MCPServerManager } from '@a2c/hub';
import { parseArguments } from '../arguments.js';
import { type ConfigOptions, hubOptionsFrom, loadFrom, policyFrom, withTrustCommand } from '../config-options.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { print, printError } from '../output.js';

interface MCPOptions extends ConfigOptions {
  readonly timeout?: number;
}

type List = 'tools' | 'resources' | 'prompts';

export async function servers(options: MCPOptions): Promise<void> {
  const loaded = await loadFrom(options);
  const { trusted } = await policyFrom(options, loaded);
  const { client, servers: masked } = maskConfig(loaded);
  printDocument({ config: loaded.source.files[0].file, trusted, client, servers: masked }, options);
}

/** Prints the list of one server; without a server, a list or an error for each enabled server. */
export function list(what: List) {
  return (server: string | undefined, options: MCPOptions): Promise<void> =>
    withHub(options, async (hub, file) => {
      if (server !== undefined) {
        await hub.startClient(server);
        printDocument(await listOf(hub, server, what, options), options);
        return;
      }
      await hub.startAll();
      const enabled = hub.status().filter(({ disabled }) => !disabled);
      const lists = enabled.map(async ({ name, state, cause }) => {
        try {
          if (state !== 'connected') throw new Error(cause ?? `it is ${state}`);
          return [name, await listOf(hub, name, what, options)] as const;
        } catch (error) {
          process.exitCode = EXIT.failed;
          return [name, { error: oneLine((error as Error).message, file) }] as const;
        }
      });
      printDocument({ servers: Object.fromEntries(await Promise.all(lists)) }, options);
    });
}

async function listOf(hub: MCPServerManager, server: string, what: List, options: MCPOptions): Promise<object> {
  switch (what) {
    case 'tools':
      return { tools: hub.toolsOf(server).map(({ tool, displayName }) => ({ ...tool, name: displayName })) };
    case 'prompts':
      return { prompts: await hub.listPrompts(server, options) };
    case 'resources':
      return {
        resources: await hub.listResources(server, options),
        resourceTemplates: await hub.listResourceTemplates(server, options),
      };
  }
}

export function call(server: string, tool: string, words: readonly string[], options: MCPOptions): Promise<void> {
  return withHub(options, async (hub) => {
    await hub.startClient(server);
    const known = hub.toolsOf(server).find(({ name, displayName }) => name === tool || displayName === tool);
    const args = parseArguments(words, known?.tool.inputSchema as JsonObject | undefined) as JsonObject;
    const result = await hub.callTool(server, tool, args, {
      ...options,
      onProgress: ({ progress, total, message }) =>
        printError([`${progress}${total === undefined ? '' : `/${total}`}`, message].filter(Boolean).join(' ')),
    });
    printDocument(result, options);
    if (result.isError) process.exitCode = EXIT.failed;
  });
}

export function read(server: string, uri: string, options: MCPOptions): Promise<void> {
  return withHub(options, async (hub) => {
    await hub.startClient(server);
    printDocument(await hub.readResource(server, uri, options), options);
  });
}

export function request(server: string, method: string, words: readonly string[], options: MCPOptions): Promise<void> {
  const params = parseArguments(words) as JsonObject;
  return withHub(options, async (hub) => {
    await hub.startClient(server);
    printDocument(await hub.request(server, method, params, options), options);
  });
}

export function notify(server: string, method: string, words: readonly string[], options: MCPOptions): Promise<void> {
  const params = parseArguments(words) as JsonObject;
  return withHub(options, async (hub) => {
    await hub.startClient(server);
    await hub.notify(server, method, params);
    printDocument({ ok: true }, options);
  });
}

/** Runs `use` with a hub of the configured servers, none of them started, and closes the hub. */
async function withHub(
  options: MCPOptions,
  use: (hub: MCPServerManager, file: string) => Promise<void>,
): Promise<void> {
  const loaded = await loadFrom(options);
  await using hub = new MCPServerManager({
    ...(await hubOptionsFrom(options, loaded)),
    autoConnect: false,
    autoReconnect: false,
    ...(options.timeout !== undefined && {
      limits: { startTimeoutMs: options.timeout * 1_000, downloadTimeoutMs: options.timeout * 1_000 },
    }),
  });
  let isClosing = false;
  // Failures caused by closing the hub are not reported.
  hub.on('warning', ({ server, message }) => isClosing || printError(`${server}: ${message}`));
  await hub.initialize(loaded.servers);
  try {
    await use(hub, loaded.source.files[0].file);
  } catch (error) {
    throw startErrorOf(error, loaded.source.files[0].file);
  } finally {
    isClosing = true;
  }
}

/** A start that failed because of the configuration is reported as such, with exit code 2. */
function startErrorOf(error: unknown, file: string): unknown {
  if (!(error instanceof HubError)) return error;
  const { cause } = error;
  if (cause instanceof TrustError) return new UsageError(oneLine(cause.message, file), { cause });
  return cause instanceof ResolveError || cause instanceof InputError ? cause : error;
}

/** A refusal on one line, with the command that trusts the file. */
function oneLine(refusals: string, file: string): string {
  return withTrustCommand(refusals, file).replaceAll('\n', '; ');
}

/** Prints one document: indented, or with `--json` on one line. */
function printDocument(document: object, { json }: MCPOptions): void {
  print(JSON.stringify(document, null, json ? 0 : 2));
}
