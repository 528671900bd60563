import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { hasPlaceholder } from '../placeholders/syntax.js';
import { nearest, type Problem } from '../problems.js';
import { isInsideFolder, linkOnTheWay } from './inside-folder.js';
import type { LoadedConfig } from './load-config.js';

/** A warning for each enabled server whose program cannot be executed. Programs with placeholders are not checked. */
export function checkPrograms({ servers, source }: LoadedConfig, env: NodeJS.ProcessEnv = process.env): Problem[] {
  return servers.flatMap(({ name, disabled, transport, origin }): Problem[] => {
    if (disabled || transport.type !== 'stdio') return [];
    const { argv, cwd } = transport;
    if (hasPlaceholder(argv[0]) || (cwd !== null && hasPlaceholder(cwd))) return [];
    if (findProgram(argv[0], { ...env, ...transport.env }, resolve(source.root, cwd ?? '.'))) return [];
    const message = `server "${name}": the program "${argv[0]}" was not found or cannot be executed: ${howToFind(argv[0])}`;
    return [{ severity: 'warning', file: origin.file, pointer: '', message }];
  });
}

/** What to do about a program that was not found. */
export function howToFind(program: string): string {
  if (program.startsWith('~')) return 'write the whole path, because "~" is not replaced';
  if (/\s/.test(program)) return 'put only the program into "command", and its arguments into "args"';
  return 'install it, give its full path, or make it executable';
}

/**
 * An error for each enabled server whose `stdout_log` the start would reject: it is outside of the root, or a symbolic
 * link is on its path.
 */
export function checkLogPaths({ servers, source }: LoadedConfig): Problem[] {
  return servers.flatMap(({ name, disabled, transport, origin }): Problem[] => {
    if (disabled || transport.type !== 'stdio' || transport.stdout_log === null) return [];
    const { path } = transport.stdout_log;
    const problem = logPathProblem(resolve(source.root, path), source.root);
    if (problem === undefined) return [];
    const message = `server "${name}": the stdout_log ${path} ${problem}`;
    return [{ severity: 'error', file: origin.file, pointer: '', message }];
  });
}

/**
 * A warning for each pattern in the settings of the proxy that can match no tool, because it matches no server of the
 * file. The tools themselves are known only when the servers run.
 */
export function checkPatterns({ servers, proxy, source }: LoadedConfig): Problem[] {
  const names = servers.map(({ name }) => name);
  const lists = [
    ...(['allowed_tools', 'denied_tools', 'pinned_tools'] as const).map((key) => ({ at: key, list: proxy?.[key] })),
    ...Object.entries(proxy?.toolsets ?? {}).flatMap(([toolset, choice]) =>
      (['allow', 'deny', 'pinned'] as const).map((key) => ({ at: `toolsets/${toolset}/${key}`, list: choice[key] })),
    ),
  ];
  return lists.flatMap(({ at, list }) =>
    (list ?? []).flatMap((pattern, index): Problem[] => {
      if (names.some((name) => mayMatch(pattern, name))) return [];
      const near = nearest(pattern.split('/')[0] as string, names);
      const skill = pattern.includes('/') ? '' : ', unless it is the name of a skill';
      const message = `"${pattern}" matches no server of this file${skill}; a pattern is server or server/tool, with *`;
      const hint = near === undefined ? {} : { did_you_mean: near };
      return [{ severity: 'warning', file: source.files[0].file, pointer: `/${at}/${index}`, message, ...hint }];
    }),
  );
}

/** Whether a pattern can match the server or a tool `server/…`. */
function mayMatch(pattern: string, server: string): boolean {
  const [literal = '', ...rest] = pattern.split('*');
  const tools = `${server}/`;
  if (rest.length === 0) return pattern === server || pattern.startsWith(tools);
  return literal.startsWith(tools) || tools.startsWith(literal);
}

function logPathProblem(path: string, root: string): string | undefined {
  if (!isInsideFolder(root, path)) return `is outside of ${root}: choose a path below it`;
  const link = linkOnTheWay(root, path);
  return link === undefined ? undefined : `goes through the symbolic link ${link}: choose a path without links`;
}

/** The executable file that the system would start for a program name; undefined when there is none. */
export function findProgram(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
  cwd = process.cwd(),
): string | undefined {
  const windows = process.platform === 'win32';
  // On Windows, `npx` without an extension is a shell script next to `npx.cmd`.
  const extensions = windows ? [...(env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';'), ''] : [''];
  const hasFolder = isAbsolute(name) || name.includes('/') || (windows && name.includes('\\'));
  const folders = hasFolder ? [cwd] : (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders
    .flatMap((folder) =>
      extensions.map((extension) => (hasFolder ? resolve(folder, name) : join(folder, name)) + extension),
    )
    .find(isExecutableFile);
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // The file does not exist or may not be executed.
  }
}
