import type { Computer } from '@a2c/computer';
import type { ToolChange } from '@a2c/hub';
import { visibleText } from '@a2c/protocol';
import { changeText } from '../../../tools/command.js';
import { words } from '../command-line.js';
import { done, failed, type Reply, required, type Session, type ShellCommand } from '../session.js';

/** What the last reviews have shown: a server may change a tool between the review and the approval. */
const shown = new WeakMap<Computer, readonly ToolChange[]>();

async function review({ computer, view }: Session, rest: string): Promise<Reply> {
  const [server] = words(rest);
  const changes = await computer.toolChanges(server);
  const others = (shown.get(computer) ?? []).filter((change) => server !== undefined && change.server !== server);
  shown.set(computer, [...others, ...changes]);
  const text = changes.map((change) => visibleText(changeText(change, true, view.translate))).join('\n\n');
  return { data: changes, text: changes.length === 0 ? view.say('reviewNone') : text };
}

async function approve(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const [given, tool] = words(rest);
  const server = required(session, given, 'approve <server> [<tool>]');
  const isChosen = (change: ToolChange) => change.server === server && change.tool === (tool ?? change.tool);
  const waiting = (await computer.toolChanges(server)).filter(isChosen);
  const approved = await computer.approveTools((shown.get(computer) ?? []).filter(isChosen));
  const names = approved.map((change) => change.tool);
  const data = { server, tools: names };
  const unseen = waiting.map((change) => change.tool).filter((name) => !names.includes(name));
  if (unseen.length > 0) return failed(view, view.say('approveUnseen', { names: unseen.join(', '), server }), data);
  if (names.length === 0) return failed(view, view.say('approveNone', { name: tool ?? server }), data);
  return done(view, view.say('approveDone', { names: names.join(', ') }), data);
}

export const approvalCommands: readonly ShellCommand[] = [
  { path: 'review', usage: '[<server>]', help: 'help_review', argument: 'server', run: review },
  { path: 'approve', usage: '<server> [<tool>]', help: 'help_approve', argument: 'server', run: approve },
];
