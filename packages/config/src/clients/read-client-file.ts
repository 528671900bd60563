import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, sep } from 'node:path';
import { FileRefused, readFileSafely } from '../files/read-file-safely.js';
import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import type { JsonNode } from '../json/parse-json.js';
import type { InputDefinition } from '../model/input-definition.js';
import type { ServerConfig, Transport } from '../model/server-config.js';
import { type Problem, ProblemList } from '../problems.js';
import { type ForeignDialect, readForeignServer } from '../readers/foreign-entry.js';
import { parseText } from '../readers/read-config.js';
import { readVscodeInputs } from '../readers/vscode.js';
import { translateValue } from '../writers/translate-placeholders.js';
import { inputsOf, KEYS_OF_CLIENTS, type Section, sectionsOf, toCommonEntry } from './client-entries.js';
import type { ClientFile } from './client-files.js';

/** Claude Code keeps its history in the same file. */
const MAX_CLIENT_FILE_BYTES = 64 * 1024 * 1024;

export interface FoundServer extends ClientFile {
  readonly server: ServerConfig;
}

export interface ClientFileContent extends ClientFile {
  readonly servers: readonly FoundServer[];
  readonly inputs: readonly InputDefinition[];
  readonly problems: readonly Problem[];
}

/** What one file of a client holds; undefined where there is none. An entry that is wrong is told and left out, alone. */
export async function readClientFile(place: ClientFile): Promise<ClientFileContent | undefined> {
  const { client, file } = place;
  const problems = new ProblemList(file);
  const nothing = { ...place, servers: [], inputs: [] };
  let text: string;
  try {
    // People link these files from a repository of their settings.
    const target = await realpath(file).catch(() => file);
    ({ text } = await readFileSafely(target, MAX_CLIENT_FILE_BYTES));
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    if (error.missing) return undefined;
    problems.error([], error.message);
    return { ...nothing, problems: problems.all };
  }
  const parsed = client === 'codex' ? await parseToml(text, problems) : parseJsonText(text, file);
  if (!parsed.ok) return { ...nothing, problems: parsed.problems };
  const { value, root } = parsed;
  const found: FoundServer[] = [];
  const told: Problem[] = [];
  for (const section of sectionsOf(client, value)) {
    for (const [name, entry] of Object.entries(section.servers)) {
      const list = new ProblemList(file, text, root);
      const server = readEntry(name, entry, section, place, list);
      told.push(...list.all);
      if (server && !list.hasErrors) found.push({ ...place, project: section.project ?? place.project, server });
    }
  }
  const { items, path } = inputsOf(client, value);
  const list = new ProblemList(file, text, root);
  const inputs = readVscodeInputs(items, path, list);
  return { ...place, servers: found, inputs, problems: [...told, ...list.all] };
}

type Parsed =
  | { readonly ok: true; readonly value: JsonValue; readonly root: JsonNode | undefined }
  | { readonly ok: false; readonly problems: readonly Problem[] };

function parseJsonText(text: string, file: string): Parsed {
  if (text.trim() === '') return { ok: true, value: {}, root: undefined };
  const parsed = parseText(text, file);
  return parsed.ok ? { ok: true, ...parsed.document } : { ok: false, problems: parsed.problems.all };
}

/** Loaded for Codex alone: nothing else here is written in TOML. */
async function parseToml(text: string, problems: ProblemList): Promise<Parsed> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    // Through JSON, so that dates become texts like everywhere else.
    return { ok: true, value: JSON.parse(JSON.stringify(parse(text))) as JsonValue, root: undefined };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Its message repeats the line, which may hold a secret.
    problems.error([], `not TOML, from line ${error.line}, column ${error.column}`);
    return { ok: false, problems: problems.all };
  }
}

const dialect: ForeignDialect = {
  lenient: true,
  protocolOfUrl: (url) => (/\/sse\/?(?:[?#]|$)/.test(url) ? 'sse' : 'streamable_http'),
  ignoredKeys: KEYS_OF_CLIENTS,
};

function readEntry(
  name: string,
  value: JsonValue,
  { path, project: sectionProject }: Section,
  { client, file, project: fileProject }: ClientFile,
  problems: ProblemList,
): ServerConfig | undefined {
  const at: JsonPath = [...path, name];
  const { entry, forbidden } = isObject(value) ? toCommonEntry(client, value) : { entry: value, forbidden: [] };
  const format = client === 'vscode' ? 'vscode' : client === 'codex' ? 'a2c' : 'mcpServers';
  const context = { problems, origin: { file, format }, checkVrl: undefined } as const;
  const server = readForeignServer(name, entry, at, context, dialect);
  const project = sectionProject ?? fileProject;
  return server && { ...atHome(server, project), forbidden_tools: forbidden };
}

/**
 * A server of a project keeps meaning what it meant there: the project's folder is written out, and a program that is given
 * something of that folder is started in it.
 */
function atHome(server: ServerConfig, project: string | null): ServerConfig {
  const transport = translateValue(server.transport as unknown as JsonObject, (text) =>
    text
      .replaceAll(/\$\{(?:pathSeparator|\/)\}/g, sep)
      .replaceAll('${workspaceFolder}', () => project ?? '${workspaceFolder}')
      .replaceAll('${workspaceFolderBasename}', () => (project ? basename(project) : '${workspaceFolderBasename}')),
  ) as unknown as Transport;
  if (project === null || transport.type !== 'stdio') return { ...server, transport };
  const { argv, cwd, env_file } = transport;
  const here =
    cwd === null ? (argv.some((text, index) => namesSomethingIn(project, text, index === 0)) ? project : null) : cwd;
  return {
    ...server,
    transport: {
      ...transport,
      cwd: here === null || isAbsolute(here) || here.startsWith('${') ? here : join(project, here),
      env_file:
        env_file === null || isAbsolute(env_file) || env_file.startsWith('${') ? env_file : join(project, env_file),
    },
  };
}

function namesSomethingIn(folder: string, text: string, isProgram: boolean): boolean {
  if (text === '' || isAbsolute(text) || text.startsWith('-') || text.includes('\0')) return false;
  // A program without a folder is looked for on the PATH, not here.
  if (isProgram && !/[\\/]/.test(text)) return false;
  return /^\.{1,2}(?:[\\/]|$)/.test(text) || existsSync(join(folder, text));
}
