import type { ClientConfig, InputDefinition, InputProvider, ServerConfig, TrustGuard } from '@a2c/config';
import type { ElicitHandler, PinOptions, SampleHandler } from '@a2c/hub';
import type { Logger, RecordFileOptions } from '@a2c/log';
import type { ConfirmCallback } from './calls/consent.js';
import { ONCE_ONLY_LIMITS, type OnceOnlyLimits } from './calls/once-only.js';
import { UNFINISHED_LIMITS, type UnfinishedLimits } from './calls/unfinished-calls.js';
import { WAITING_LIMITS, type WaitingLimits } from './calls/waiting-calls.js';
import type { SkillOptions } from './skills/skill-library.js';
import { LANDING_LIMITS, type LandingLimits } from './uploads/landing-store.js';

/** The limits of a Computer. Each can be changed with the option `limits`. */
export interface ComputerLimits extends OnceOnlyLimits, UnfinishedLimits, WaitingLimits, LandingLimits {
  /** The number of calls that `history()` keeps. */
  readonly historyRecords: number;
  /** The largest file of a skill that is served, in bytes. */
  readonly skillFileBytes: number;
  /** Changes of skills within this time are one. Milliseconds. */
  readonly skillDebounceMs: number;
  /** How long the start waits for the skills of MCP servers. Later ones are announced. Milliseconds. */
  readonly skillStartMs: number;
}

/** The default limits of a Computer. */
export const COMPUTER_LIMITS: ComputerLimits = {
  ...ONCE_ONLY_LIMITS,
  ...UNFINISHED_LIMITS,
  ...WAITING_LIMITS,
  ...LANDING_LIMITS,
  historyRecords: 10,
  skillFileBytes: 100 * 2 ** 20,
  skillDebounceMs: 300,
  skillStartMs: 5_000,
};

/** Options of a Computer. */
export interface ComputerOptions {
  /** The name by which Agents address it; unique within an office. */
  readonly name: string;
  readonly inputs?: readonly InputDefinition[];
  /** As read; placeholders are filled in when a server starts. */
  readonly mcpServers?: readonly ServerConfig[];
  /** Start servers when they are added. Default true. */
  readonly autoConnect?: boolean;
  /**
   * Reconnect after a lost connection to a server, and restart a server when its configuration changes. Default true.
   */
  readonly autoReconnect?: boolean;
  /** Asked before every call of a tool without `auto_apply: true`. Without it such calls fail; `deny` says why. */
  readonly confirm?: ConfirmCallback | 'deny';
  /** Asks a person for an input. Without it, inputs come from the environment, from commands and from defaults. */
  readonly askInput?: InputProvider;
  /** Values of inputs that the user stored, by id. */
  readonly storedInputs?: Readonly<Record<string, string>>;
  /**
   * The trust policy of the servers. By default they are trusted; pass a guard for configuration files you merely
   * found.
   */
  readonly guard?: TrustGuard;
  /** The folder that relative paths start from. Default: the working directory. */
  readonly root?: string;
  /** The environment for placeholders and inputs. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The client section of a configuration: capabilities, roots, protocol version. */
  readonly client?: ClientConfig | null;
  /** Withholds or reports tools that changed since a person approved them. Default: off. */
  readonly pins?: PinOptions | null;
  /** Answers `elicitation/create` of MCP servers. Without it the capability is not declared. */
  readonly onElicit?: ElicitHandler;
  /** Answers `sampling/createMessage` of MCP servers. Without it the capability is not declared. */
  readonly onSample?: SampleHandler;
  /** Where skills for Agents come from. By default the Computer offers none. */
  readonly skills?: SkillOptions;
  /** The folder for files that Agents send: an absolute path. By default such files are refused. */
  readonly landingRoot?: string;
  /** Appends every tool call to a file of JSON lines. */
  readonly historyFile?: RecordFileOptions;
  /**
   * A file with the ids of started calls. Each is on the disk before its call runs, so that a call repeated after a
   * crash is not run again. Costs one write to the disk per call. Several Computers can use one file.
   */
  readonly ledgerFile?: string;
  readonly limits?: Partial<ComputerLimits>;
  readonly logger?: Logger;
}
