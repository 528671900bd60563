import type { StdioTransport } from './server-config.js';

/**
 * The variables that a child process needs to find programs, its user, its home and the temporary folder: those of
 * mcp-kit and of the MCP SDKs. None holds a secret. On Windows, names are compared without case.
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
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'APPDATA',
  'LOCALAPPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'USERNAME',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'PROCESSOR_ARCHITECTURE',
] as const;

/** Variables that name the certificate authorities and proxies of this machine. A proxy may contain a password. */
export const NETWORK_ENV = [
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
] as const;

/** Variables of a2c, such as API keys and inputs. They never reach an MCP server. */
const OWN_VARIABLE = /^A2C_/i;

/**
 * The environment that a stdio server is started with: `BASELINE_ENV`, or with `inherit_env` all variables except
 * those of a2c, and `env`.
 *
 * @param parent The environment to inherit from; that of the process by default.
 */
export function childEnvironment(
  { inherit_env, env }: Pick<StdioTransport, 'inherit_env' | 'env'>,
  parent: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const names = inherit_env ? Object.keys(parent).filter((name) => !OWN_VARIABLE.test(name)) : BASELINE_ENV;
  const inherited = names.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]] as const]));
  return { ...Object.fromEntries(inherited), ...env };
}
