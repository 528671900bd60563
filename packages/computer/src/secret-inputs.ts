import { type InputDefinition, InputResolver, type JsonValue } from '@a2c/config';

/**
 * Inputs that remember every secret they ever gave out, for the Computer's life: a value that was changed or forgotten here is
 * still known to the servers that were started with it, and they may say it at any time.
 */
export class SecretInputs extends InputResolver {
  #secrets: readonly string[] = [];

  /** The longest first, so that a value that holds another goes whole. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  override async resolve(id: string): Promise<JsonValue> {
    const definition = this.#definition(id);
    const value = await super.resolve(id);
    this.#remember(definition, value);
    return value;
  }

  override setCachedValue(id: string, value: JsonValue): boolean {
    this.#remember(this.#definition(id), value);
    return super.setCachedValue(id, value);
  }

  #definition(id: string): InputDefinition | undefined {
    return this.definitions.find((definition) => definition.id === id);
  }

  #remember(definition: InputDefinition | undefined, value: JsonValue): void {
    if (!definition || !isSecret(definition)) return;
    const all = new Set([...this.#secrets, ...textsOf(value)]);
    if (all.size > this.#secrets.length) this.#secrets = [...all].toSorted((a, b) => b.length - a.length);
  }
}

/** What a person typed blindly or a command printed; a pick from a list is no secret. */
function isSecret(definition: InputDefinition): boolean {
  return definition.type === 'command' || (definition.type === 'promptString' && definition.password);
}

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
