import type { JsonObject } from '@a2c/config';
import { oneLine, visibleText } from '@a2c/protocol';
import { ShellError, words } from '../command-line.js';
import { shortened, wrapped, wrappedMessage } from '../display-width.js';
import { findTool } from '../find-tool.js';
import type { Say } from '../language.js';
import { json, type Reply, type Session, type ShellCommand } from '../session.js';
import { unknownServer, unknownTool, withSuggestion } from '../suggestion.js';
import { table } from '../table.js';
import { translateMark } from '../translations.js';

async function status(session: Session, rest: string): Promise<Reply> {
  const { computer, link, view } = session;
  const [wanted] = words(rest);
  if (wanted !== undefined) return oneStatus(session, wanted);
  const { say, paint } = view;
  const servers = computer.status().map((server) => {
    const { name, transport, sandboxed, disabled, active, state, tools: count, cause, activity } = server;
    return { name, transport, sandboxed, disabled, active, state, tools: count, cause, activity };
  });
  const socket = {
    state: link?.state ?? 'disconnected',
    url: link ? link.url.origin : null,
    sid: link?.sid ?? null,
    office: link?.office ?? null,
    computer: computer.name,
  };
  const head = link
    ? table(
        [say('socketState'), 'URL', say('clientId'), say('office'), say('computer')],
        [[stateName(socket.state, say), socket.url ?? '', socket.sid ?? '', socket.office ?? '', socket.computer]],
        view,
      )
    : paint('yellow', wrappedMessage(disconnectedText(session), view.width));
  const rows = servers.map(({ name, sandboxed, active, state, tools, cause, activity, disabled }) => [
    name,
    say(active ? 'yes' : 'no'),
    stateName(active && state === 'initialized' ? 'starting' : state, say),
    String(tools),
    disabled ? say('disabled') : view.translate(cause ?? activity ?? (sandboxed ? say('sandbox') : '')),
  ]);
  const body = table([say('name'), say('active'), say('state'), say('tools'), say('note')], rows, view);
  const title = paint('cyan', say('serversStatus'));
  return { data: { socket, servers }, text: [head, '', title, servers.length > 0 ? body : say('none')].join('\n') };
}

function disconnectedText({ refusal, view: { say, translate } }: Session): string {
  return refusal === undefined
    ? say('notConnectedYet')
    : say('sessionEnded', { reason: visibleText(translate(refusal)) });
}

/** Names of states that other packages add later are shown as they are. */
function stateName(state: string, say: Say): string {
  return state in STATES ? say(STATES[state as keyof typeof STATES]) : state;
}

const STATES = {
  connected: 'stateConnected',
  initialized: 'stateInitialized',
  starting: 'stateStarting',
  connecting: 'stateConnecting',
  disconnected: 'stateDisconnected',
  'needs-login': 'stateNeedsLogin',
  error: 'stateError',
} as const;

/** One server, with the whole reason of a failure. */
function oneStatus(session: Session, wanted: string): Reply {
  const { computer, view } = session;
  const { say, paint } = view;
  const found = computer.status().find(({ name }) => name === wanted);
  if (!found) throw unknownServer(session, wanted);
  const { name, transport, sandboxed, active, state, tools: count, cause, disabled, restarts } = found;
  const rows: readonly (readonly [label: string, value: string])[] = [
    [say('name'), name],
    [say('type'), transport],
    [say('sandbox'), say(sandboxed ? 'yes' : 'no')],
    [say('disabled'), say(disabled ? 'yes' : 'no')],
    [say('active'), say(active ? 'yes' : 'no')],
    [say('state'), stateName(state, say)],
    [say('tools'), String(count)],
    ...(restarts > 0 ? [[say('restarts'), String(restarts)] as const] : []),
  ];
  const lines = rows.map(([label, value]) => `${paint('bold', label)}: ${oneLine(value)}`);
  const text = [
    ...lines,
    ...(cause === undefined || cause === null
      ? []
      : [paint('red', wrappedMessage(visibleText(view.translate(cause)), view.width))]),
  ].join('\n');
  return { data: { name, transport, sandboxed, disabled, active, state, tools: count, cause, restarts }, text };
}

const DESCRIPTION_CELLS = 80;
const INPUT_CELLS = 60;

async function tools(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const [wanted] = words(rest);
  if (wanted !== undefined) {
    const found = findTool(computer, wanted);
    if (!found) throw unknownTool(session, wanted);
    const [shown] = computer.getAvailableTools().filter(({ name }) => name === found.displayName);
    return json({ server: found.server, original_name: found.name, ...shown });
  }
  const rows = computer
    .tools()
    .map(({ server, displayName, tool }) => [
      displayName,
      server,
      shortened(translateMark(tool.description ?? '', view.language), DESCRIPTION_CELLS),
      view.say(tool.outputSchema ? 'yes' : 'no'),
    ]);
  const headings = (['name', 'server', 'description', 'jsonReturn'] as const).map((key) => view.say(key));
  const title = view.paint('cyan', view.say('tools'));
  const text = rows.length > 0 ? table(headings, rows, view) : view.say('none');
  return { data: computer.getAvailableTools(), text: `${title}\n${text}` };
}

