import { join, resolve } from 'node:path';
import { Computer, type ComputerOptions, type ConfirmCallback, type Logger, OfficeLink } from '@a2c/computer';
import { type InputProvider, TrustGuard, UNTRUSTED, userStateFolder } from '@a2c/config';
import type { ComputerConsole } from '../console/computer-console.js';
import { pinOptions } from '../pin-options.js';
import { skillOptions } from '../skill-options.js';
import type { TextLogger } from '../text-logger.js';
import { onReconnection } from './reconnection.js';
import type { Session } from './shell/session.js';
import type { View } from './shell/view.js';
import { type ComputerRunOptions, type StartFiles, scopesOf } from './start-options.js';

/** What the three modes (terminal, pipe, headless) have in common. */
export interface Start {
  readonly options: ComputerRunOptions;
  readonly files: StartFiles;
  readonly view: View;
  readonly link: Session['settings']['link'];
  readonly console: ComputerConsole | undefined;
}

export interface UserCallbacks {
  /** Asks the user for consent before a tool runs; absent without a terminal. */
  readonly confirm?: ConfirmCallback;
  readonly askInput?: InputProvider;
  /** Answers the questions of MCP servers; absent without a terminal. */
  readonly onElicit?: ComputerOptions['onElicit'];
  readonly logger?: Logger;
}

export function createComputer({ options, files, console }: Start, callbacks: UserCallbacks = {}): Computer {
  const { confirm, askInput, onElicit, logger } = callbacks;
  const { landingRoot = files.settings.landingRoot } = options;
  const ask = console ? console.confirm(confirm) : confirm;
  const decide = { ask, allow: () => true, deny: 'deny' as const }[options.confirm];
  const skills = skillOptions(options, scopesOf(options));
  return new Computer({
    name: options.name,
    inputs: files.inputs,
    storedInputs: files.storedInputs,
    mcpServers: files.servers,
    client: files.config?.client ?? null,
    autoConnect: options.autoConnect,
    autoReconnect: options.autoReconnect,
    root: resolve(options.root ?? '.'),
    pins: pinOptions(options.pins),
    ...(decide && { confirm: decide }),
    ...(askInput && { askInput }),
    ...(onElicit && { onElicit }),
    ...(logger && { logger }),
    guard: new TrustGuard({ ...UNTRUSTED, trusted: true, lists: files.settings.lists }),
    ...(skills && { skills }),
    ...(landingRoot !== undefined && { landingRoot: resolve(landingRoot) }),
    ...(options.historyFile !== undefined && { historyFile: { path: options.historyFile } }),
    ...(options.durable !== undefined && { ledgerFile: ledgerFile(options) }),
  });
}

/** Names may contain characters that file names cannot. */
function ledgerFile({ durable, name }: ComputerRunOptions): string {
  if (typeof durable === 'string') return durable;
  return join(userStateFolder(process.env), `calls-${encodeURIComponent(name)}.ledger`);
}

export interface SessionParts {
  readonly computer: Computer;
  readonly logger: TextLogger;
  readonly ask?: NonNullable<Session['ask']>;
  readonly askInput?: InputProvider;
  readonly edit?: NonNullable<Session['edit']>;
  readonly signal: () => AbortSignal;
  /** Prints a message that is no problem. */
  readonly notice: (text: string) => void;
  readonly whileStarting?: Session['whileStarting'];
}

export function createSession({ options, files, view, link, console }: Start, parts: SessionParts): Session {
  const { computer, logger, ask, askInput, edit, signal, notice, whileStarting = (work) => work } = parts;
  return {
    computer,
    view,
    settings: {
      root: resolve(options.root ?? '.'),
      autoConnect: options.autoConnect,
      link,
      ...(files.config && { config: files.config.source.files[0].file }),
    },
    link: undefined,
    refusal: undefined,
    async openLink(how, office) {
      const opened = new OfficeLink(computer, { logger, ...how });
      console?.watchLink(opened);
      await opened.connect(office, { signal: signal() });
      opened.on('refused', ({ message }) => {
        if (this.link !== opened) return;
        this.link = undefined;
        this.refusal = message;
      });
      onReconnection(opened, () => notice(view.say('connectedAgain', { url: opened.url.origin })));
      this.link = opened;
      this.refusal = undefined;
      return opened;
    },
    ...(ask && { ask }),
    ...(askInput && { askInput }),
    ...(edit && { edit }),
    get signal() {
      return signal();
    },
    whileStarting,
    startReported: (work) => logger.withoutFailures(whileStarting(work)),
  };
}

/** Connects and joins as given on the command line. Returns false without `--url`. */
export async function connectAtStart(session: Session, { options }: Start): Promise<boolean> {
  const { url, office } = options;
  if (url === undefined) return false;
  const link = await session.openLink({ ...session.settings.link, url }, office);
  if (office !== undefined) await link.joinOffice(office);
  return true;
}
