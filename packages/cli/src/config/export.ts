import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CLIENT_TITLES,
  type ClientName,
  clientFiles,
  environmentNames,
  formatProxyEntry,
  type InputDefinition,
  type ProxyClient,
  proxyEntry,
  thisMachine,
} from '@a2c/config';
import { type ConfigOptions, loadFrom, policyFrom, storedInputs, trustCommand } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { print, printError, printJson } from '../output.js';

interface ExportOptions extends ConfigOptions {
  readonly for: ProxyClient;
  readonly url?: string;
  readonly office?: string;
  readonly name: string;
}

const BINARY = fileURLToPath(new URL('../../bin/a2c.js', import.meta.url));

/** The client whose file the entry belongs in. Claude Code reads the same entry as Claude Desktop. */
const FILE_OF: Readonly<Record<ProxyClient, ClientName>> = {
  claude: 'claude-desktop',
  cursor: 'cursor',
  vscode: 'vscode',
  windsurf: 'windsurf',
  codex: 'codex',
  gemini: 'gemini',
};

/** Prints the entry to paste, with the path of this program: graphical clients do not have the PATH of a shell. */
export async function exportEntry(file: string | undefined, options: ExportOptions): Promise<void> {
  const { args, inputs } = await sourceOf(file, options);
  const entry = proxyEntry(options.for, {
    name: options.name,
    argv: [process.execPath, BINARY, 'proxy', ...args],
    inputs,
    env: process.env.A2C_HOME ? { A2C_HOME: resolve(process.env.A2C_HOME) } : {},
  });
  const client = FILE_OF[options.for];
  const target = clientFiles(thisMachine()).find((place) => place.client === client)?.file;
  if (options.json) printJson({ client, file: target, entry });
  else print(await formatProxyEntry(options.for, entry));
  if (/[\\/]_npx[\\/]/.test(BINARY)) {
    printError(
      'this a2c is in the cache of npx, which may be cleared; install it (npm install --global a2c) and export again',
    );
  }
  if (options.json) return;
  const instead = options.url === undefined ? ', instead of the servers that the proxy now serves' : '';
  printError(`put this into ${target} (${CLIENT_TITLES[client]})${instead}`);
  if (options.url !== undefined) printError(`if the server requires a key, ${keyHint(options.for)}`);
  printVariables(options.for, inputs);
}

function keyHint(client: ProxyClient): string {
  return client === 'codex'
    ? 'add env_vars = ["A2C_API_KEY"] to the entry, and set that variable'
    : 'add "A2C_API_KEY": "…" to "env" of the entry';
}

/** The variables that must be set. VS Code asks for them. */
function printVariables(client: ProxyClient, inputs: readonly InputDefinition[]): void {
  if (inputs.length === 0 || client === 'vscode') return;
  const names = inputs.map(({ id }) => environmentNames(id).at(-1)).join(', ');
  const how =
    client === 'claude'
      ? 'add these variables to "env" of the entry'
      : `set these variables in the environment of ${CLIENT_TITLES[FILE_OF[client]]}`;
  printError(`the proxy cannot ask for inputs; ${how}: ${names}`);
}

interface ProxySource {
  readonly args: readonly string[];
  readonly inputs: readonly InputDefinition[];
}

async function sourceOf(file: string | undefined, options: ExportOptions): Promise<ProxySource> {
  const { url, office, config } = options;
  if (url === undefined && office === undefined) {
    const loaded = await loadFrom(options, file);
    const stored = await storedInputs(loaded);
    const needed = loaded.inputs.filter(
      (input) => input.type !== 'command' && input.default === null && !Object.hasOwn(stored, input.id),
    );
    const { discovered, root, files } = loaded.source;
    // A file that is named in the entry is trusted. One that was found is trusted only by the person's own decision.
    if (!discovered) return { args: ['--config', files[0].file], inputs: needed };
    const { trusted } = await policyFrom(options, loaded);
    if (!trusted)
      printError(
        `the proxy starts no server of ${files[0].file} before you trust it: ${trustCommand(files[0].file, root)}`,
      );
    return { args: ['--root', root], inputs: needed };
  }
  if (file !== undefined || config !== undefined) throw new UsageError('give either a file, or --url and --office');
  if (url === undefined || office === undefined) throw new UsageError('an office needs both --url and --office');
  return { args: ['--url', url, '--office', office], inputs: [] };
}
