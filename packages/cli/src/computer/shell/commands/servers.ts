import { formatProblem, type ServerConfig } from '@a2c/config';
import type { ServerStatus, TransportDiagnostics } from '@a2c/hub';
import { visibleText } from '@a2c/protocol';
import { jsonArgument, ShellError, words } from '../command-line.js';
import { readServers } from '../read-config.js';
import { done, failed, type Reply, required, type Session, type ShellCommand } from '../session.js';
import { unknownServer } from '../suggestion.js';

async function add(session: Session, rest: string): Promise<Reply> {
  const { view, settings } = session;
  const { value, text, source } = await jsonArgument(
    required(session, rest, 'server add <json|@file>'),
    settings.root,
    view,
  );
  if (Array.isArray(value)) throw new ShellError(view.say('serverAddOne'));
  return addFromText(session, text, source);
}

/** Adds or updates the one server of a text. */
export async function addFromText(session: Session, text: string, source: string): Promise<Reply> {
  const { servers, warnings } = readServers(text, source);
  const [server] = servers;
  if (!server || servers.length > 1) throw new ShellError(session.view.say('serverAddOne'));
  return { ...(await addServer(session, server)), warnings: warnings.map(formatProblem) };
}

async function addServer(session: Session, server: ServerConfig): Promise<Reply> {
  const { computer, view, settings } = session;
  try {
    await session.startReported(computer.addOrUpdateServer(server, { sharesToolNames: true }));
  } catch (error) {
    return failed(view, view.say('serverAddFailed', { reason: view.translate((error as Error).message) }), {
      name: server.name,
    });
  }
  const status = statusOf(session, server.name);
  if (status?.state === 'error' || status?.state === 'needs-login')
    return failed(view, view.say('startFailed', { reason: reasonOf(session, status) }), {
      name: server.name,
    });
  const message = settings.autoConnect && !server.disabled ? 'serverAddedStarting' : 'serverAdded';
  return done(view, view.say(message), { name: server.name, state: status?.state ?? null });
}

/** Why a server failed. Most causes contain its name. */
function reasonOf(
  { view }: Session,
  { name, cause }: { readonly name: string; readonly cause: string | null },
): string {
  return cause?.includes(`"${name}"`) ? view.translate(cause) : `${name}: ${view.translate(cause ?? '')}`;
}

async function remove(session: Session, rest: string): Promise<Reply> {
  const name = required(session, words(rest)[0], 'server rm <name>');
  await session.computer.removeServer(name);
  return done(session.view, session.view.say('removedConfig'), { name });
}

async function start(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const name = required(session, words(rest)[0], 'start <name>|all');
  if (name !== 'all') return startOne(session, name, computer.startServer(name));
  await session.startReported(computer.startAll());
  const broken = computer
    .status()
    .filter(({ state, disabled }) => ['error', 'needs-login'].includes(state) && !disabled);
  if (broken.length === 0) return done(view, view.say('allStarted'));
  const reason = broken.map((status) => reasonOf(session, status)).join('\n');
  return failed(view, view.say('startFailed', { reason }), { servers: broken.map((each) => each.name) });
}

async function startOne(session: Session, name: string, started: Promise<void>): Promise<Reply> {
  const { view } = session;
  try {
    await session.startReported(started);
  } catch (error) {
    return failed(view, view.say('startFailed', { reason: view.translate((error as Error).message) }), { name });
  }
  return done(view, view.say('serverStarted', { name }), { name });
}

async function stop(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const name = required(session, words(rest)[0], 'stop <name>|all');
  if (name === 'all') {
    await computer.stopAll();
    return done(view, view.say('allStopped'));
  }
  try {
    await computer.stopServer(name);
  } catch (error) {
    return failed(view, view.say('stopFailed', { reason: view.translate((error as Error).message) }), { name });
  }
  return done(view, view.say('serverStopped', { name }), { name });
}

async function restart(session: Session, rest: string): Promise<Reply> {
  const name = required(session, words(rest)[0], 'restart <name>|all');
  if (name !== 'all') return startOne(session, name, session.computer.restartServer(name));
  await session.computer.stopAll();
  return start(session, rest);
}

const LOG_LINES = 40;

/** The last lines that the program of a server wrote to stderr. */
async function logs(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const [given, count] = words(rest);
  const name = required(session, given, 'logs <name> [n]');
  const status = statusOf(session, name);
  if (!status) throw unknownServer(session, name);
  const wanted = Number.parseInt(count ?? '', 10);
  const runOf = ({ stderr, ended }: Pick<TransportDiagnostics, 'stderr' | 'ended'>) => {
    const lines = computer
      .redactLog(stderr)
      .trimEnd()
      .split('\n')
      .slice(-(wanted > 0 ? wanted : LOG_LINES));
    return { lines: lines.filter((line) => line !== ''), ended };
  };
  const shown = ({ lines, ended }: ReturnType<typeof runOf>) => [
    ...lines.map(visibleText),
    ...(ended === null ? [] : [view.paint('yellow', visibleText(view.translate(ended)))]),
  ];
  const run = runOf(status.diagnostics ?? { stderr: '', ended: null });
  // It explains why the server was restarted.
  const earlierRun = status.earlierRun && runOf(status.earlierRun);
  const text = [...(earlierRun ? shown(earlierRun) : []), ...shown(run)].join('\n') || view.say('noLogs');
  return { data: { name, ...run, ...(earlierRun && { earlierRun }) }, text };
}

function statusOf({ computer }: Session, name: string): ServerStatus | undefined {
  return computer.status().find((status) => status.name === name);
}

export const serverCommands: readonly ShellCommand[] = [
  { path: 'server add', usage: '<json|@file>', help: 'help_serverAdd', argument: 'file', run: add },
  { path: 'server rm', usage: '<name>', help: 'help_serverRm', argument: 'server', run: remove },
  { path: 'start', usage: '<name>|all', help: 'help_start', argument: 'server', run: start },
  { path: 'stop', usage: '<name>|all', help: 'help_stop', argument: 'server', run: stop },
  { path: 'restart', usage: '<name>|all', help: 'help_restart', argument: 'server', run: restart },
  { path: 'logs', usage: '<name> [n]', help: 'help_logs', argument: 'server', run: logs },
];
