import { parseAuth, parseHeaders } from '../../../options.js';
import { ShellError, words } from '../command-line.js';
import { done, failed, type Reply, required, type Session, type ShellCommand } from '../session.js';

const CONNECT_USAGE = 'socket connect [<url>] [--auth k:v,…] [--headers k:v,…]';

async function connect(session: Session, rest: string): Promise<Reply> {
  const { view, settings } = session;
  if (session.link) throw new ShellError(view.say('alreadyConnected'));
  const given = readOptions(words(rest), view.say('usage', { usage: CONNECT_USAGE }));
  const typed = given.url === undefined && session.ask && settings.link.url === undefined;
  const url = given.url ?? (typed ? await askUrl(session) : settings.link.url);
  if (!url) throw new ShellError(view.say('urlRequired'));
  const auth = given.auth ?? (typed ? await session.ask?.(view.say('askAuth')) : undefined);
  const headers = given.headers ?? (typed ? await session.ask?.(view.say('askHeaders')) : undefined);
  const link = await session.openLink({
    ...settings.link,
    url,
    ...(auth && { auth: parseAuth(auth) }),
    ...(headers && { headers: parseHeaders(headers) }),
  });
  return done(view, view.say('connected'), { url: link.url.origin, sid: link.sid ?? null });
}

/** The default of all commands that connect to a Server. */
const DEFAULT_URL = 'http://127.0.0.1:7000';

async function askUrl({ ask, view }: Session): Promise<string | undefined> {
  const answer = await ask?.(`URL ${view.say('withDefault', { value: DEFAULT_URL }).trimEnd()}: `);
  return answer?.trim() === '' ? DEFAULT_URL : answer;
}

function readOptions(given: readonly string[], usage: string): { url?: string; auth?: string; headers?: string } {
  const found: { url?: string; auth?: string; headers?: string } = {};
  for (let i = 0; i < given.length; i += 1) {
    const word = given[i] as string;
    const value = given[i + 1];
    if (word === '--auth' || word === '--headers') {
      if (value === undefined) throw new ShellError(usage);
      found[word === '--auth' ? 'auth' : 'headers'] = value;
      i += 1;
    } else if (found.url === undefined) found.url = word;
    else throw new ShellError(usage);
  }
  return found;
}

async function join(session: Session, rest: string): Promise<Reply> {
  const { view, computer } = session;
  const [office, name = computer.name] = words(rest);
  required(session, office, 'socket join <office_id> [<computer_name>]');
  if (!session.link) throw new ShellError(view.say('connectFirst'));
  try {
    await session.link.joinOffice(office as string, { name });
  } catch (error) {
    return failed(view, view.say('joinFailed', { reason: view.translate((error as Error).message) }));
  }
  return done(view, view.say('joined'), { office, computer: computer.name });
}

async function leave({ view, link }: Session): Promise<Reply> {
  if (!link) throw new ShellError(view.say('notConnected'));
  if (link.office === undefined) throw new ShellError(view.say('notInOffice'));
  await link.leaveOffice();
  return done(view, view.say('left'));
}

async function disconnect(session: Session): Promise<Reply> {
  const { view, link } = session;
  if (!link) throw new ShellError(view.say('notConnected'));
  link.disconnect();
  session.link = undefined;
  return done(view, view.say('disconnected'));
}

async function notifyUpdate({ view, link }: Session): Promise<Reply> {
  if (!link) throw new ShellError(view.say('notifySkipped'));
  if (!link.notifyUpdate()) throw new ShellError(view.say('notifyOutside'));
  return done(view, view.say('notified'));
}

export const socketCommands: readonly ShellCommand[] = [
  { path: 'socket connect', usage: '[<url>]', help: 'help_socketConnect', argument: 'none', run: connect },
  { path: 'socket join', usage: '<office_id> [<computer_name>]', help: 'help_socketJoin', argument: 'none', run: join },
  { path: 'socket leave', usage: '', help: 'help_socketLeave', argument: 'none', run: leave },
  { path: 'socket disconnect', usage: '', help: 'help_socketDisconnect', argument: 'none', run: disconnect },
  { path: 'notify update', usage: '', help: 'help_notifyUpdate', argument: 'none', run: notifyUpdate },
];
