import { basename } from 'node:path';

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
