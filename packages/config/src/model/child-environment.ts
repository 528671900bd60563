import type { StdioTransport } from './server-config.js';

/** What a child needs to find programs, its home and a place for temporary files, and nothing that may be a secret. */
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

/** The environment a stdio server is started with. */
export function childEnvironment(
  { inherit_env, env }: Pick<StdioTransport, 'inherit_env' | 'env'>,
  parent: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const names = inherit_env ? Object.keys(parent) : BASELINE_ENV;
  const inherited = names.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]] as const]));
  return { ...Object.fromEntries(inherited), ...env };
}
