import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { findProgram, type SandboxSettings } from '@a2c/config';
import { HubError } from '../../errors.js';

/** A program as it would start without a sandbox. */
interface Program {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Programs and libraries of the system. They contain no data of users. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt', '/nix/store'];
/** What programs need of `/etc`: libraries, users, time, certificates and names of hosts. */
const SETTINGS = [
  'alternatives',
  'ca-certificates',
  'group',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'nsswitch.conf',
  'passwd',
  'pki',
  'resolv.conf',
  'ssl',
];

/**
 * The command that runs a program in a sandbox of bubblewrap: the system can be read, `read` and `write` are the only
 * other folders, `/tmp` and the home folder are empty, and there is no network unless it is allowed.
 *
 * @throws HubError if bubblewrap is missing: the program must not start without the sandbox
 */
export function inBubblewrap(program: Program, { read, write, network }: SandboxSettings, path = process.env.PATH) {
  const { name, file, args, cwd } = program;
  const bwrap = process.platform === 'linux' ? findProgram('bwrap', { PATH: path }) : undefined;
  if (bwrap === undefined) throw missing(name);
  const binds = (option: string, paths: readonly string[]) => paths.flatMap((each) => [option, each, each]);
  return {
    file: bwrap,
    args: [
      ...['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'],
      ...(network ? ['--share-net'] : []),
      ...binds('--ro-bind-try', SYSTEM),
      ...binds(
        '--ro-bind-try',
        SETTINGS.map((setting) => `/etc/${setting}`),
      ),
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
      ...(homedir() === '/' ? [] : ['--tmpfs', homedir()]),
      // An empty folder, unless it is one of those below.
      ...['--dir', cwd],
      ...binds(
        '--ro-bind',
        [...new Set([file, realpathSync(file)])].filter((each) => !isOfSystem(each)),
      ),
      ...binds('--ro-bind', read),
      ...binds('--bind', write),
      ...['--chdir', cwd, '--', file, ...args],
    ],
  };
}

function isOfSystem(path: string): boolean {
  return SYSTEM.some((folder) => path.startsWith(`${folder}/`));
}

function missing(name: string): HubError {
  const remedy =
    process.platform === 'linux'
      ? 'install bubblewrap (the program "bwrap"), or remove "sandbox"'
      : 'bubblewrap exists on Linux only; docs/security.md describes containers and the sandbox of macOS';
  return new HubError('refused', `the program "${name}" must run in a sandbox, which is not available: ${remedy}`);
}
