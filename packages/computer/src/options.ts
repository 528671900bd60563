import type { ClientConfig, InputDefinition, InputProvider, ServerConfig, TrustGuard } from '@a2c/config';
import type { ManagerOptions } from '@a2c/hub';
import type { ConfirmCallback } from './calls/confirmation.js';
import { ONCE_ONLY_LIMITS, type OnceOnlyLimits } from './calls/once-only.js';
import type { HistoryFileOptions } from './history/history-file.js';
import type { Logger } from './logger.js';

/** Every bound the Computer sets. Each is an option; these are the defaults. */
export interface ComputerLimits extends OnceOnlyLimits {
  /** Calls the history keeps. */
  readonly historyRecords: number;
}

export const COMPUTER_LIMITS: ComputerLimits = { ...ONCE_ONLY_LIMITS, historyRecords: 10 };

export interface ComputerOptions {
  /** How Agents address it; unique within an office. */
  readonly name: string;
  readonly inputs?: readonly InputDefinition[];
  /** As read, placeholders unfilled: they are filled in when a server starts. */
  readonly mcpServers?: readonly ServerConfig[];
  /** Start servers when they are added. Default true. */
  readonly autoConnect?: boolean;
  /** Come back after a lost connection to a server, and restart one whose configuration changes. Default true. */
  readonly autoReconnect?: boolean;
  /** Asked before every call of a tool without `auto_apply: true`. Without it such calls fail. */
  readonly confirm?: ConfirmCallback;
  /** Asks a person for an input. Without it, inputs come from the environment, from commands and from defaults. */
  readonly askInput?: InputProvider;
  /**
   * Stands between servers and the machine. The default trusts: whoever builds a Computer has chosen its servers. Give one
   * that does not for files you merely found.
   */
  readonly guard?: TrustGuard;
  /** What relative paths of servers start from; the working directory by default. */
  readonly root?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What MCP servers are told about us. */
  readonly client?: ClientConfig | null;
  /** Answers to what MCP servers ask of the person or the model. Without them: a clean refusal. */
  readonly onElicit?: NonNullable<ManagerOptions['onElicit']>;
  readonly onSample?: NonNullable<ManagerOptions['onSample']>;
  readonly historyFile?: HistoryFileOptions;
  readonly limits?: Partial<ComputerLimits>;
  readonly logger?: Logger;
}
