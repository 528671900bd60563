import { PinStore, type ToolChange } from '@a2c/hub';
import { Command } from 'commander';
import { EXIT, UsageError } from '../exit-codes.js';
import { addExamples, addJsonOption, suggestion } from '../options.js';
import { print, printJson } from '../output.js';
import { a2c } from '../pasteable-command.js';

interface ToolsOptions {
  readonly json?: true;
}

/** `a2c tools`: which tools changed since they were approved, and approving them. */
export function toolsCommand(): Command {
  const command = addExamples(new Command('tools'), 'a2c tools review', 'a2c tools approve mail send_email');
  addExamples(
    addJsonOption(
      command.command('review').description('show which tools are new or changed since they were approved'),
    ),
    'a2c tools review mail',
  )
    .argument('[server]', 'show only this MCP server')
    .action(review);
  addExamples(
    addJsonOption(command.command('approve').description('approve the changes of an MCP server, or of one tool')),
    'a2c tools approve mail',
    'a2c tools approve mail send_email',
  )
    .argument('<server>', 'the MCP server')
    .argument('[tool]', 'approve only this tool')
    .action(approve);
  return command;
}

async function review(server: string | undefined, { json }: ToolsOptions): Promise<void> {
  const store = new PinStore();
  if (server !== undefined) await checkServer(store, server);
  const changes = await store.changes(server);
  if (json) return printJson(changes);
  if (changes.length === 0) return print('No tool changed since it was approved.');
  for (const change of changes) print(`${changeText(change)}\n`);
  const servers = [...new Set(changes.map((change) => change.server))];
  for (const name of servers) print(`To approve: ${a2c('tools', 'approve', name)}`);
}

async function approve(server: string, tool: string | undefined, { json }: ToolsOptions): Promise<void> {
  const store = new PinStore();
  await checkServer(store, server);
  const changes = await store.changes(server);
  if (tool !== undefined && changes.every((change) => change.tool !== tool)) {
    const names = changes.map((change) => change.tool);
    const hint = names.length === 0 ? 'nothing waits for approval' : suggestion(tool, names);
    throw new UsageError(`no change of the tool "${tool}" of "${server}": ${hint}`);
  }
  const approved = await store.approve(server, tool);
  if (json) return printJson(approved.map(({ server, tool, kind }) => ({ server, tool, kind })));
  if (approved.length === 0) return print(`No tool of "${server}" changed since it was approved.`);
  for (const change of approved) print(`approved ${server} ${change.tool} (${change.kind})`);
  process.exitCode = EXIT.done;
}

async function checkServer(store: PinStore, server: string): Promise<void> {
  const servers = await store.servers();
  if (servers.includes(server)) return;
  const hint = servers.length === 0 ? 'no MCP server was used yet' : suggestion(server, servers);
  throw new UsageError(`no tools of an MCP server "${server}" are known: ${hint}`);
}

/** One change as text: the tool, a warning, and what is different. */
export function changeText({ server, tool, kind, diff, findings }: ToolChange): string {
  const warning = findings.length === 0 ? '' : `\nCAUTION: the text contains ${findings.join(' and ')}`;
  return `${server} ${tool}: ${kind}${warning}\n${diff}`;
}
