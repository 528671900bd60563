import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** The MCP clients of npm. Some of them need a newer Node than a2c. */
export const NPM_CLIENTS = {
  '@modelcontextprotocol/inspector': '2.12.0',
  mcporter: '0.12.3',
  '@ai-sdk/mcp': '2.0.96',
  'mcp-remote': '0.15.1',
};
const NODE = `node-${process.platform}-${process.arch}`;
const NODE_VERSION = '24.9.0';

/** The MCP clients of PyPI. LangChain's does not work with version 2 of `mcp`. */
export const PYPI_CLIENTS: readonly Readonly<Record<string, string>>[] = [
  { mcp: '2.3.0', fastmcp: '4.1.2', 'openai-agents': '0.24.0', 'pydantic-ai-slim[mcp]': '2.66.0' },
  { 'langchain-mcp-adapters': '0.3.2' },
];
const LANGCHAIN_MCP = 'mcp<2';

/** Installs the clients of npm. Returns the folder and the program of Node to run them with. */
export async function npmClients(): Promise<{ readonly folder: string; readonly node: string }> {
  const packages = Object.entries({ ...NPM_CLIENTS, [NODE]: NODE_VERSION }).map(
    ([name, version]) => `${name}@${version}`,
  );
  const folder = await installed('npm', packages, async (into) => {
    await writeFile(join(into, 'package.json'), '{ "private": true }');
    await exec('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: into });
  });
  return { folder, node: join(folder, 'node_modules', NODE, 'bin/node') };
}

/** Installs clients of PyPI. Returns the program of Python. */
export async function pythonWith(clients: Readonly<Record<string, string>>): Promise<string> {
  const packages = Object.entries(clients).map(([name, version]) => `${name}==${version}`);
  if ('langchain-mcp-adapters' in clients) packages.push(LANGCHAIN_MCP);
  const folder = await installed('python', packages, async (into) => {
    await exec('python3', ['-m', 'venv', into]);
    await exec(join(into, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  });
  return join(folder, 'bin/python');
}

/** The folder with the packages, kept for the next run. */
async function installed(
  kind: string,
  packages: readonly string[],
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256').update(packages.join()).digest('hex').slice(0, 8);
  const folder = join(homedir(), '.cache/a2c-interop', `mcp-clients-${kind}-${hash}`);
  const mark = join(folder, 'complete');
  if (existsSync(mark)) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await install(folder);
  await writeFile(mark, '');
  return folder;
}
