import { type Agent, type RemoteComputer, SMCPError } from '@a2c/agent';
import { nearest } from '@a2c/config';
import { oneLine } from '../output.js';
import { a2c } from '../own-command.js';

export function knownComputer({ computers, office }: Agent, name: string): RemoteComputer {
  const computer = computers.get(name);
  if (computer) return computer;
  throw new SMCPError('NotFound', `no Computer "${name}" in office "${office}"${others(computers)}`);
}

/**
 * A refused request, with what could have been meant. Only a refused one: the Agent may not have heard of everything yet, so
 * whether something is there the others decide.
 */
export async function withSuggestion(error: unknown, agent: Agent, name: string, tool?: string): Promise<unknown> {
  if (!(error instanceof SMCPError) || error.code !== 404) return error;
  await agent.ready({ computer: name }).catch(() => {}); // left meanwhile: suggest what is known
  const { computers, office } = agent;
  const computer = computers.get(name);
  if (!computer) return extended(error, others(computers));
  if (tool === undefined) return error;
  const names = computer.tools.map((each) => each.name);
  if (names.includes(tool)) return error;
  const near = nearest(tool, names);
  const meant = near === undefined ? '' : `; did you mean "${near}"?`;
  return extended(error, `${meant || ';'} "${a2c('agent', 'tools', name, '--office', office)}" lists what there is`);
}

function others(computers: ReadonlyMap<string, RemoteComputer>): string {
  return `; there: ${[...computers.keys()].toSorted().map(oneLine).join(', ') || 'none'}`;
}

function extended(error: SMCPError, more: string): SMCPError {
  return new SMCPError(error.kind, error.message + more, { details: error.details, cause: error });
}
