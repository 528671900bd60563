import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, sep } from 'node:path';
import { FileError, readFileSafely } from '../files/read-file-safely.js';
import { isObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import { type JsonNode, MAX_JSON_DEPTH } from '../json/parse-json.js';
import type { InputDefinition } from '../model/input-definition.js';
import type { ServerConfig } from '../model/server-config.js';
import { mapTexts } from '../placeholders/syntax.js';
import { type Problem, ProblemList } from '../problems.js';
import { parseText } from '../readers/read-config.js';
import { hasTooManyServers } from '../readers/reader.js';
import { type EntryDialect, readServerEntry } from '../readers/server-entry.js';
import { readVscodeInputs } from '../readers/vscode.js';
import { IGNORED_CLIENT_KEYS, inputsOf, sectionsOf, toCommonEntry } from './client-entries.js';
import type { ClientFile } from './client-files.js';

/** Larger than for other files: Claude Code keeps its history in the same file. */
const MAX_CLIENT_FILE_BYTES = 64 * 1024 * 1024;

export interface FoundServer extends ClientFile {
  readonly server: ServerConfig;
  /** Whether the file belongs to a project: somebody else may have written it. */
  readonly isOfProject: boolean;
}

export interface ClientFileContent extends ClientFile {
  readonly servers: readonly FoundServer[];
  readonly inputs: readonly InputDefinition[];
  readonly problems: readonly Problem[];
}

/**
 * Reads a client's file; undefined when it does not exist. A wrong entry is reported and left out, the others are kept.
 */
export async function readClientFile(candidate: ClientFile): Promise<ClientFileContent | undefined> {
  const { client, file } = candidate;
  const problems = new ProblemList(file);
  const empty = { ...candidate, servers: [], inputs: [] };
  let text: string;
  try {
    // Symbolic links are followed: people link these files from a repository of dotfiles.
    const target = await realpath(file).catch(() => file);
    ({ text } = await readFileSafely(target, MAX_CLIENT_FILE_BYTES));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.missing) return undefined;
    problems.error([], error.message);
    return { ...empty, problems: problems.all };
  }
  const parsed = client === 'codex' ? await parseToml(text, problems) : parseJsonText(text, file);
  if (!parsed.ok) return { ...empty, problems: parsed.problems };
  const { value, root } = parsed;
  // One list for all entries: it finds the lines of the text, which may be long, when it is created.
  const list = new ProblemList(file, text, root);
  const sections = sectionsOf(client, value);
  const count = sections.reduce((sum, { servers }) => sum + Object.keys(servers).length, 0);
  if (hasTooManyServers(count, [], list)) return { ...empty, problems: list.all };
  const found: FoundServer[] = [];
  for (const section of sections) {
    const location = { ...candidate, project: section.project ?? candidate.project };
    const isOfProject = candidate.project !== null;
    for (const [name, entry] of Object.entries(section.servers)) {
      const errors = list.errorCount;
      const server = readEntry({ value: entry, path: [...section.path, name], ...location }, list);
      if (server && list.errorCount === errors) found.push({ ...location, server, isOfProject });
    }
  }
  const { items, path } = inputsOf(client, value);
  const inputs = readVscodeInputs(items, path, list);
  return { ...candidate, servers: found, inputs, problems: list.all };
}

type Parsed =
  | { readonly ok: true; readonly value: JsonValue; readonly root: JsonNode | undefined }
  | { readonly ok: false; readonly problems: readonly Problem[] };

function parseJsonText(text: string, file: string): Parsed {
  if (text.trim() === '') return { ok: true, value: {}, root: undefined };
  const parsed = parseText(text, file);
  return parsed.ok ? { ok: true, ...parsed.document } : { ok: false, problems: parsed.problems.all };
}

/** The parser is loaded on first use: only Codex uses TOML. */
async function parseToml(text: string, problems: ProblemList): Promise<Parsed> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    const value = parse(text);
    if (isDeeper(value, MAX_JSON_DEPTH)) {
      problems.error([], `nested deeper than ${MAX_JSON_DEPTH} levels`);
      return { ok: false, problems: problems.all };
    }
    // JSON.stringify turns TOML dates into strings.
    return { ok: true, value: JSON.parse(JSON.stringify(value)) as JsonValue, root: undefined };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The parser's message quotes the line, which may contain a secret.
    problems.error([], `not valid TOML at line ${error.line}, column ${error.column}`);
    return { ok: false, problems: problems.all };
  }
}

/** A key with many dots is a deep value, which would overflow the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

const dialect: EntryDialect = {
  lenient: true,
  transportOfUrl: (url) => (/\/sse\/?(?:[?#]|$)/.test(url) ? 'sse' : 'streamable_http'),
  ignoredKeys: IGNORED_CLIENT_KEYS,
};

const NO_ALLOW_LIST =
  'a2c has no such list: all tools of this server become available; name others in "forbidden_tools", or use "a2c proxy --allow-tool"';

interface ClientEntry extends ClientFile {
  readonly value: JsonValue;
  /** The last step is the name of the server. */
  readonly path: JsonPath;
}

function readEntry({ value, path, client, file, project }: ClientEntry, problems: ProblemList) {
  const common = isObject(value) ? toCommonEntry(client, value) : { entry: value, forbidden: [] };
  const { entry, forbidden } = common;
  if ('allowList' in common && common.allowList !== undefined)
    problems.warn([...path, common.allowList], NO_ALLOW_LIST);
  const format = client === 'vscode' ? 'vscode' : client === 'codex' ? 'a2c' : 'mcpServers';
  const context = { problems, origin: { file, format }, checkVrl: undefined } as const;
  const server = readServerEntry({ name: String(path.at(-1)), value: entry, path }, context, dialect);
  return server && { ...withProjectPaths(server, project), forbidden_tools: forbidden };
}

/**
 * Makes the server of a project independent of the working directory: the project folder is written out, and a program
 * whose arguments refer to files of the project gets that folder as `cwd`.
 */
function withProjectPaths(server: ServerConfig, project: string | null): ServerConfig {
  const transport = mapTexts(server.transport, (text) =>
    text
      .replaceAll(/\$\{(?:pathSeparator|\/)\}/g, sep)
      .replaceAll('${workspaceFolder}', () => project ?? '${workspaceFolder}')
      .replaceAll('${workspaceFolderBasename}', () => (project ? basename(project) : '${workspaceFolderBasename}')),
  );
  if (project === null || transport.type !== 'stdio') return { ...server, transport };
  const { argv, cwd, env_file } = transport;
  const usesProject = argv.some((text, index) => isPathIn(project, text, index === 0));
  const absolute = (path: string | null) =>
    path === null || isAbsolute(path) || path.startsWith('${') ? path : join(project, path);
  return {
    ...server,
    transport: {
      ...transport,
      cwd: absolute(cwd ?? (usesProject ? project : null)),
      env_file: absolute(env_file),
    },
  };
}

function isPathIn(folder: string, text: string, isProgram: boolean): boolean {
  if (text === '' || isAbsolute(text) || text.startsWith('-') || text.includes('\0')) return false;
  // A program without a slash is found on the PATH.
  if (isProgram && !/[\\/]/.test(text)) return false;
  return /^\.{1,2}(?:[\\/]|$)/.test(text) || existsSync(join(folder, text));
}
