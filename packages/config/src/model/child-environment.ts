import type { StdioTransport } from './server-config.js';

/**
 * The variables that a child process needs to find programs, its home and the temporary folder. None holds a secret.
 */
export const BASELINE_ENV = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'SYSTEMROOT',
] as const;

/**
 * The environment that a stdio server is started with.
 *
 * @param parent The environment to inherit from; that of the process by default.
 */
export function childEnvironment(
  { inherit_env, env }: Pick<StdioTransport, 'inherit_env' | 'env'>,
  parent: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const names = inherit_env ? Object.keys(parent) : BASELINE_ENV;
  const inherited = names.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]] as const]));
  return { ...Object.fromEntries(inherited), ...env };
}
