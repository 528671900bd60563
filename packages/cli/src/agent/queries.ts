/** The `a2c agent` commands that only read: `room`, `tools`, `config`, `desktop`. */
import type { Agent } from '@a2c/agent';
import { oneLine } from '@a2c/protocol';
import { table } from '../computer/shell/table.js';
import { stdoutView } from '../computer/shell/view.js';
import { EXIT } from '../exit-codes.js';
import { print, printColoured, printError, printJson, printRow } from '../output.js';
import { type AgentCommandOptions, withAgent } from './agent-options.js';
import { knownComputer, withSuggestion } from './suggestions.js';

export async function room(options: AgentCommandOptions): Promise<void> {
  const sessions = await withAgent(options, (agent) => agent.listRoom());
  if (options.json) return printJson(sessions);
  printRows(
    ['role', 'name', 'version'],
    sessions.map(({ role, name, a2c_version }) => [role, name, a2c_version ?? '']),
  );
}

export async function tools(computer: string | undefined, options: AgentCommandOptions): Promise<void> {
  await withAgent(options, async (agent) => {
    await agent.ready({ computer });
    const selected = computer === undefined ? [...agent.computers.values()] : [knownComputer(agent, computer)];
    if (selected.length === 0) printError(`no Computer is in office ${JSON.stringify(agent.office)}`);
    for (const { name, error } of selected) if (error) printError(`${oneLine(name)}: ${error.message}`);
    const listed = agent.tools().filter((tool) => selected.some(({ name }) => name === tool.computer));
    if (options.json)
      return printJson(listed.map(({ name, computer: of, tool }) => ({ computer: of, ...tool, model_name: name })));
    printRows(
      ['tool', 'computer', 'description'],
      listed.map(({ computer: of, tool }) => [tool.name, of, firstLine(tool.description)]),
      ['computer', 'tool', 'description'],
    );
  });
}

export async function config(computer: string, options: AgentCommandOptions): Promise<void> {
  printJson(await query(computer, options, (agent) => agent.getConfig(computer)));
}

export async function desktop(
  computer: string,
  options: AgentCommandOptions & { readonly size?: number; readonly window?: string },
): Promise<void> {
  const { size, window, json } = options;
  const windows = await query(computer, options, (agent) => agent.getDesktop(computer, { size, window }));
  if (json) printJson(windows);
  else if (windows.length > 0) print(windows.join('\n\n'));
  if (windows.length > 0) return;
  printError(window === undefined ? `Computer "${computer}" has no window open` : `no such window: ${window}`);
  if (window !== undefined) process.exitCode = EXIT.failed;
}

/** Sends one request to one Computer. */
export function query<T>(
  computer: string,
  options: AgentCommandOptions,
  ask: (agent: Agent) => Promise<T>,
): Promise<T> {
  return withAgent(options, (agent) =>
    ask(agent).catch(async (error: unknown) => {
      throw await withSuggestion(error, agent, options.url, computer);
    }),
  );
}

/** A table at a terminal; else rows of tab-separated cells, whose order scripts know. */
function printRows(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  order: readonly string[] = headings,
): void {
  if (process.stdout.isTTY) printColoured(table(headings, rows, stdoutView('en')));
  else for (const row of rows) printRow(order.map((heading) => row[headings.indexOf(heading)] ?? ''));
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
