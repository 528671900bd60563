import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. Paths are relative to it, with forward slashes. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function readJson<T>(path: string): T {
  return JSON.parse(read(path)) as T;
}

export function packageNames(): string[] {
  return readdirSync(join(ROOT, 'packages')).toSorted();
}

/** Folders that builds and tools write. */
const GENERATED = new Set(['node_modules', 'dist', '.git', 'target', 'coverage', 'api', 'tarballs']);

export function filesBelow(folder: string, pattern: RegExp): SourceFile[] {
  return pathsBelow(folder === '.' ? '' : folder)
    .filter((path) => pattern.test(basename(path)))
    .toSorted()
    .map((path) => ({ path, text: read(path) }));
}

/** Without a look into the folders that are left out: `node_modules` alone has more files than everything else. */
function pathsBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (GENERATED.has(entry.name)) return [];
    if (entry.isDirectory()) return pathsBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Strings are matched first and kept, so that a glob such as `'src/*'` does not start a comment. */
const STRING_OR_COMMENT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/.*$/gm;

export function withoutComments(source: string): string {
  return source.replaceAll(STRING_OR_COMMENT, (_match, text: string | undefined) => text ?? '');
}

/** Where each comment starts and ends in the source. */
export function commentsOf(source: string): { readonly start: number; readonly end: number }[] {
  return [...source.matchAll(STRING_OR_COMMENT)].flatMap(({ 0: match, 1: string, index }) =>
    string === undefined ? [{ start: index, end: index + match.length }] : [],
  );
}