async function mcp({ computer, view }: Session): Promise<Reply> {
  const { say, paint } = view;
  const config = computer.config();
  const servers = Object.entries(config.servers as Record<string, JsonObject>).map(([name, { type, disabled }]) => [
    name,
    String(type),
    say(disabled === true ? 'yes' : 'no'),
  ]);
  const inputs = computer.inputs().map(({ id, type, description }) => [id, type, shortened(description, INPUT_CELLS)]);
  const text = [
    paint('cyan', 'Servers:'),
    servers.length > 0 ? table([say('name'), say('type'), say('disabled')], servers, view) : say('none'),
    '',
    paint('cyan', 'Inputs:'),
    inputs.length > 0 ? table(['ID', say('type'), say('description')], inputs, view) : say('none'),
  ].join('\n');
  return { data: config, text: text };
}

async function desktop({ computer, view }: Session, rest: string): Promise<Reply> {
  const given = words(rest);
  const size = given.find((word) => /^\d+$/.test(word));
  const window = given.find((word) => !/^\d+$/.test(word));
  try {
    return json(await computer.getDesktop({ ...(size !== undefined && { size: Number(size) }), window }));
  } catch (error) {
    throw new ShellError(view.say('desktopFailed', { reason: view.translate((error as Error).message) }));
  }
}

async function history({ computer, view }: Session, rest: string): Promise<Reply> {
  const count = Number.parseInt(words(rest)[0] ?? '', 10);
  const records = count > 0 ? computer.history().slice(-count) : computer.history();
  const shown = records.map((record) => ({ ...record, error: record.error && view.translate(record.error) }));
  return { ...json(shown), data: records };
}

export function helpCommand(commands: () => readonly ShellCommand[]): ShellCommand {
  const run = async ({ view }: Session, rest: string): Promise<Reply> => {
    const wanted = words(rest.toLowerCase()).join(' ');
    const shown = commands().filter(({ path }) => wanted === '' || path === wanted || path.startsWith(`${wanted} `));
    if (shown.length === 0) {
      const paths = commands().map(({ path }) => path);
      throw new ShellError(withSuggestion(view.say('unknownCommand', { name: wanted }), wanted, paths, view));
    }
    const rows = shown.map(({ path, usage, help }) => [`${path} ${usage}`.trim(), view.say(help)]);
    const text =
      wanted === '' && Number.isFinite(view.width)
        ? `${commandNames(shown, view.width)}\n${wrapped(view.say('helpHint'), view.width).join('\n')}`
        : table([view.say('command'), view.say('meaning')], rows, view, 'wrap');
    return {
      data: rows.map(([command, meaning]) => ({ command, meaning })),
      text: `${view.paint('cyan', visibleText(view.say('commands')))}\n${text}`,
    };
  };
  return { path: 'help', usage: '[command]', help: 'help_help', argument: 'none', run };
}

/** The names alone, so that the list fits on a screen: one line for each first word that several commands have. */
function commandNames(commands: readonly ShellCommand[], width: number): string {
  const groups = new Map<string, string[]>();
  for (const { path } of commands) {
    const [name = '', ...before] = path.split(' ').toReversed();
    const group = before.toReversed().join(' ');
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  const lines = [...groups].map(([group, names]) => `${group} ${names.join(', ')}`.trim());
  return lines
    .flatMap((line) => wrapped(line, width - NAME_INDENT.length).map((part) => NAME_INDENT + part))
    .join('\n');
}

const NAME_INDENT = '  ';

/** Moves the cursor home and clears the screen, with what has scrolled off it. */
const CLEAR_SCREEN = '\u001b[H\u001b[2J\u001b[3J';

export const clearCommand: ShellCommand = {
  path: 'clear',
  usage: '',
  help: 'help_clear',
  argument: 'none',
  // Without a terminal there is nothing to clear.
  run: async ({ ask }) => ({ data: { ok: true }, text: ask ? CLEAR_SCREEN : '' }),
};

export const overviewCommands: readonly ShellCommand[] = [
  { path: 'status', usage: '[name]', help: 'help_status', argument: 'server', run: status },
  { path: 'tools', usage: '[name]', help: 'help_tools', argument: 'tool', run: tools },
  { path: 'mcp', usage: '', help: 'help_mcp', argument: 'none', run: mcp },
];

export const desktopCommands: readonly ShellCommand[] = [
  { path: 'desktop', usage: '[size] [uri]', help: 'help_desktop', argument: 'none', run: desktop },
  { path: 'history', usage: '[n]', help: 'help_history', argument: 'none', run: history },
];
