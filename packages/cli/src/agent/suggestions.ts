import { type Agent, type RemoteComputer, SMCPError } from '@a2c/agent';
import { nearest } from '@a2c/config';
import { oneLine } from '@a2c/protocol';
import { withMessage } from '../explain-error.js';
import { a2c } from '../pasteable-command.js';

/** Returns the Computer, or throws an error that lists the Computers of the office. */
export function knownComputer({ computers, office }: Agent, name: string): RemoteComputer {
  const computer = computers.get(name);
  if (computer) return computer;
  throw new SMCPError('NotFound', `no Computer "${name}" in office "${office}"${listed(computers)}`);
}

/**
 * Adds suggestions to the error of a request that named an unknown Computer or tool. Only the peers decide whether a
 * name exists: the Agent's own lists may not be complete yet.
 */
export async function withSuggestion(error: unknown, agent: Agent, name: string, tool?: string): Promise<unknown> {
  if (!(error instanceof SMCPError) || error.code !== 404) return error;
  await agent.ready({ computer: name }).catch(() => {}); // left meanwhile: suggest what is known
  const { computers, office } = agent;
  const computer = computers.get(name);
  if (!computer) return withMessage(error, error.message + listed(computers));
  if (tool === undefined) return error;
  const names = computer.tools.map((each) => each.name);
  if (names.includes(tool)) return error;
  const near = nearest(tool, names);
  const suggestion = near === undefined ? ';' : `; did you mean "${near}"?`;
  const command = a2c('agent', 'tools', name, '--office', office);
  return withMessage(error, `${error.message}${suggestion} "${command}" lists its tools`);
}

function listed(computers: ReadonlyMap<string, RemoteComputer>): string {
  return `; Computers: ${[...computers.keys()].toSorted().map(oneLine).join(', ') || 'none'}`;
}
