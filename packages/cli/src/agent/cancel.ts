import { SMCPError } from '@a2c/agent';
import { withMessage } from '../explain-error.js';
import { print, printJson } from '../output.js';
import { a2c } from '../pasteable-command.js';
import { type AgentCommandOptions, withAgent } from './agent-options.js';

export const CANCEL_HELP = `
An office has one Agent at a time, so this command takes the seat of the
calling Agent: give the --name that "a2c agent call" printed and the same
credentials. The call ends as cancelled, and the other shell reports that its
seat was taken over. A Server without authentication cannot tell that both are
yours and refuses; press Ctrl-C in the calling shell instead.

Example:
  $ a2c agent cancel 5f0c9e… --name cli-1a2b3c4d --office demo`;

/** How long to wait for the Server to confirm the cancellation. Some Servers do not confirm it. */
const CONFIRM_MS = 3_000;

/** `a2c agent cancel REQ_ID`. A Server confirms only the cancellation of a call that is pending. */
export async function cancel(reqId: string, options: AgentCommandOptions): Promise<void> {
  const isConfirmed = await withAgent(options, (agent) => {
    const confirmed = new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, CONFIRM_MS, false);
      agent.on('callCancelled', (call) => {
        if (call.reqId !== reqId) return;
        clearTimeout(timer);
        resolve(true);
      });
    });
    agent.cancel(reqId);
    return confirmed;
  }).catch((error: unknown) => {
    throw error instanceof SMCPError && error.code === 403 ? withMessage(error, explain(error)) : error;
  });
  if (!isConfirmed) {
    throw new SMCPError(
      'NotFound',
      `the Server did not confirm the cancellation of "${reqId}": no call of this Agent with that req_id is pending ` +
        `("${a2c('agent call')}" prints the req_id), or the Server does not confirm cancellations`,
    );
  }
  if (options.json) printJson({ req_id: reqId, cancelled: true });
  else print(`cancelled ${reqId}`);
}

function explain({ message }: SMCPError): string {
  return `${message}\nOnly that Agent can cancel its calls: use its --name and its credentials, or Ctrl-C where it runs.`;
}
