import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { a2cCommand, type OtherWriter } from '@a2c/protocol';
import { deepFreeze, isObject } from '../json/json-value.js';
import type { MCPConfig } from '../model/mcp-config.js';
import { ConfigError, type Problem, ProblemList } from '../problems.js';
import { parseText, readDocument, type SourceDocument } from '../readers/read-config.js';
import type { VrlCheck } from '../readers/reader.js';
import { isInsideFolder } from './inside-folder.js';
import { type FileContent, FileError, followOwnLink, readFileOf, readFileSafely } from './read-file-safely.js';

/** The file names that are searched in the root, in this order, when no file is given. */
export const DISCOVERED_FILES = ['.mcp.json', 'mcp.json'] as const;
/** The folder of a project with settings and MCP servers for everyone who works in it. */
export const PROJECT_FOLDER = '.tfrobot';
const MAX_INDIRECTIONS = 16;

/** Options of `loadConfig`. */
export interface LoadOptions {
  /** The folder to search, and the base of relative paths in the configuration; the working directory by default. */
  readonly root?: string;
  /** The file to load, absolute or relative to the root. Without it `DISCOVERED_FILES` are searched. */
  readonly config?: string;
  /** Checks the VRL scripts of the servers of a named file; without it they are not checked. */
  readonly checkVrl?: VrlCheck;
}

/** A file that belongs to a configuration. */
export interface SourceFile {
  readonly file: string;
  /** The digest of the content that was read, in hex. */
  readonly sha256: string;
}

/** Where a configuration was loaded from. Trust is granted to a source. */
export interface ConfigSource {
  readonly root: string;
  /** The file that was discovered or given, followed by the files it refers to. */
  readonly files: readonly [SourceFile, ...SourceFile[]];
  /** True for a discovered file, false for a file that the user named. */
  readonly discovered: boolean;
}

/** A configuration with its source and the warnings about it. */
export interface LoadedConfig extends MCPConfig {
  readonly source: ConfigSource;
  readonly warnings: readonly Problem[];
}

/**
 * Loads the given file, or the first of `DISCOVERED_FILES` in the root. Returns null when no file is given and none is
 * found.
 *
 * @throws ConfigError when the file cannot be read or is invalid.
 *
 * @example
 * ```ts
 * const config = await loadConfig({ root: process.cwd() });
 * for (const { name, transport } of config?.servers ?? []) console.log(name, transport.type);
 * ```
 */
export async function loadConfig(options: LoadOptions = {}): Promise<LoadedConfig | null> {
  const root = resolve(options.root ?? '.');
  const { checkVrl } = options;
  if (options.config !== undefined) {
    return loadFile({ file: resolve(root, options.config), root, discovered: false, checkVrl });
  }
  for (const name of DISCOVERED_FILES) {
    const loaded = await loadIfPresent({ file: join(root, name), root, discovered: true, checkVrl });
    if (loaded) return loaded;
  }
  return null;
}

/**
 * Like `loadConfig`, but a missing configuration is an error.
 *
 * @throws ConfigError when there is no configuration, or it cannot be read or is invalid.
 */
export async function loadRequiredConfig(options: LoadOptions = {}): Promise<LoadedConfig> {
  const loaded = await loadConfig(options);
  if (loaded) return loaded;
  const problems = new ProblemList(resolve(options.root ?? '.'));
  problems.error(
    [],
    `no configuration found; looked for ${DISCOVERED_FILES.join(' and ')}; name a file with --config, or write one with "${a2cCommand('config import --write mcp.json')}"`,
  );
  throw new ConfigError(problems.all);
}

/** True only when the candidate itself is missing. A missing file that it refers to is an error. */
function isMissing(candidate: string, error: unknown): boolean {
  if (!(error instanceof ConfigError && error.cause instanceof FileError)) return false;
  return error.cause.missing && error.problems[0]?.file === candidate;
}

/**
 * Loads a file; null if it does not exist.
 *
 * @throws ConfigError when it cannot be read or is invalid.
 */
export async function loadIfPresent(candidate: Candidate): Promise<LoadedConfig | null> {
  try {
    return await loadFile(candidate);
  } catch (error) {
    if (isMissing(candidate.file, error)) return null;
    throw error;
  }
}

