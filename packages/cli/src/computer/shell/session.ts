import type { Computer, OfficeLink, OfficeLinkOptions } from '@a2c/computer';
import type { View } from './view.js';

/** How the shell was started, as far as its commands care. */
export interface ShellSettings {
  /** What `@file` and relative paths start from. */
  readonly root: string;
  readonly autoConnect: boolean;
  /** The URL and credentials of the command line. */
  readonly link: Partial<OfficeLinkOptions>;
}

/** Everything a command may use. */
export interface Session {
  readonly computer: Computer;
  readonly view: View;
  readonly settings: ShellSettings;
  /** The link to an office, while there is one. */
  link: OfficeLink | undefined;
  /** Opens a link and keeps it. */
  openLink(options: OfficeLinkOptions, office?: string): Promise<OfficeLink>;
  /** Asks the person; absent where nobody can answer. */
  readonly ask?: (question: string) => Promise<string | undefined>;
  /** Aborted when the person interrupts the command. */
  readonly signal: AbortSignal;
  /** Lets a person see servers come up while something waits for them. */
  whileStarting<T>(work: Promise<T>): Promise<T>;
}

/** What a command has to say. */
export interface Reply {
  /** For programs. */
  readonly data: unknown;
  /** For people. */
  readonly text: string;
  /** What went wrong that stops nothing; for people, whatever form the rest is printed in. */
  readonly warnings?: readonly string[];
  /** The command was understood and did not succeed. */
  readonly failed?: true;
  /** The shell ends. */
  readonly end?: true;
}

/** What stands in the place of a command's argument, for completion. */
export type ArgumentKind = 'server' | 'tool' | 'input' | 'file' | 'none';

export interface ShellCommand {
  /** One or two or three words. */
  readonly path: string;
  readonly usage: string;
  readonly help: Parameters<View['say']>[0];
  readonly argument: ArgumentKind;
  /** Ends by itself when the session's signal is aborted, and tells how; others are no longer waited for. */
  readonly heedsSignal?: true;
  readonly run: (session: Session, rest: string) => Promise<Reply>;
}
