import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';

/** The command of the conformance suite. */
export const SUITE = join(inject('commands'), 'conformance.js');
/** The command of the program. */
export const A2C = join(inject('commands'), 'a2c.js');

/** Which generations of MCP the server under test speaks, at one URL. */
export type Generations = 'both' | '2025' | '2026';

export interface Target extends AsyncDisposable {
  readonly url: string;
}

/** The server under test alone. */
export function conformanceServer(generations: Generations): Promise<Target> {
  return started([join(inject('commands'), 'conformance-server.js'), generations], {}, /^(http.*)$/);
}

/** The shipped program over the server under test. */
export async function shippedProxy(generations: Generations, ...options: string[]): Promise<Target> {
  const server = await conformanceServer(generations);
  const proxy = await proxyInFrontOf(server, ...options);
  return {
    url: proxy.url,
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The shipped program over a server that is running. */
export async function proxyInFrontOf(server: Target, ...options: string[]): Promise<Target> {
  const home = await mkdtemp(join(tmpdir(), 'a2c-conformance-'));
  const config = join(home, 'mcp.json');
  await writeFile(config, JSON.stringify({ mcpServers: { fixture: { type: 'http', url: server.url } } }));
  const command = [A2C, 'proxy', '--http', '0', '--config', config, ...options];
  const proxy = await started(command, { A2C_HOME: home }, /^ready (.*)$/);
  return {
    url: proxy.url,
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await rm(home, { recursive: true });
    },
  };
}

/** Starts a program that prints its URL in a line that matches `ready`. */
export async function started(command: readonly string[], env: NodeJS.ProcessEnv, ready: RegExp): Promise<Target> {
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  for await (const line of createInterface(child.stdout)) {
    const url = ready.exec(line)?.[1];
    if (url !== undefined) return { url, [Symbol.asyncDispose]: () => ended(child) };
  }
  throw new Error(`${command.join(' ')} ended before it was ready`);
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}

/** What one suite printed about each scenario: `passed, failed`. */
export type Results = Readonly<Record<string, string>>;

const PATIENCE = ['--timeout', '120000'];

/** Runs every scenario of one version of MCP against a server, or those that are named. */
export function serverSuite(url: string, version: string, scenarios?: readonly string[]): Promise<Results> {
  return run(['server', '--url', url, '--suite', 'all', '--spec-version', version, ...PATIENCE], scenarios);
}

/** The passed checks of each scenario by the server under test alone, for each version of MCP. None of them fails. */
export const SCORES: Readonly<Record<string, Readonly<Record<string, number>>>> = JSON.parse(
  readFileSync(new URL('conformance-scores.json', import.meta.url), 'utf8'),
);

/** The results that a proxy in front of the server under test has to reach. */
export function scoreOf(version: string): Results {
  const scores = Object.entries(SCORES[version] ?? {});
  return Object.fromEntries(scores.map(([scenario, passed]) => [scenario, `${passed} passed, 0 failed`]));
}

/** Runs one scenario against a server: `passed, failed`. */
export function serverScenario(url: string, scenario: string, version: string, ...options: string[]): Promise<string> {
  const target = ['--url', url, '--scenario', scenario, '--spec-version', version];
  return checks('server', ...target, ...PATIENCE, ...options);
}

async function run(args: readonly string[], scenarios?: readonly string[]): Promise<Results> {
  const output = await outputOf(args, scenarios && { A2C_SCENARIOS: scenarios.join(' ') });
  const summary = [...output.matchAll(/^[✓✗] ([\w-]+): (\d+ passed, \d+ failed)$/gm)];
  if (summary.length === 0) throw new Error(`the suite did not run: ${output}`);
  return Object.fromEntries(summary.map(([, scenario, counts]) => [String(scenario), String(counts)]));
}

/** The checks of a client that runs as `command URL`, in one scenario: `passed, failed`. */
export function clientScenario(command: string, scenario: string, version: string): Promise<string> {
  return checks('client', '--command', command, '--scenario', scenario, '--spec-version', version, ...PATIENCE);
}

/** Runs one scenario. */
async function checks(...args: string[]): Promise<string> {
  const output = await outputOf(args);
  const [, passed, failed] = /Passed: (\d+)\/\d+, (\d+) failed/.exec(output) ?? [];
  if (passed === undefined) throw new Error(`the scenario did not run: ${output}`);
  return `${passed} passed, ${failed} failed`;
}

/** The exit code is 1 if a check failed; the summary lists them. */
function outputOf(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { maxBuffer: 1 << 26, env: { ...process.env, ...more } };
  return new Promise((resolve) => {
    execFile(process.execPath, [SUITE, ...args], options, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}
