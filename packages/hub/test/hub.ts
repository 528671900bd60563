import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig, type ServerConfig, TrustGuard, UNTRUSTED } from '@a2c/config';
import { Vault } from '@a2c/login';
import { inject, onTestFinished } from 'vitest';
import { type ManagerOptions, MCPServerManager } from '../src/index.js';

export const TRUSTED = new TrustGuard({ ...UNTRUSTED, trusted: true });

/** One of the scripts in `servers/`. Those on the SDK are bundled, because they start faster. */
export function script(name: string): string {
  if (name === 'sdk.mjs' || name === 'modern.mjs') return join(inject('commands'), name.replace('.mjs', '.js'));
  return fileURLToPath(new URL(`servers/${name}`, import.meta.url));
}

/** A server as read from a configuration file. */
export function server(name: string, fields: Readonly<Record<string, unknown>> = {}): ServerConfig {
  const { type = 'stdio', server_parameters, ...rest } = fields;
  const entry = { name, type, server_parameters: server_parameters ?? run('workshop.mjs'), ...rest };
  const { config, problems } = readConfig(JSON.stringify([entry]), { file: `${name}.json` });
  const found = config?.servers[0];
  if (!found) throw new Error(problems.map(({ message }) => message).join('\n'));
  return found;
}

/** The parameters that run a script of `servers/` with these variables. */
export function run(file: string, env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  return { command: process.execPath, args: [script(file), ...args], env };
}

/** A quick server with these tools: names, or whole tool definitions. */
export function tools(...list: readonly unknown[]) {
  const sent = list.map((tool) => (typeof tool === 'string' ? { name: tool, inputSchema: { type: 'object' } } : tool));
  const env = { WORKSHOP_TOOLS: JSON.stringify(sent) };
  return { server_parameters: { command: 'sh', args: [script('quick.sh')], env } };
}

/** A manager with a trusted configuration. It is closed when the test ends. */
export async function hub(servers: readonly ServerConfig[], options: ManagerOptions = {}): Promise<MCPServerManager> {
  const vault = options.vault ?? new Vault(await temporaryFolder(), 'file');
  const manager = new MCPServerManager({ guard: TRUSTED, vault, ...options });
  onTestFinished(() => manager.close());
  await manager.initialize(servers);
  return manager;
}

/** A folder that is deleted when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-hub-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}

export function textOf(result: { readonly content: readonly unknown[] }): string {
  return (result.content[0] as { text: string }).text;
}

export function jsonOf(result: { readonly content: readonly unknown[] }) {
  return JSON.parse(textOf(result));
}

/** Waits until a condition is true; the time limit is that of the test. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // No such process.
  }
}

/** The files with the records of a store, without its locks. */
export async function recordsIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.json'));
}
