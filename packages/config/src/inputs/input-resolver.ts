import type { JsonValue } from '../json/json-value.js';
import {
  type CommandInput,
  environmentNames,
  environmentNameWithValue,
  type InputDefinition,
  isOption,
  orderedArguments,
  type PickStringInput,
  type PromptStringInput,
} from '../model/input-definition.js';
import { MASK } from '../model/mask-config.js';
import { COMMAND_LIMITS, runCommand } from './run-command.js';

/**
 * Asks a person for a value. undefined means that there is no answer; then the default is used, if there is one. To
 * cancel, reject: `resolve` rejects with the same error.
 */
export type InputProvider = (
  definition: PromptStringInput | PickStringInput,
  /** The MCP server that needs the value, if it is one. */
  server?: string,
) => Promise<string | undefined>;

/** Where an `InputResolver` takes values from. */
export interface InputResolverOptions {
  /** The environment; that of the process by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Values that the person stored, by id. The environment replaces them. */
  readonly stored?: Readonly<Record<string, string>>;
  /** Asks the person; without it only the environment, commands and defaults are used. */
  readonly provider?: InputProvider;
  /** The time limit for the program of a `command` input; 30 seconds by default. */
  readonly commandTimeoutMs?: number;
}

/**
 * An input has no value. The message names the input and how to set it. The error is permanent: resolving again fails
 * until a value is set.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/**
 * Resolves inputs. The value comes from the cache, the environment, the stored values, the person or the command, or
 * the default, in this order. An input is resolved on first use; concurrent callers share one resolution. The output of
 * a command is not cached: the command runs again for the next start of a server. Values are kept in private fields, so
 * that they do not appear in `JSON.stringify` or `util.inspect`.
 *
 * @example
 * ```ts
 * const inputs = new InputResolver(config.inputs, { provider: async ({ description }) => ask(description) });
 * const token = await inputs.resolve('token');
 * ```
 */
export class InputResolver {
  readonly #definitions = new Map<string, InputDefinition>();
  readonly #cache = new Map<string, JsonValue>();
  readonly #pending = new Map<string, Promise<JsonValue>>();
  readonly #options: InputResolverOptions;

  constructor(definitions: readonly InputDefinition[] = [], options: InputResolverOptions = {}) {
    this.#options = options;
    this.define(definitions);
  }

  /** All definitions, in the order in which their ids were added. */
  get definitions(): readonly InputDefinition[] {
    return [...this.#definitions.values()];
  }

  /**
   * Adds or replaces definitions. The cached value of an id is dropped when its definition changes, except for a
   * selection: resolving it fails when it is no longer an option.
   *
   * @throws InputError when two inputs would have the same environment variable.
   */
  define(definitions: readonly InputDefinition[]): void {
    for (const definition of definitions) {
      this.#checkVariable(definition);
      const known = this.#definitions.get(definition.id);
      if (known && JSON.stringify(known) !== JSON.stringify(definition)) this.#definitionChanged(known, definition);
      this.#definitions.set(definition.id, definition);
    }
  }

  /** Replaces all definitions. Cached values of unchanged definitions are kept. */
  replaceAll(definitions: readonly InputDefinition[]): void {
    const ids = new Set(definitions.map(({ id }) => id));
    for (const id of [...this.#definitions.keys()]) if (!ids.has(id)) this.remove(id);
    this.define(definitions);
  }

  /** Removes a definition and its cached value. Returns false for an unknown id. */
  remove(id: string): boolean {
    this.#forget(id);
    return this.#definitions.delete(id);
  }

  /** Whether an input with this id is defined. */
  has(id: string): boolean {
    return this.#definitions.has(id);
  }

  /**
   * Returns the value of an input and caches it, unless a command printed it. `server` is named when a person is asked.
   *
   * @throws InputError when the input is not defined, has no value, or its command fails.
   */
  async resolve(id: string, server?: string): Promise<JsonValue> {
    const definition = this.#definitions.get(id);
    if (!definition) throw new InputError(`input "${id}" is not defined`);
    const cached = this.#cache.get(id);
    if (cached !== undefined) return validated(definition, cached, 'the stored value') as JsonValue;
    const pending = this.#pending.get(id);
    if (pending !== undefined) return pending;
    const resolution = this.#resolveNow(definition, server).finally(() => {
      if (this.#pending.get(id) === resolution) this.#pending.delete(id);
    });
    this.#pending.set(id, resolution);
    return resolution;
  }

  /** The cached value in the clear, also of a password. */
  cachedValue(id: string): JsonValue | undefined {
    return this.#cache.get(id);
  }

  /** Sets the cached value of a defined input; false for an unknown id. */
  setCachedValue(id: string, value: JsonValue): boolean {
    if (!this.has(id)) return false;
    this.#cache.set(id, value);
    return true;
  }

  /** Drops one cached value; false when there was none. */
  removeCachedValue(id: string): boolean {
    return this.#cache.delete(id);
  }

  /** Drops all cached values. */
  clearCache(): void {
    this.#cache.clear();
  }

  /** All cached values for display. Passwords and the output of commands are masked. */
  maskedValues(): Record<string, JsonValue> {
    return Object.fromEntries(
      [...this.#cache].map(([id, value]) => [id, isSecret(this.#definitions.get(id)) ? MASK : value]),
    );
  }

  /** With one variable for two inputs, the secret of one would be sent where the other is used. */
  #checkVariable({ id }: InputDefinition): void {
    const [variable] = environmentNames(id);
    const owner = [...this.#definitions.keys()].find(
      (known) => known !== id && environmentNames(known)[0] === variable,
    );
    if (owner === undefined) return;
    throw new InputError(
      `inputs "${owner}" and "${id}" share the environment variable ${variable}; rename one of them`,
    );
  }

  /** A selection is kept: if it is no longer an option, that is an error, not a reason to use the default. */
  #definitionChanged(known: InputDefinition, { id, type }: InputDefinition): void {
    if (known.type === 'pickString' && type === 'pickString') this.#pending.delete(id);
    else this.#forget(id);
  }

  #forget(id: string): void {
    this.#cache.delete(id);
    this.#pending.delete(id);
  }

