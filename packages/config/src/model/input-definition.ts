/** A value that a placeholder `${input:id}` stands for, and how to get it. */
export type InputDefinition = PromptStringInput | PickStringInput | CommandInput;

interface InputBase {
  readonly id: string;
  readonly description: string;
}

export interface PromptStringInput extends InputBase {
  readonly type: 'promptString';
  readonly default: string | null;
  /** The value is a secret: never echoed, printed or serialised. */
  readonly password: boolean;
}

export interface PickStringInput extends InputBase {
  readonly type: 'pickString';
  readonly options: readonly string[];
  readonly default: string | null;
}

/** The trimmed standard output of a program. */
export interface CommandInput extends InputBase {
  readonly type: 'command';
  readonly command: string;
  /** The values become arguments, ordered by key. */
  readonly args: Readonly<Record<string, string>> | null;
}
