import { createInterface } from 'node:readline/promises';
import type { ServerConfig } from '@a2c/config';
import { trustingNamedFile } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { type MCPOptions, withHub } from '../mcp/one-shot.js';
import { print, printError } from '../output.js';
import { abortOnSignal } from '../process-signals.js';
import { openBrowser } from './open-browser.js';

export interface LoginOptions extends MCPOptions {
  readonly paste?: true;
  readonly device?: true;
  readonly account?: string;
  readonly issuer?: string;
}

export async function login(name: string | undefined, options: LoginOptions): Promise<void> {
  if (options.paste && options.device) throw new UsageError('--paste and --device exclude each other');
  const way = options.paste ? 'paste' : options.device ? 'device' : 'browser';
  const signal = abortOnSignal();
  await withHub(trustingNamedFile(options), async (hub) => {
    const server = serverIn(hub.servers(), name);
    await hub.login(server, {
      way,
      signal,
      ...(options.account !== undefined && { account: options.account }),
      ...(options.issuer !== undefined && { issuer: options.issuer }),
      onUrl: (page) => showPage(page, way),
      readRedirect: () => readLine('Paste the address that the browser shows at the end: '),
    });
    if (options.json) print(JSON.stringify({ ok: true, server, account: options.account ?? null }));
    else print(`logged in to ${server}`);
  });
}

export async function logout(name: string | undefined, options: LoginOptions): Promise<void> {
  await withHub(trustingNamedFile(options), async (hub) => {
    const server = serverIn(hub.servers(), name);
    const { account } = options;
    const existed = await hub.logout(server, { ...(account !== undefined && { account }) });
    if (options.json) print(JSON.stringify({ ok: true, server, existed }));
    else print(existed ? `logged out of ${server}` : `there is no login to ${server}`);
  });
}

/** Checks the name before anything is started or asked. */
function serverIn(servers: readonly ServerConfig[], name: string | undefined): string {
  const remote = servers.filter(({ transport: { type } }) => type === 'streamable_http' || type === 'sse');
  const names = remote.map((server) => server.name);
  if (name !== undefined) {
    if (names.includes(name)) return name;
    const isLocal = servers.some((server) => server.name === name);
    const problem = isLocal ? `server "${name}" is a local program and has no login` : `there is no server "${name}"`;
    throw new UsageError(names.length === 0 ? problem : `${problem}; these servers support login: ${names.join(', ')}`);
  }
  const [only, ...others] = names;
  if (only === undefined) throw new UsageError('no configured server supports login: all are local programs');
  if (others.length > 0) throw new UsageError(`name the server: ${names.join(', ')}`);
  return only;
}

/** Shows the address, and opens it if this machine has a browser. */
function showPage({ url, code }: { readonly url: string; readonly code: string | null }, way: string): void {
  if (way === 'browser' && openBrowser(url))
    printError('Log in with the browser. If it did not open, use this address:');
  else if (way === 'browser') printError('Open this address on this machine. Elsewhere, use --paste or --device:');
  else printError(code === null ? 'Open this address:' : `Open this address and enter or compare the code ${code}:`);
  printError(url);
}

async function readLine(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
