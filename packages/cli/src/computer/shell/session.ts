/** What the commands of the shell work with: their session, and the replies they return. */
import type { Computer, OfficeLink, OfficeLinkOptions } from '@a2c/computer';
import type { InputProvider } from '@a2c/config';
import { visibleText } from '@a2c/protocol';
import { ShellError } from './command-line.js';
import { wrappedMessage } from './display-width.js';
import type { View } from './view.js';

/** The options the shell was started with, as far as its commands use them. */
export interface ShellSettings {
  /** Where `@file` and relative paths start. */
  readonly root: string;
  readonly autoConnect: boolean;
  /** The configuration file of the command line. */
  readonly config?: string;
  /** The URL and credentials of the command line. */
  readonly link: Partial<OfficeLinkOptions>;
}

export interface Session {
  readonly computer: Computer;
  readonly view: View;
  readonly settings: ShellSettings;
  /** The link to the Server; undefined while not connected. */
  link: OfficeLink | undefined;
  /** Why the Server ended the last session for good. */
  refusal: string | undefined;
  /** Connects, and sets `link`. */
  openLink(options: OfficeLinkOptions, office?: string): Promise<OfficeLink>;
  /** Asks the user; absent when the shell is not interactive. */
  readonly ask?: (question: string) => Promise<string | undefined>;
  /** Asks for the value of an input as its definition requires, such as masked; absent as `ask`. */
  readonly askInput?: InputProvider;
  /** Opens the user's editor with a text and returns what was saved; absent when the shell is not interactive. */
  readonly edit?: (text: string) => Promise<string>;
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal;
  /** Shows the progress of starting servers until the work is done. */
  whileStarting<T>(work: Promise<T>): Promise<T>;
  /** The same for a command whose reply names the servers that fail. */
  startReported<T>(work: Promise<T>): Promise<T>;
}

/** The kind of a command's argument, for completion. */
export type ArgumentKind = 'server' | 'tool' | 'input' | 'file' | 'none';

export interface ShellCommand {
  /** One to three words. */
  readonly path: string;
  readonly usage: string;
  readonly help: Parameters<View['say']>[0];
  readonly argument: ArgumentKind;
  /** The command ends by itself when the session's signal aborts. The shell stops waiting for other commands. */
  readonly handlesSignal?: true;
  readonly run: (session: Session, rest: string) => Promise<Reply>;
}

/** The result of a command. */
export interface Reply {
  /** For programs (`--json`). */
  readonly data: unknown;
  /** For people. */
  readonly text: string;
  /** Messages for people, printed also with `--json`. */
  readonly warnings?: readonly string[];
  /** The command was valid but did not succeed. */
  readonly failed?: true;
  /** The shell ends. */
  readonly end?: true;
}

export function done(view: View, text: string, data: Readonly<Record<string, unknown>> = {}): Reply {
  return { data: { ok: true, ...data }, text: `${view.paint('green', '✅')} ${visibleText(text)}` };
}

export function failed(view: View, text: string, data: Readonly<Record<string, unknown>> = {}): Reply {
  return {
    data: { ok: false, error: text, ...data },
    text: `${view.paint('red', '❌')} ${wrappedMessage(visibleText(text), view.width, '   ')}`,
    failed: true,
  };
}

/** A reply whose text is its data as indented JSON. */
export function json(data: unknown): Reply {
  return { data, text: visibleText(JSON.stringify(data, null, 2)) };
}

/** Returns the argument, or throws an error that shows the usage. */
export function required(session: Session, value: string | undefined, usage: string): string {
  if (value !== undefined && value !== '') return value;
  throw new ShellError(session.view.say('usage', { usage }));
}
