import { createHash } from 'node:crypto';
import { fullText, PinStore, type ToolChange } from '@a2c/hub';
import { Command } from 'commander';
import { EXIT, UsageError } from '../exit-codes.js';
import { addExamples, addJsonOption, suggestion } from '../options.js';
import { print, printJson } from '../output.js';
import { a2c } from '../pasteable-command.js';

interface ToolsOptions {
  readonly json?: true;
}

interface ReviewOptions extends ToolsOptions {
  readonly full?: boolean;
}

interface ApproveOptions extends ToolsOptions {
  readonly shown?: string;
}

/** `a2c tools`: which tools changed since they were approved, and approving them. */
export function toolsCommand(): Command {
  const command = addExamples(new Command('tools'), 'a2c tools review', 'a2c tools approve mail');
  addExamples(
    addJsonOption(
      command.command('review').description('show which tools are new or changed since they were approved'),
    ),
    'a2c tools review mail',
  )
    .argument('[server]', 'show only this MCP server')
    .option('--full', 'show the whole text of tools that are too long to be compared')
    .action(review);
  addExamples(
    addJsonOption(command.command('approve').description('approve the changes of an MCP server, or of one tool')),
    'a2c tools approve mail --shown 0b12f3c45d6e7f8091a2b3c4d5e6f708',
    'a2c tools approve mail send_email --shown 0b12f3c45d6e7f8091a2b3c4d5e6f708',
  )
    .argument('<server>', 'the MCP server')
    .argument('[tool]', 'approve only this tool')
    .option('--shown <id>', 'the id that the review has printed: what changed after it is not approved')
    .action(approve);
  return command;
}

async function review(server: string | undefined, { json, full = false }: ReviewOptions): Promise<void> {
  const store = new PinStore();
  if (server !== undefined) await checkServer(store, server);
  const changes = await store.changes(server);
  if (json) return printJson(changes);
  if (changes.length === 0) return print('No tool changed since it was approved.');
  for (const change of changes) print(`${changeText(change, full)}\n`);
  for (const name of new Set(changes.map((change) => change.server))) {
    const shown = changes.filter((change) => change.server === name);
    // The id approves all of the text: it is offered when all of it was shown.
    const isShown = full || !shown.some(({ isCut }) => isCut);
    print(isShown ? `To approve: ${command(name, shown)}` : `Not all of ${name} is shown. ${showAll(name)}`);
  }
}

async function approve(server: string, tool: string | undefined, { shown, json }: ApproveOptions): Promise<void> {
  const store = new PinStore();
  await checkServer(store, server);
  const changes = await store.changes(server);
  const chosen = changes.filter((change) => change.tool === (tool ?? change.tool));
  if (tool !== undefined && chosen.length === 0) {
    const names = changes.map((change) => change.tool);
    const hint = names.length === 0 ? 'nothing waits for approval' : suggestion(tool, names);
    throw new UsageError(`no change of the tool "${tool}" of "${server}": ${hint}`);
  }
  if (chosen.length === 0) return json ? printJson([]) : print(`No tool of "${server}" changed since it was approved.`);
  // The server may have changed its tools again since the person has seen them.
  if (shown !== reviewId(chosen) && shown !== reviewId(changes)) {
    const why = shown === undefined ? 'Not approved yet' : 'Not approved: the tools have changed since that review';
    if (!json) for (const change of chosen) print(`${changeText(change, false)}\n`);
    const next = chosen.some(({ isCut }) => isCut)
      ? showAll(server)
      : `To approve them as they are now: ${command(server, chosen, tool)}`;
    throw new UsageError(`${why}. ${next}`);
  }
  const approved = await store.approve(chosen);
  if (json) return printJson(approved.map(({ server, tool, kind }) => ({ server, tool, kind })));
  for (const change of approved) print(`approved ${server} ${change.tool} (${change.kind})`);
  process.exitCode = EXIT.done;
}

/**
 * Names what was shown of one server, all or one tool: an id approves nothing else. The server writes the texts: with a
 * short id it could find two with the same.
 */
function reviewId(changes: readonly ToolChange[]): string {
  const ids = changes.map(({ tool, id }) => `${tool} ${id}`).toSorted();
  return createHash('sha256').update(ids.join('\n')).digest('hex').slice(0, REVIEW_ID_LENGTH);
}

/** Hexadecimal digits: 128 bits. */
const REVIEW_ID_LENGTH = 32;

function command(server: string, shown: readonly ToolChange[], tool?: string): string {
  return a2c('tools', 'approve', server, ...(tool === undefined ? [] : [tool]), '--shown', reviewId(shown));
}

const showAll = (server: string): string =>
  `To see all of it, and the command that approves it: ${a2c('tools', 'review', server, '--full')}`;

async function checkServer(store: PinStore, server: string): Promise<void> {
  const servers = await store.servers();
  if (servers.includes(server)) return;
  const hint = servers.length === 0 ? 'no MCP server was used yet' : suggestion(server, servers);
  throw new UsageError(`no tools of an MCP server "${server}" are known: ${hint}`);
}

/** One change as text: the tool, a warning, and what is different, or the whole new text if that would be cut. */
export function changeText(change: ToolChange, isFull: boolean, translate = (text: string) => text): string {
  const { server, tool, kind, findings, isCut } = change;
  const diff = isFull && isCut ? fullText(change) : change.diff;
  const warning = findings.length === 0 ? '' : `\n${translate(`CAUTION: the text contains ${findings.join(' and ')}`)}`;
  return `${server} ${tool}: ${translate(kind)}${warning}\n${diff}`;
}
