import type { JsonValue } from '../json/json-value.js';
import type { CommandInput, InputDefinition, PickStringInput, PromptStringInput } from '../model/input-definition.js';
import { MASK } from '../model/mask-config.js';
import { environmentNames } from './environment-name.js';
import { COMMAND_LIMITS, runCommand } from './run-command.js';

/** Asks a person. undefined means no answer: the default is used, if there is one. */
export type InputProvider = (definition: PromptStringInput | PickStringInput) => Promise<string | undefined>;

export interface InputResolverOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly provider?: InputProvider;
  readonly commandTimeoutMs?: number;
}

/** An input has no value. The message names the input and the ways to give it one. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/**
 * The values of inputs: first what is cached, then the environment, then the person or the command, then the default. Lazy:
 * nothing is asked or run before it is needed, and then once, however many callers wait. Private fields keep the values out
 * of `JSON.stringify` and of inspection.
 */
export class InputResolver {
  readonly #definitions = new Map<string, InputDefinition>();
  readonly #cache = new Map<string, JsonValue>();
  readonly #underWay = new Map<string, Promise<JsonValue>>();
  readonly #options: InputResolverOptions;

  constructor(definitions: readonly InputDefinition[] = [], options: InputResolverOptions = {}) {
    this.#options = options;
    this.define(definitions);
  }

  get definitions(): readonly InputDefinition[] {
    return [...this.#definitions.values()];
  }

  /** Adds definitions; one of a known id replaces it, and only then is that id's cached value forgotten. */
  define(definitions: readonly InputDefinition[]): void {
    for (const definition of definitions) {
      const known = this.#definitions.get(definition.id);
      if (known && JSON.stringify(known) !== JSON.stringify(definition)) this.#forget(definition.id);
      this.#definitions.set(definition.id, definition);
    }
  }

  /** Replaces all definitions; values of ids that stay the same survive. */
  replaceAll(definitions: readonly InputDefinition[]): void {
    const ids = new Set(definitions.map(({ id }) => id));
    for (const id of [...this.#definitions.keys()]) if (!ids.has(id)) this.remove(id);
    this.define(definitions);
  }

  remove(id: string): boolean {
    this.#forget(id);
    return this.#definitions.delete(id);
  }

  has(id: string): boolean {
    return this.#definitions.has(id);
  }

  async resolve(id: string): Promise<JsonValue> {
    const definition = this.#definitions.get(id);
    if (!definition) throw new InputError(`input "${id}" is not defined`);
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached;
    const waiting = this.#underWay.get(id);
    if (waiting !== undefined) return waiting;
    const resolution = this.#resolveNow(definition).finally(() => {
      if (this.#underWay.get(id) === resolution) this.#underWay.delete(id);
    });
    this.#underWay.set(id, resolution);
    return resolution;
  }

  /** The cached value, also of a password: for whoever must use it. */
  cachedValue(id: string): JsonValue | undefined {
    return this.#cache.get(id);
  }

  /** Sets the cached value of a defined input; false for an unknown id. */
  setCachedValue(id: string, value: JsonValue): boolean {
    if (!this.has(id)) return false;
    this.#cache.set(id, value);
    return true;
  }

  removeCachedValue(id: string): boolean {
    return this.#cache.delete(id);
  }

  clearCache(): void {
    this.#cache.clear();
  }

  /** Every cached value for a person to see, passwords and what commands printed masked. */
  shownValues(): Record<string, JsonValue> {
    return Object.fromEntries(
      [...this.#cache].map(([id, value]) => [id, isSecret(this.#definitions.get(id)) ? MASK : value]),
    );
  }

  #forget(id: string): void {
    this.#cache.delete(id);
    this.#underWay.delete(id);
  }

  async #resolveNow(definition: InputDefinition): Promise<JsonValue> {
    const found = this.#fromEnvironment(definition) ?? (await this.#fromSource(definition));
    if (found !== undefined) {
      // A definition replaced in the meantime must not be given the old one's value.
      if (this.#definitions.get(definition.id) === definition) this.#cache.set(definition.id, found);
      return found;
    }
    const fallback = usableDefault(definition);
    if (fallback !== undefined) return fallback; // Not cached: a person may still be asked the next time.
    const [variable] = environmentNames(definition.id);
    throw new InputError(`input "${definition.id}" has no value; set ${variable}, or run where it can be asked for`);
  }

  #fromEnvironment(definition: InputDefinition): string | undefined {
    const env = this.#options.env ?? process.env;
    const name = environmentNames(definition.id).find((candidate) => env[candidate] !== undefined);
    return name === undefined ? undefined : validated(definition, env[name], `the environment variable ${name}`);
  }

  async #fromSource(definition: InputDefinition): Promise<string | undefined> {
    if (definition.type === 'command') return this.#run(definition);
    const answer = await this.#options.provider?.(definition);
    // An empty answer takes the default where there is one, as pressing Enter does.
    if (answer === '' && usableDefault(definition) !== undefined) return undefined;
    return validated(definition, answer, 'the answer');
  }

  async #run({ id, command, args }: CommandInput): Promise<string> {
    const ordered = Object.entries(args ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const timeoutMs = this.#options.commandTimeoutMs ?? COMMAND_LIMITS.timeoutMs;
    try {
      return await runCommand(
        command,
        ordered.map(([, value]) => value),
        { ...COMMAND_LIMITS, timeoutMs },
      );
    } catch (error) {
      throw new InputError(`the command of input "${id}" ${(error as Error).message}`);
    }
  }
}

function validated(definition: InputDefinition, value: string | undefined, what: string): string | undefined {
  if (value === undefined || definition.type !== 'pickString' || definition.options.includes(value)) return value;
  throw new InputError(`${what} for input "${definition.id}" is not one of ${definition.options.join(', ')}`);
}

function usableDefault(definition: InputDefinition): string | undefined {
  if (definition.type === 'command' || definition.default === null) return undefined;
  if (definition.type === 'pickString' && !definition.options.includes(definition.default)) return undefined;
  return definition.default;
}

function isSecret(definition: InputDefinition | undefined): boolean {
  return definition?.type === 'command' || (definition?.type === 'promptString' && definition.password);
}
