import { visibleText } from '@a2c/protocol';
import { changeText } from '../../../tools/command.js';
import { words } from '../command-line.js';
import { done, failed, type Reply, required, type Session, type ShellCommand } from '../session.js';

async function review({ computer, view }: Session, rest: string): Promise<Reply> {
  const [server] = words(rest);
  const changes = await computer.toolChanges(server);
  const text = changes.map((change) => visibleText(changeText(change))).join('\n\n');
  return { data: changes, text: changes.length === 0 ? view.say('reviewNone') : text };
}

async function approve(session: Session, rest: string): Promise<Reply> {
  const { computer, view } = session;
  const [given, tool] = words(rest);
  const server = required(session, given, 'approve <server> [<tool>]');
  const approved = await computer.approveTools(server, tool);
  const names = approved.map((change) => change.tool);
  const data = { server, tools: names };
  if (names.length === 0) return failed(view, view.say('approveNone', { name: tool ?? server }), data);
  return done(view, view.say('approveDone', { names: names.join(', ') }), data);
}

export const approvalCommands: readonly ShellCommand[] = [
  { path: 'review', usage: '[<server>]', help: 'help_review', argument: 'server', run: review },
  { path: 'approve', usage: '<server> [<tool>]', help: 'help_approve', argument: 'server', run: approve },
];