  async #resolveNow(definition: InputDefinition, server: string | undefined): Promise<JsonValue> {
    const set = this.#fromEnvironment(definition) ?? this.#fromStore(definition);
    if (set === undefined && definition.type === 'command') return this.#run(definition);
    const found = set ?? (await this.#ask(definition as PromptStringInput | PickStringInput, server));
    if (found !== undefined) {
      // Do not cache the value under a definition that was replaced in the meantime.
      if (this.#definitions.get(definition.id) === definition) this.#cache.set(definition.id, found);
      return found;
    }
    const fallback = usableDefault(definition);
    if (fallback !== undefined) return fallback; // Not cached: a person may still be asked later.
    const [variable] = environmentNames(definition.id);
    throw new InputError(
      `input "${definition.id}" has no value; set ${variable}, or run a2c in a terminal to be asked`,
    );
  }

  #fromEnvironment(definition: InputDefinition): string | undefined {
    const env = this.#options.env ?? process.env;
    const name = environmentNameWithValue(definition.id, env);
    return name === undefined ? undefined : validated(definition, env[name], `the environment variable ${name}`);
  }

  #fromStore(definition: InputDefinition): string | undefined {
    const { stored = {} } = this.#options;
    return Object.hasOwn(stored, definition.id)
      ? validated(definition, stored[definition.id], 'the stored value')
      : undefined;
  }

  async #ask(definition: PromptStringInput | PickStringInput, server: string | undefined): Promise<string | undefined> {
    const answer = await this.#options.provider?.(definition, server);
    // An empty answer (Enter) accepts the default.
    const value = answer === '' ? (usableDefault(definition) ?? answer) : answer;
    return validated(definition, value, 'the answer');
  }

  async #run(input: CommandInput): Promise<string> {
    const timeoutMs = this.#options.commandTimeoutMs ?? COMMAND_LIMITS.timeoutMs;
    try {
      return await runCommand(input.command, orderedArguments(input), { ...COMMAND_LIMITS, timeoutMs });
    } catch (error) {
      throw new InputError(`the command of input "${input.id}" ${(error as Error).message}`);
    }
  }
}

function validated<T extends JsonValue>(
  definition: InputDefinition,
  value: T | undefined,
  what: string,
): T | undefined {
  if (value === undefined || definition.type !== 'pickString' || isOption(definition, value)) return value;
  const options = definition.options.map((option) => option.value).join(', ');
  throw new InputError(`${what} for input "${definition.id}" is not one of ${options}; set one of them`);
}

function usableDefault(definition: InputDefinition): string | undefined {
  if (definition.type === 'command' || definition.default === null) return undefined;
  if (definition.type === 'pickString' && !isOption(definition, definition.default)) return undefined;
  return definition.default;
}

function isSecret(definition: InputDefinition | undefined): boolean {
  return definition?.type === 'command' || (definition?.type === 'promptString' && definition.password);
}