/** A file that may exist. */
export interface Candidate {
  readonly file: string;
  readonly root: string;
  readonly discovered: boolean;
  readonly checkVrl: VrlCheck | undefined;
}

async function loadFile({ file, root, discovered, checkVrl }: Candidate): Promise<LoadedConfig> {
  const files: SourceFile[] = [];
  const writable: Problem[] = [];
  const seen = new Set<string>();
  let current = file;
  for (let hop = 0; ; hop += 1) {
    const { document, sha256, otherWriter } = await readSource(current, async () => {
      if (hop > 0) return readFileSafely(current); // `followIndirection` has resolved the links.
      // The user may name a link of their own. A project must not choose the files of another one by a link.
      return discovered ? readFileOf(root, current) : readFileSafely(await followOwnLink(current));
    });
    files.push({ file: current, sha256 });
    if (otherWriter) writable.push(changeable(current, otherWriter));
    seen.add(await realpath(current));
    const target = indirection(document);
    if (target === undefined) {
      // A few hundred characters can take minutes to compile: not for a file that no one has named or trusted.
      const check = !discovered && checkVrl ? { checkVrl } : {};
      const { config, problems } = readDocument(document, { file: current, ...check });
      if (!config) throw new ConfigError(problems);
      const source = { root, files: files as [SourceFile, ...SourceFile[]], discovered };
      return deepFreeze({ ...config, source, warnings: [...writable, ...problems] });
    }
    const next = await followIndirection(target, current, root);
    if ('problem' in next) throw indirectionError(current, document, next.problem);
    if (seen.has(next.file)) throw indirectionError(current, document, 'this path leads back to a file already read');
    if (hop >= MAX_INDIRECTIONS) {
      throw indirectionError(current, document, `more than ${MAX_INDIRECTIONS} references in a row`);
    }
    current = next.file;
  }
}

/** The file names programs to start: a user who can write to it can run programs as this user. */
function changeable(file: string, { who, remedy }: OtherWriter): Problem {
  const message = `${who} can change this file, and with it what is started; run: ${remedy} ${file}`;
  return { severity: 'warning', file, pointer: '', message };
}

interface ReadSource extends Pick<FileContent, 'sha256' | 'otherWriter'> {
  readonly document: SourceDocument;
}

async function readSource(file: string, read: () => Promise<FileContent>): Promise<ReadSource> {
  const content = await read().catch((error: unknown) => {
    if (!(error instanceof FileError)) throw error;
    const problems = new ProblemList(file);
    problems.error([], error.message);
    throw new ConfigError(problems.all, { cause: error });
  });
  const parsed = parseText(content.text, file);
  if (!parsed.ok) throw new ConfigError(parsed.problems.all);
  const { sha256, otherWriter } = content;
  return { document: parsed.document, sha256, otherWriter };
}

/** The path in `"mcpServers": "<path>"`: plugin manifests keep their servers in another file. */
function indirection({ value }: SourceDocument): string | undefined {
  return isObject(value) && typeof value.mcpServers === 'string' ? value.mcpServers : undefined;
}

/** The path comes from the file, not from the user, so it must stay inside the root after links are resolved. */
async function followIndirection(
  target: string,
  from: string,
  root: string,
): Promise<{ readonly file: string } | { readonly problem: string }> {
  if (target.trim() === '') return { problem: 'the path is empty' };
  if (isAbsolute(target)) return { problem: 'the path must be relative to this file' };
  if (target.split(/[\\/]/).includes('..')) return { problem: 'the path must not contain ".."' };
  const joined = join(dirname(from), target);
  const file = await realpath(joined).catch(() => undefined);
  if (file === undefined) return { problem: 'the file at this path does not exist' };
  return isInsideFolder(await realpath(root), file) ? { file } : { problem: 'the path leads out of the root' };
}

function indirectionError(file: string, { text, root }: SourceDocument, message: string): ConfigError {
  const problems = new ProblemList(file, text, root);
  problems.error(['mcpServers'], message);
  return new ConfigError(problems.all);
}
