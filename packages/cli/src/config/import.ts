import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  CLIENT_TITLES,
  type ClientName,
  convertConfig,
  describeStart,
  environmentNames,
  formatLoss,
  formatProblem,
  type ImportedServer,
  type ImportResult,
  type InputDefinition,
  importServers,
  maskConfig,
  maskServer,
  replaceFile,
  type StoredInputs,
  shownText,
} from '@a2c/config';
import { Vault } from '@a2c/login';
import { visibleText } from '@a2c/protocol';
import { wrappedMessage } from '../computer/shell/display-width.js';
import { stdoutView } from '../computer/shell/view.js';
import { inputStore } from '../config-options.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { printColoured, printError, printJson } from '../output.js';
import { a2c } from '../pasteable-command.js';

interface ImportCommandOptions {
  readonly from?: readonly ClientName[];
  readonly write?: string;
  readonly force?: true;
  readonly withSecrets?: true;
  readonly root?: string;
  readonly json?: true;
}

/** Prints the servers of other clients and, with `--write`, writes them to a file. Starts no server. */
export async function importConfig(options: ImportCommandOptions): Promise<void> {
  const { from, write, force, withSecrets, root, json } = options;
  if (force && write === undefined) throw new UsageError('--force needs --write FILE');
  if (withSecrets && write === undefined) throw new UsageError('--with-secrets needs --write FILE');
  const imported = await importServers({ ...(from && { from }), ...(root !== undefined && { root }) });
  const { document, losses } = convertConfig(imported.config, 'a2c');
  const file = write === undefined || imported.servers.length === 0 ? null : resolve(write);
  if (file !== null) await writeNew(file, `${JSON.stringify(document, null, 2)}\n`, force ?? false);
  const secrets = imported.secrets();
  const stored = file !== null && withSecrets ? await store(file, secrets) : null;
  for (const problem of imported.problems) printError(formatProblem(problem));
  for (const loss of losses) printError(`not carried over: ${formatLoss(loss)}`);
  if (imported.servers.length === 0) {
    process.exitCode = EXIT.failed;
    const files = [...new Set(imported.searched.map(({ file: path }) => path))];
    printError(`no MCP server is configured in any of these files:\n${files.map((name) => `  ${name}`).join('\n')}`);
  }
  const place = { file, stored, secrets: Object.keys(secrets) };
  if (json)
    printJson({
      ...documentOf(imported),
      losses,
      written: file,
      stored: stored?.record ?? null,
      stored_in: stored?.place ?? null,
    });
  else if (imported.servers.length > 0) {
    // Further lines are indented, so that they do not look like the line of another server.
    printColoured(wrappedMessage(visibleText(describe(imported, place).join('\n')), stdoutView('en').width, '    '));
  }
}

/** Stores secrets where logins are stored: in the keychain if there is one. */
async function store(file: string, secrets: Readonly<Record<string, string>>): Promise<StoredInputs> {
  const { place, reason } = await new Vault().place();
  const stored = await inputStore().save(file, secrets, place);
  return { ...stored, reason: stored.reason ?? reason };
}

/**
 * Only the owner may read the file: it lists the services in use, and users may add secrets by hand. A link is replaced
 * itself: in a project of others, it may lead to any file of the user.
 */
async function writeNew(file: string, text: string, force: boolean): Promise<void> {
  try {
    if (force) await replaceFile(file, text);
    else await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'EEXIST' ? `${file} exists; name another file, or overwrite it with --force` : message,
      { cause: error },
    );
  }
}

function documentOf({ files, servers, config, notes, problems }: ImportResult) {
  const { inputs } = maskConfig(config);
  return {
    files,
    servers: servers.map(({ server, sources }) => ({ ...maskServer(server), sources })),
    inputs: inputs.map((input) => ({ ...input, environment: environmentNames(input.id) })),
    notes,
    problems,
  };
}

/** Where the servers and their secrets were written. */
interface Written {
  readonly file: string | null;
  readonly stored: StoredInputs | null;
  /** The ids of the inputs whose values are known. */
  readonly secrets: readonly string[];
}

function describe({ servers, config, notes }: ImportResult, { file, stored, secrets }: Written): string[] {
  const width = Math.max(...servers.map(({ server }) => shownText(server.name).length));
  const lines = servers.flatMap((one) => describeServer(one, config.inputs, width));
  lines.push(...notes.map((note) => `note: ${shownText(note)}`));
  const asked = stored === null ? config.inputs : config.inputs.filter(({ id }) => !secrets.includes(id));
  if (stored !== null) lines.push('', describeStored(secrets.length, stored));
  if (asked.length > 0) {
    lines.push('', 'Possible secrets are not written. You are asked for their values, or set these variables:');
    for (const { id, description } of asked)
      lines.push(`  ${environmentNames(id).at(-1)}  ${shownText(description)}`.trimEnd());
    if (stored === null) lines.push('With --with-secrets, their values are stored for this user.');
  }
  lines.push('', ...(file === null ? NEXT_WRITE : [`written to ${file}`, ...nextWith(file)]));
  return lines;
}

function describeStored(count: number, { place, record, reason }: StoredInputs): string {
  const secrets = count === 1 ? '1 secret is' : `${count} secrets are`;
  if (place === 'keychain') return `${secrets} stored for this file in the keychain`;
  return `${secrets} stored for this file in ${record} (not in the keychain: ${reason})`;
}

const NEXT_WRITE = [
  'Nothing was written. To write these servers to one file, run:',
  `  ${a2c('config import --write', 'servers.json')}`,
];

function nextWith(file: string): string[] {
  return [
    'To show the file, and to use it in an MCP client, run:',
    `  ${a2c('config', 'show', file)}`,
    `  ${a2c('config', 'export', file, '--for', 'claude')}`,
  ];
}

/** Everything that decides what the server does. Possible secrets are inputs in it. */
function describeServer(
  { server, sources }: ImportedServer,
  inputs: readonly InputDefinition[],
  width: number,
): readonly string[] {
  const clients = [...new Set(sources.map(({ client }) => CLIENT_TITLES[client]))].join(', ');
  const state = server.disabled ? ', disabled' : '';
  const [start, ...details] = describeStart(server, inputs);
  return [
    `${shownText(server.name).padEnd(width)}  ${server.transport.type} ${start}  (${clients}${state})`,
    ...details.map((detail) => `  ${detail}`),
  ];
}
