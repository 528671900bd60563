import { SMCPError } from '@a2c/agent';
import { print, printJson } from '../output.js';
import { type AgentCommandOptions, withAgent } from './agent-options.js';

export const CANCEL_HELP = `
An office has one Agent, so this command must become the one that calls. Give the --name that "a2c agent call" printed and
the same credentials: the server then hands the seat and its calls over, the call ends as cancelled, and the other shell is
told that its office was taken over. Where nobody is authenticated the server cannot know that both are yours and refuses;
there, Ctrl-C in the calling shell cancels.

Example:
  $ a2c agent cancel 5f0c9e… --name cli-1a2b3c4d --office demo`;

/** How long the server may take to pass it on; not every server says that it did. */
const RELAY_MS = 1_000;

/** `a2c agent cancel REQ_ID`. Nobody tells whether there was such a call, so nothing more is claimed than was done. */
export async function cancel(reqId: string, options: AgentCommandOptions): Promise<void> {
  const relayed = await withAgent(options, (agent) => {
    const told = new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, RELAY_MS, false);
      agent.on('callCancelled', (call) => {
        if (call.reqId !== reqId) return;
        clearTimeout(timer);
        resolve(true);
      });
    });
    agent.cancel(reqId);
    return told;
  }).catch((error: unknown) => {
    throw error instanceof SMCPError && error.code === 403 ? new Error(explain(error), { cause: error }) : error;
  });
  if (options.json) printJson({ req_id: reqId, relayed });
  else print(`asked to cancel ${reqId}`);
}

function explain({ message }: SMCPError): string {
  return `${message}\nOnly that Agent can cancel its calls: use its --name and its credentials, or Ctrl-C where it runs.`;
}
