import { execFile } from 'node:child_process';
import { BASELINE_ENV, NETWORK_ENV } from '@a2c/config';
import { redactLog } from '@a2c/protocol';

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT = 1_024 * 1_024;

/** Variables that a user may need for an own repository: keys and an own configuration of git. */
const GIT_ENV = ['SSH_AUTH_SOCK', 'GIT_SSH_COMMAND', 'GIT_CONFIG_GLOBAL', 'GIT_SSL_CAINFO', 'XDG_CONFIG_HOME'];

/** No question, no program of the repository: neither hooks nor filters nor other protocols. */
const ALWAYS = [
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'protocol.ext.allow=never'],
  ...['-c', 'submodule.recurse=false'],
];

/** How git may connect. */
export interface GitAccess {
  /** An untrusted repository: https only, no redirects, and only these addresses (null: not checked). */
  readonly untrusted?: { readonly url: string; readonly addresses: readonly string[] | null };
  readonly signal?: AbortSignal | undefined;
}

/** A failure of git, or git is missing. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/**
 * Runs git without asking anything. Returns what it prints.
 *
 * @throws GitError
 */
export function runGit(args: readonly string[], { untrusted, signal }: GitAccess = {}): Promise<string> {
  const names = [...BASELINE_ENV, ...NETWORK_ENV, ...GIT_ENV];
  const inherited = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const env = {
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    ...Object.fromEntries(inherited),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
  };
  const all = [...ALWAYS, ...(untrusted ? restrictions(untrusted) : []), ...args];
  return new Promise((resolve, reject) => {
    execFile('git', all, { env, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT, signal }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout.trim());
      if (error.code === 'ENOENT')
        return reject(new GitError('git is not installed, and marketplaces are git repositories: install git'));
      const cause = error.killed ? `it took longer than ${TIMEOUT_MS / 1_000} s` : lastLine(stderr) || error.message;
      // The address of a repository may contain a password.
      reject(new GitError(`git ${args[0] === '-C' ? args[2] : args[0]} failed: ${redactLog(cause, [])}`));
    });
  });
}

function restrictions({ url, addresses }: NonNullable<GitAccess['untrusted']>): string[] {
  const { hostname, port } = new URL(url);
  const address = addresses?.map((text) => (text.includes(':') ? `[${text}]` : text)).join(',');
  return [
    ...['-c', 'protocol.allow=never', '-c', 'protocol.https.allow=always', '-c', 'http.followRedirects=false'],
    ...['-c', 'credential.helper='],
    ...(address ? ['-c', `http.curloptResolve=${hostname}:${port || 443}:${address}`] : []),
  ];
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
