import { basename } from 'node:path';
import { childEnvironment, NETWORK_ENV, type StdioTransport } from '@a2c/config';

/** Programs that may download a package before they start it, with the subcommands that do so; null: always. */
const DOWNLOADERS: Readonly<Record<string, readonly string[] | null>> = {
  npx: null,
  pnpx: null,
  bunx: null,
  uvx: null,
  dnx: null,
  npm: ['exec', 'x'],
  pnpm: ['dlx', 'exec'],
  yarn: ['dlx'],
  bun: ['x'],
  uv: ['run', 'tool'],
  pipx: ['run'],
  deno: ['run'],
  docker: ['run'],
  podman: ['run'],
};

/** True if the start of the program may include a download of minutes, in which it may write nothing. */
export function mayDownload([program, ...args]: readonly [string, ...string[]]): boolean {
  const name = basename(program).replace(/\.(cmd|exe|bat)$/i, '');
  if (!Object.hasOwn(DOWNLOADERS, name)) return false;
  const subcommands = DOWNLOADERS[name];
  return !subcommands || subcommands.includes(args.find((arg) => !arg.startsWith('-')) ?? '');
}

/** The remedy for a download that fails because the program does not get this machine's certificates or proxy. */
export function downloadRemedy(stdio: StdioTransport): string | null {
  const passed = childEnvironment(stdio);
  const missing = NETWORK_ENV.filter((name) => process.env[name] && passed[name] === undefined);
  if (missing.length === 0) return null;
  const entry = `"${missing[0]}": "\${env:${missing[0]}}"`;
  return `if the download failed: the program does not get ${missing.join(', ')}; add to its "env": ${entry}`;
}
