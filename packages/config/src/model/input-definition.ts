/** A value that the placeholder `${input:id}` is replaced with, and how to get it. */
export type InputDefinition = PromptStringInput | PickStringInput | CommandInput;

/** The fields that every kind of input has. */
export interface InputBase {
  readonly id: string;
  /** Shown to the person who is asked for the value. */
  readonly description: string;
}

/** A text that a person types in. */
export interface PromptStringInput extends InputBase {
  readonly type: 'promptString';
  readonly default: string | null;
  /** The value is a secret: it is never echoed, printed or serialised. */
  readonly password: boolean;
}

/** One of several given values. */
export interface PickStringInput extends InputBase {
  readonly type: 'pickString';
  readonly options: readonly InputOption[];
  readonly default: string | null;
}

/** One choice of a `pickString` input. A plain text in a file is both its label and its value. */
export interface InputOption {
  /** Shown to the person. */
  readonly label: string;
  /** What the placeholder is replaced with. */
  readonly value: string;
}

/** Whether one of the options has this value. */
export function isOption({ options }: PickStringInput, value: unknown): boolean {
  return options.some((option) => option.value === value);
}

/** The trimmed standard output of a program. */
export interface CommandInput extends InputBase {
  readonly type: 'command';
  readonly command: string;
  /** The values become arguments, ordered by key. */
  readonly args: Readonly<Record<string, string>> | null;
}

/** The values of `args` in the order in which the program gets them. */
export function orderedArguments({ args }: CommandInput): readonly string[] {
  const entries = Object.entries(args ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([, value]) => value);
}

/**
 * The environment variables that can hold the value of an input, in order of precedence: `A2C_SMCP_` with the id as
 * written, then in capitals. Characters that a variable name cannot have become underscores.
 */
export function environmentNames(id: string): readonly string[] {
  const name = `A2C_SMCP_${id.replaceAll(/[^A-Za-z0-9_]/gu, '_')}`;
  return [...new Set([name, name.toUpperCase()])];
}

/**
 * The environment variable that holds the value of an input. One whose value is its own placeholder, such as
 * `${env:A2C_SMCP_T}`, is not set: the client that should replace the placeholder passed it on.
 */
export function environmentNameWithValue(
  id: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return environmentNames(id).find((name) => {
    const value = env[name];
    return value !== undefined && ![`\${env:${name}}`, `\${${name}}`, `$${name}`].includes(value);
  });
}
