import { InputError, type JsonObject, maskConfig, ResolveError, type ServerConfig, TrustError } from '@a2c/config';
import { HubError, type ManagerOptions, MCPServerManager } from '@a2c/hub';
import { oneLine } from '@a2c/protocol';
import { parseArguments } from '../arguments.js';
import { stdoutView } from '../computer/shell/view.js';
import { type ConfigOptions, hubOptionsFrom, loadFrom, policyFrom, withTrustCommand } from '../config-options.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { loginStates } from '../login/login-states.js';
import { indented, print, printColoured, printError } from '../output.js';
import { a2c } from '../pasteable-command.js';
import { ProgressLine, progressText } from '../progress-line.js';
import { writeFiles } from '../result-files.js';
import { resultText } from '../result-text.js';
import { promptsText, resourcesText, serversText } from './lists.js';
import { signatures } from './signatures.js';
import { startShown } from './start-line.js';
import { type TypedServerOptions, typedServer, typedServerHubOptions } from './typed-server.js';

export interface MCPOptions extends ConfigOptions, TypedServerOptions {
  /** Seconds. */
  readonly timeout?: number;
}

type List = 'tools' | 'resources' | 'prompts';

export async function servers(options: MCPOptions): Promise<void> {
  const loaded = await loadFrom(options);
  const { trusted } = await policyFrom(options, loaded);
  const { client, servers: masked } = maskConfig(loaded);
  if (isForPeople(options)) return printColoured(serversText(masked));
  const login = await loginStates();
  const shown = masked.map((server, index) => ({ ...server, ...login(loaded.servers[index] ?? server) }));
  printDocument({ config: loaded.source.files[0].file, trusted, client, servers: shown }, options);
}

/** Prints the list of one server; without a server, a list or an error for each enabled server. */
export function list(what: List, server: string | undefined, options: MCPOptions): Promise<void> {
  return withHub(options, async (hub, file) => {
    if (server !== undefined) {
      await startShown(hub, server);
      if (isForPeople(options)) return printColoured(await listText(hub, server, what, options));
      printDocument(await listOf(hub, server, what, options), options);
      return;
    }
    await startShown(hub);
    const enabled = hub.status().filter(({ disabled }) => !disabled);
    const lists = enabled.map(async ({ name, state, cause }) => {
      try {
        if (state !== 'connected') throw new Error(cause ?? `it is ${state}`);
        const listed = isForPeople(options) ? listText : listOf;
        return [name, await listed(hub, name, what, options)] as const;
      } catch (error) {
        process.exitCode = EXIT.failed;
        return [name, { error: trustRefusal((error as Error).message, file, options.root) }] as const;
      }
    });
    const found = await Promise.all(lists);
    if (!isForPeople(options)) return printDocument({ servers: Object.fromEntries(found) }, options);
    for (const [name, listed] of found) {
      const text = typeof listed === 'object' && 'error' in listed ? oneLine(String(listed.error)) : listed;
      printColoured(`${oneLine(name)}:\n${text}\n`);
    }
  });
}

/** At a terminal the output is for people; piped or with `--json` it is one JSON document. */
function isForPeople({ json }: MCPOptions): boolean {
  return process.stdout.isTTY && !json;
}

async function listText(hub: MCPServerManager, server: string, what: List, options: MCPOptions): Promise<string> {
  switch (what) {
    case 'tools':
      return toolsText(hub, server);
    case 'prompts':
      return promptsText(await hub.listPrompts(server, options));
    case 'resources':
      return resourcesText(await hub.listResources(server, options), await hub.listResourceTemplates(server, options));
  }
}

