import { listedLogins } from '../../../login/list.js';
import { openBrowser } from '../../../login/open-browser.js';
import { printError } from '../../../output.js';
import { words } from '../command-line.js';
import { done, failed, json, type Reply, required, type Session, type ShellCommand } from '../session.js';

const USAGE = 'login <name> [--paste|--device] [--account <name>]';

async function login(session: Session, rest: string): Promise<Reply> {
  const { computer, view, signal, ask } = session;
  const { names, account, way } = optionsIn(rest);
  const name = required(session, names[0], USAGE);
  try {
    await computer.login(name, {
      way,
      signal,
      ...account,
      onUrl: ({ url, code }) => {
        const isOpened = way === 'browser' && openBrowser(url);
        printError(
          view.say(code === null ? (isOpened ? 'loginOpened' : 'loginOpen') : 'loginCode', { code: code ?? '' }),
        );
        printError(url);
      },
      readRedirect: async () => (await ask?.(view.say('loginPaste'))) ?? '',
    });
  } catch (error) {
    return failed(view, view.say('loginFailed', { reason: view.translate((error as Error).message) }), { name });
  }
  // It would connect by itself, but the next command may need it at once. Its status has the error.
  await session.whileStarting(computer.startServer(name)).catch(() => {});
  return done(view, view.say('loginDone', { name }), { name });
}

async function logout(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const { names, account } = optionsIn(rest);
  const name = required(session, names[0], 'logout <name> [--account <name>]');
  const existed = await computer.logout(name, account);
  return done(view, view.say(existed ? 'logoutDone' : 'logoutNone', { name }), { name, existed });
}

function optionsIn(rest: string) {
  const given = words(rest);
  const at = given.indexOf('--account');
  const account = at < 0 ? undefined : given[at + 1];
  const names = given.filter((word, index) => !word.startsWith('--') && (at < 0 || index !== at + 1));
  const way = given.includes('--device') ? 'device' : given.includes('--paste') ? 'paste' : 'browser';
  return { names, way, account: account === undefined ? {} : { account } } as const;
}

export const loginCommands: readonly ShellCommand[] = [
  {
    path: 'login',
    usage: '<name> [--paste|--device] [--account <name>]',
    help: 'help_login',
    argument: 'server',
    handlesSignal: true,
    run: login,
  },
  { path: 'logins', usage: '', help: 'help_logins', argument: 'none', run: async () => json(await listedLogins()) },
  { path: 'logout', usage: '<name> [--account <name>]', help: 'help_logout', argument: 'server', run: logout },
];
