import { closeSync, existsSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { findProgram, type SandboxSettings } from '@a2c/config';
import { HubError } from '../../errors.js';
import { KEYRING_FILTER } from './keyring-filter.js';

/** A program as it would start without a sandbox. */
interface Program {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Programs and libraries of the system. They contain no data of users. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt', '/nix/store'];
/** What programs need of `/etc`: libraries, users, time, certificates without keys, and names of hosts. */
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
  'pki/ca-trust',
  'pki/tls/cert.pem',
  'pki/tls/certs',
  'pki/tls/openssl.cnf',
  'resolv.conf',
  'ssl/cert.pem',
  'ssl/certs',
  'ssl/openssl.cnf',
];

/** The descriptor from which bubblewrap reads more arguments. */
const ARGUMENTS_FD = 3;
/** The descriptor from which bubblewrap reads the seccomp filter. */
const FILTER_FD = 4;
/** The first descriptor of the files and folders that are open for bubblewrap. */
const FIRST_OPEN_FD = 5;
/** The names of the keys that a program could reach. It does not exist in each kernel. */
const KEYS = '/proc/keys';
/** Opens a path without reading: `O_PATH` of Linux, which Node does not name. */
const O_PATH = 0o10000000;

/**
 * The command that runs a program in a sandbox of bubblewrap: the system can be read, `read` and `write` are the only
 * other folders, `/tmp` and the home folder are empty, there is no network unless it is allowed, and the keyrings of
 * the person are out of reach.
 *
 * The environment is passed on a descriptor: bubblewrap itself runs outside of the sandbox, where a variable such as
 * LD_LIBRARY_PATH must not apply, and other users can read its command line.
 *
 * @throws HubError if bubblewrap is missing: the program must not start without the sandbox
 */
export function inBubblewrap(program: Program, { read, write, network }: SandboxSettings, path = process.env.PATH) {
  const { name, file, args, cwd, env } = program;
  const bwrap = process.platform === 'linux' ? findProgram('bwrap', { PATH: path }) : undefined;
  if (bwrap === undefined) throw missing(name);
  const binds = (option: string, paths: readonly string[]) => paths.flatMap((each) => [option, each, each]);
  const open: string[] = [];
  const bindsOpen = (option: string, from: string, to = from) => [
    option,
    String(FIRST_OPEN_FD + open.push(from) - 1),
    to,
  ];
  const real = realpathSync(file);
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
      // The settings of the kernel: root could change them also without capabilities.
      ...['--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys', '--dev', '/dev', '--tmpfs', '/tmp'],
      ...(existsSync(KEYS) ? ['--ro-bind', '/dev/null', KEYS] : []),
      ...(KEYRING_FILTER ? ['--seccomp', String(FILTER_FD)] : []),
      ...(homedir() === '/' ? [] : ['--tmpfs', homedir()]),
      // An empty folder, unless it is one of those below.
      ...['--dir', cwd],
      ...[...new Set([file, real])]
        .filter((each) => !isOfSystem(each))
        .flatMap((each) => bindsOpen('--ro-bind-fd', real, each)),
      ...read.flatMap((each) => bindsOpen('--ro-bind-fd', each)),
      ...write.flatMap((each) => bindsOpen('--bind-fd', each)),
      ...['--args', String(ARGUMENTS_FD), '--chdir', cwd, '--', file, ...args],
    ],
    env: {},
    open,
    inputs: [
      Object.entries(env)
        .flatMap((entry) => ['--setenv', ...entry.map(withoutEnd)])
        .map((argument) => `${argument}\0`)
        .join(''),
      KEYRING_FILTER ?? '',
    ],
  };
}

/** The arguments on the descriptor end with NUL: a value with one could add options. */
function withoutEnd(text: string): string {
  if (!text.includes('\0')) return text;
  throw new HubError('refused', 'a variable of the program contains NUL, which no environment can contain');
}

/**
 * Calls `use` with the descriptors of files and folders. A program could replace a part of a folder that it may change
 * by a link, also while another one starts, and so widen a sandbox: what is checked is what bubblewrap gets.
 *
 * @throws HubError if one is missing or leads elsewhere by a link
 */
export function withOpen<T>(paths: readonly string[], use: (descriptors: readonly number[]) => T): T {
  const descriptors: number[] = [];
  try {
    for (const path of paths) {
      descriptors.push(openPath(path));
      const real = readlinkSync(`/proc/self/fd/${descriptors.at(-1)}`);
      if (real === resolve(path)) continue;
      const message = `the folder ${path} of the sandbox leads to ${real} by a symbolic link; if that is right, use ${real}`;
      throw new HubError('refused', message);
    }
    return use(descriptors);
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

function openPath(path: string): number {
  try {
    return openSync(path, O_PATH);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new HubError(
      'refused',
      `the folder ${path} of the sandbox cannot be opened (${code}): create it or remove it`,
    );
  }
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