function toolsText(hub: MCPServerManager, server: string): string {
  const tools = hub.toolsOf(server).map(({ tool, displayName }) => ({ ...tool, name: displayName }));
  return tools.length === 0 ? '(no tools)' : signatures(tools, stdoutView('en'));
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

export interface MCPCallOptions extends MCPOptions {
  /** The folder for the images and files of the result. */
  readonly save?: string;
}

export function call(server: string, tool: string, words: readonly string[], options: MCPCallOptions): Promise<void> {
  return withHub(options, async (hub) => {
    await startShown(hub, server);
    const known = hub.toolsOf(server).find(({ name, displayName }) => name === tool || displayName === tool);
    const args = parseArguments(words, known?.tool.inputSchema as JsonObject | undefined) as JsonObject;
    const line = new ProgressLine();
    const called = hub.callTool(server, tool, args, {
      ...options,
      onProgress: (progress) => line.show(progressText(progress)),
    });
    const result = await called.finally(() => line.clear());
    const shown = options.save === undefined ? result : await writeFiles(result, options.save, tool);
    if (isForPeople(options)) print(resultText(shown, '--save'));
    else printDocument(shown, options);
    if (result.isError) process.exitCode = EXIT.failed;
  });
}

export function read(server: string, uri: string, options: MCPOptions): Promise<void> {
  return withHub(options, async (hub) => {
    await startShown(hub, server);
    const result = await hub.readResource(server, uri, options);
    if (!isForPeople(options)) return printDocument(result, options);
    const contents = Array.isArray(result.contents) ? (result.contents as readonly JsonObject[]) : [];
    const content = contents.map((resource) =>
      typeof resource.text === 'string' ? { type: 'text', text: resource.text } : { type: 'resource', resource },
    );
    print(resultText({ content }));
  });
}

export function request(server: string, method: string, words: readonly string[], options: MCPOptions): Promise<void> {
  const params = parseArguments(words) as JsonObject;
  return withHub(options, async (hub) => {
    await startShown(hub, server);
    const answered = hub.request(server, method, params, options).catch((error: unknown) => {
      const isUpstream = error instanceof HubError && error.kind === 'upstream';
      throw isUpstream ? error.mapTexts((text) => `server "${server}": ${method}: ${text}`) : error;
    });
    printDocument(await answered, options);
  });
}

export function notify(server: string, method: string, words: readonly string[], options: MCPOptions): Promise<void> {
  const params = parseArguments(words) as JsonObject;
  return withHub(options, async (hub) => {
    await startShown(hub, server);
    await hub.notify(server, method, params);
    printDocument({ ok: true }, options);
  });
}

/** The servers of a hub, and where they come from. */
interface ServerSource {
  readonly servers: readonly ServerConfig[];
  readonly hubOptions: ManagerOptions;
  /** The configuration file; undefined for a server that was typed. */
  readonly file?: string;
}

async function serverSource(options: MCPOptions): Promise<ServerSource> {
  const typed = typedServer(options);
  if (typed) return { servers: [typed], hubOptions: await typedServerHubOptions() };
  const loaded = await loadFrom(options);
  const { servers: configured, source } = loaded;
  return { servers: configured, hubOptions: await hubOptionsFrom(options, loaded), file: source.files[0].file };
}

/** Runs `use` with a hub of the servers, none of them started, and closes the hub. */
export async function withHub(
  options: MCPOptions,
  use: (hub: MCPServerManager, file: string | undefined) => Promise<void>,
): Promise<void> {
  const { servers: known, hubOptions, file } = await serverSource(options);
  await using hub = new MCPServerManager({
    ...hubOptions,
    autoConnect: false,
    autoReconnect: false,
    ...(options.timeout !== undefined && {
      limits: { startTimeoutMs: options.timeout * 1_000, downloadTimeoutMs: options.timeout * 1_000 },
    }),
  });
  let isClosing = false;
  // Failures caused by closing the hub are not reported.
  hub.on('warning', ({ server, message }) => isClosing || printError(indented(`${server}: ${message}`)));
  await hub.initialize(known);
  try {
    await use(hub, file);
  } catch (error) {
    throw startErrorOf(error, file, options);
  } finally {
    isClosing = true;
  }
}

/** A start that failed because of the configuration is reported as such, with exit code 2. */
function startErrorOf(error: unknown, file: string | undefined, { url, root }: MCPOptions): unknown {
  if (error instanceof TrustError) return new UsageError(trustRefusal(error.message, file, root), { cause: error });
  if (!(error instanceof HubError)) return error;
  if (error.kind === 'invalid-arguments') return new UsageError(indented(error.message), { cause: error });
  if (error.kind === 'unauthorized' && file !== undefined)
    return error.mapTexts((text) => withTrustCommand(text, file, root));
  if (error.kind === 'needs-login' && url !== undefined) {
    const command = `run "${a2c('login', '--url', url)}"`;
    return error.mapTexts((text) =>
      text
        .replace(/run ".*"$/, () => command)
        .replace(', or a token in its headers: run', ', or a token (--headers Authorization:"Bearer TOKEN"): run'),
    );
  }
  const { cause } = error;
  if (cause instanceof TrustError) return new UsageError(trustRefusal(cause.message, file, root), { cause });
  if (cause instanceof ResolveError || cause instanceof InputError) return cause;
  return url === undefined ? error : error.mapTexts(notReached);
}

/** Nothing was to be started at a URL, and its path may be that of something else. */
function notReached(text: string): string {
  return text
    .replace(/^(server ".*") could not be started: /, 'cannot connect to $1: ')
    .replace(/answered with HTTP 4\d\d$/, '$&; is this the URL of an MCP server, such as https://host/mcp?');
}

/** A refusal on one line, with the command that trusts the file. */
function trustRefusal(refusals: string, file: string | undefined, root: string | undefined): string {
  return (file === undefined ? refusals : withTrustCommand(refusals, file, root)).replaceAll('\n', '; ');
}

/** Prints one document: indented, or with `--json` on one line. */
function printDocument(document: object, { json }: MCPOptions): void {
  print(JSON.stringify(document, null, json ? 0 : 2));
}
