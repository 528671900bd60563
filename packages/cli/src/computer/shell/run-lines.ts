import { printError } from '../../output.js';
import { Interrupted } from '../interruption.js';
import { runLine } from './commands.js';
import type { Reply, Session } from './session.js';

export interface LineOptions {
  readonly json: boolean;
  readonly failFast: boolean;
  readonly print: (text: string) => void;
}

/** Commands one per line, without anybody watching. False when one of them failed. */
export async function runLines(
  session: Session,
  lines: AsyncIterable<string>,
  { json, failFast, print }: LineOptions,
): Promise<boolean> {
  let number = 0;
  let allGood = true;
  for await (const line of lines) {
    number += 1;
    const reply = await replyTo(session, line, (error) => {
      if (json) print(JSON.stringify({ line: number, ok: false, error: error.message }));
      printError(`line ${number}: ${session.view.say('failed', { reason: error.message })}`);
    });
    if (reply === 'error') allGood = false;
    else if (reply) {
      for (const warning of reply.warnings ?? []) printError(`line ${number}: ${warning}`);
      print(json ? JSON.stringify(reply.data) : reply.text);
      if (reply.failed) allGood = false;
      if (reply.end) break;
    }
    if (session.signal.aborted || (failFast && !allGood)) break;
  }
  return allGood;
}

/** A fault of our own is an error like any other here: the lines that follow may still make sense. */
async function replyTo(
  session: Session,
  line: string,
  tell: (error: Error) => void,
): Promise<Reply | undefined | 'error'> {
  try {
    return await runLine(session, line);
  } catch (error) {
    if (error instanceof Interrupted) return undefined;
    tell(error as Error);
    return 'error';
  }
}
