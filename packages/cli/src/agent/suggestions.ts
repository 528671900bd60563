import { type Agent, type RemoteComputer, SMCPError } from '@a2c/agent';
import { nearest } from '@a2c/config';
import { oneLine } from '@a2c/protocol';
import { languageOf } from '../computer/shell/language.js';
import { createView } from '../computer/shell/view.js';
import { withMessage } from '../explain-error.js';
import { a2c } from '../pasteable-command.js';

/** Returns the Computer, or throws an error that lists the Computers of the office. */
export function knownComputer({ computers, office }: Agent, name: string): RemoteComputer {
  const computer = computers.get(name);
  if (computer) return computer;
  throw new SMCPError('NotFound', listed(`no Computer "${name}" in office "${office}"`, computers));
}

/**
 * Adds suggestions to the error of a request that named an unknown Computer or tool. Only the peers decide whether a
 * name exists: the Agent's own lists may not be complete yet.
 *
 * @param url The `--url` of the command, for the suggested one.
 */
export async function withSuggestion(
  error: unknown,
  agent: Agent,
  url: string,
  name: string,
  tool?: string,
): Promise<unknown> {
  if (!(error instanceof SMCPError) || error.code !== 404) return error;
  await agent.ready({ computer: name }).catch(() => {}); // left meanwhile: suggest what is known
  const { computers, office } = agent;
  const computer = computers.get(name);
  if (!computer) return withMessage(error, listed(error.message, computers));
  if (tool === undefined) return error;
  const names = computer.tools.map((each) => each.name);
  if (names.includes(tool)) return error;
  const near = nearest(tool, names);
  const command = a2c('agent', 'tools', name, '--url', url, '--office', office);
  const { say, translate } = createView({ language: languageOf(process.env), colour: false });
  const problem = translate(error.message);
  const suggestion =
    near === undefined ? say('unknownTool', { problem, command }) : say('unknownToolNear', { problem, near, command });
  return withMessage(error, suggestion);
}

/** The problem in the language of the locale, and the Computers of the office. */
function listed(problem: string, computers: ReadonlyMap<string, RemoteComputer>): string {
  const { say, translate } = createView({ language: languageOf(process.env), colour: false });
  const names = [...computers.keys()].toSorted().map(oneLine).join(', ') || say('noComputers');
  return say('unknownComputer', { problem: translate(problem), names });
}
