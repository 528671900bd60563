import { join } from 'node:path';
import { userStateFolder } from '@a2c/config';
import {
  type Console,
  type ConsoleOptions,
  createConsole,
  listenOnOtherLoopback,
  type OperatorAuditRecord,
} from '@a2c/console';
import { type Logger, RecordFile } from '@a2c/log';
import type { Listening } from '@a2c/server';
import { printError } from '../output.js';
import { VERSION } from '../version.js';

export interface HostConsoleOptions extends Pick<ConsoleOptions, 'parts' | 'withLink' | 'authenticate' | 'hosts'> {
  /** Receives every change. By default it is written to a file of the user. */
  readonly audit?: (record: OperatorAuditRecord) => void;
  readonly logger: Logger;
}

/** A console, and how to end it. */
export interface HostConsole extends Omit<Console, 'close'> {
  close(): Promise<void>;
}

/** Creates the console of a command. Its key and its audit log are in the user's state folder. */
export async function openConsole({ audit, logger, ...options }: HostConsoleOptions): Promise<HostConsole> {
  const folder = userStateFolder();
  const onError = (err: unknown) => logger.error({ err }, 'internal error in the console');
  const file = audit
    ? undefined
    : new RecordFile<OperatorAuditRecord>({ path: join(folder, 'console-audit.jsonl'), onError });
  const opened = await createConsole({
    ...options,
    keyFile: join(folder, 'console.key'),
    audit: audit ?? ((record) => file?.append(record)),
    onError,
    version: VERSION,
  });
  return {
    ...opened,
    close: async () => {
      opened.close();
      await file?.close();
    },
  };
}

/**
 * Prints where the console is: at a terminal with the link, which contains a token, otherwise as a line of the log.
 * Logs are stored and read by others, so they have the address only.
 */
export function announceConsole(link: string, logger: Logger): void {
  if (process.stderr.isTTY) printError(`console ${link}`);
  else logger.info({ url: new URL('/console/', link).href }, 'console started');
}

/**
 * Serves the console of a Server also on the other loopback address, because the link leads to both.
 *
 * @throws Error if another program has the port there; {@link isPortTaken} recognises it
 */
export async function onBothLoopbacks(server: Listening, handle: Console['handle']): Promise<Listening> {
  try {
    const closeOther = await listenOnOtherLoopback({ handle }, server.url);
    return {
      ...server,
      close: async () => {
        await closeOther();
        await server.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Whether a port could not be listened on because a program has it. */
export function isPortTaken(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException;
  return code === 'EADDRINUSE' || (cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
}
