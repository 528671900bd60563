import type { InputDefinition, InputResolver, JsonValue } from '@a2c/config';
import { REDACTED, redactDetails, redactSecrets } from '@a2c/protocol';

/** Shorter values would take ordinary words out of ordinary texts. */
const SHORTEST_SECRET = 4;

/**
 * Takes secrets out of what is logged, recorded or answered: whatever looks like one, and the values that inputs of this
 * Computer really have, whatever they look like.
 */
export class SecretFilter {
  readonly #inputs: InputResolver;

  constructor(inputs: InputResolver) {
    this.#inputs = inputs;
  }

  readonly text = (text: string): string => {
    let clean = text;
    for (const secret of this.#values()) clean = clean.replaceAll(secret, REDACTED);
    return redactSecrets(clean);
  };

  record(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return redactDetails(record, this.text);
  }

  /** The longest first, so that a value that holds another goes whole. */
  #values(): string[] {
    return this.#inputs.definitions
      .filter(isSecret)
      .flatMap(({ id }) => textsOf(this.#inputs.cachedValue(id)))
      .filter((text) => text.length >= SHORTEST_SECRET)
      .toSorted((a, b) => b.length - a.length);
  }
}

/** What a person typed blindly or a command printed; a pick from a list is no secret. */
function isSecret(definition: InputDefinition): boolean {
  return definition.type === 'command' || (definition.type === 'promptString' && definition.password);
}

function textsOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
