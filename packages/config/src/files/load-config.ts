import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { deepFreeze, isObject } from '../json/json-value.js';
import type { MCPConfig } from '../model/mcp-config.js';
import { ConfigError, type Problem, ProblemList } from '../problems.js';
import { parseText, readDocument, type SourceDocument } from '../readers/read-config.js';
import type { VrlCheck } from '../readers/reader.js';
import { FileRefused, readFileSafely } from './read-file-safely.js';

/** Looked for in the root, in this order, when no file is named. */
export const DISCOVERED_FILES = ['.mcp.json', 'mcp.json'] as const;
const MAX_INDIRECTIONS = 16;

export interface LoadOptions {
  /** Where files are looked for and what relative paths inside them start from; the working directory by default. */
  readonly root?: string;
  /** A named file, absolute or relative to the root. */
  readonly config?: string;
  readonly checkVrl?: VrlCheck;
}

/** A file that took part in a configuration, as it was when it was read. */
export interface SourceFile {
  readonly file: string;
  readonly sha256: string;
}

/** Where a configuration came from: what trust is granted to. */
export interface ConfigSource {
  readonly root: string;
  /** The first is the file that was found or named; others were reached from it. */
  readonly files: readonly [SourceFile, ...SourceFile[]];
  /** Found by looking rather than named by a person. */
  readonly discovered: boolean;
}

export interface LoadedConfig extends MCPConfig {
  readonly source: ConfigSource;
  readonly warnings: readonly Problem[];
}

/** The configuration of `root`, or null when nothing was named and nothing found. A bad file is a `ConfigError`. */
export async function loadConfig(options: LoadOptions = {}): Promise<LoadedConfig | null> {
  const root = resolve(options.root ?? '.');
  if (options.config !== undefined) return loadFile(resolve(root, options.config), root, false, options);
  for (const name of DISCOVERED_FILES) {
    try {
      return await loadFile(join(root, name), root, true, options);
    } catch (error) {
      if (!isMissing(join(root, name), error)) throw error;
    }
  }
  return null;
}

/** Like `loadConfig`, for callers that cannot do without. */
export async function loadRequiredConfig(options: LoadOptions = {}): Promise<LoadedConfig> {
  const loaded = await loadConfig(options);
  if (loaded) return loaded;
  const problems = new ProblemList(resolve(options.root ?? '.'));
  problems.error(
    [],
    `no configuration found; looked for ${DISCOVERED_FILES.join(' and ')}; name a file with --config, or write one with "a2c config import --write mcp.json"`,
  );
  throw new ConfigError(problems.all);
}

/** Of the candidate itself: a file that it leads to must not vanish without a word. */
function isMissing(candidate: string, error: unknown): boolean {
  if (!(error instanceof ConfigError && error.cause instanceof FileRefused)) return false;
  return error.cause.missing && error.problems[0]?.file === candidate;
}

async function loadFile(
  file: string,
  root: string,
  discovered: boolean,
  { checkVrl }: LoadOptions,
): Promise<LoadedConfig> {
  const files: SourceFile[] = [];
  const seen = new Set<string>();
  let current = file;
  for (let hop = 0; ; hop += 1) {
    const { document, sha256 } = await readSource(current);
    files.push({ file: current, sha256 });
    seen.add(await realpath(current));
    const target = indirection(document);
    if (target === undefined) {
      const { config, problems } = readDocument(document, { file: current, ...(checkVrl ? { checkVrl } : {}) });
      if (!config) throw new ConfigError(problems);
      const source = { root, files: files as [SourceFile, ...SourceFile[]], discovered };
      return deepFreeze({ ...config, source, warnings: problems });
    }
    const next = await followIndirection(target, current, root);
    if ('refused' in next) throw refusedAt(current, document, next.refused);
    if (seen.has(next.file)) throw refusedAt(current, document, 'this path leads back to a file already read');
    if (hop >= MAX_INDIRECTIONS) throw refusedAt(current, document, `more than ${MAX_INDIRECTIONS} files in a row`);
    current = next.file;
  }
}

async function readSource(file: string): Promise<{ document: SourceDocument; sha256: string }> {
  const content = await readFileSafely(file).catch((error: unknown) => {
    if (!(error instanceof FileRefused)) throw error;
    const problems = new ProblemList(file);
    problems.error([], error.message);
    throw new ConfigError(problems.all, { cause: error });
  });
  const parsed = parseText(content.text, file);
  if (!parsed.ok) throw new ConfigError(parsed.problems.all);
  return { document: parsed.document, sha256: content.sha256 };
}

/** `"mcpServers": "<path>"`: plugin manifests keep their servers in a file of their own. */
function indirection({ value }: SourceDocument): string | undefined {
  return isObject(value) && typeof value.mcpServers === 'string' ? value.mcpServers : undefined;
}

/** The path is the file's word, not the person's: it must stay below the root, links resolved. */
async function followIndirection(
  target: string,
  from: string,
  root: string,
): Promise<{ readonly file: string } | { readonly refused: string }> {
  if (target.trim() === '') return { refused: 'the path is empty' };
  if (isAbsolute(target)) return { refused: 'the path must be relative to this file' };
  if (target.split(/[\\/]/).includes('..')) return { refused: 'the path must not contain ".."' };
  const joined = join(dirname(from), target);
  const file = await realpath(joined).catch(() => undefined);
  if (file === undefined) return { refused: 'the path leads to no file' };
  const inside = relative(await realpath(root), file);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    return { refused: 'the path leads out of the root' };
  }
  return { file };
}

function refusedAt(file: string, { text, root }: SourceDocument, message: string): ConfigError {
  const problems = new ProblemList(file, text, root);
  problems.error(['mcpServers'], message);
  return new ConfigError(problems.all);
}
