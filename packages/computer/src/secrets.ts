import { type InputDefinition, InputResolver, type JsonValue, withEncodings } from '@a2c/config';
import { redactDetails, redactLog, redactValues, stringsIn, withLines } from '@a2c/protocol';

/**
 * Inputs that remember every secret value for the life of the Computer: a server that was started with a value may
 * repeat it at any time, also after the value was changed or cleared here.
 */
export class SecretInputs extends InputResolver {
  #secrets: readonly string[] = [];

  /** Longest first: one secret may contain another. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  override async resolve(id: string, server?: string): Promise<JsonValue> {
    const definition = this.#definition(id);
    const value = await super.resolve(id, server);
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
    if (definition && isSecret(definition)) this.rememberSecrets(withEncodings(stringsIn(value)));
  }

  /** Remembers values that do not come from inputs, such as the variables of a server. */
  rememberSecrets(values: readonly string[]): void {
    const all = withLines([...this.#secrets, ...values]);
    if (all.length > this.#secrets.length) this.#secrets = all;
  }
}

/** Passwords and the output of commands are secrets; a choice from a list is not. */
function isSecret(definition: InputDefinition): boolean {
  return definition.type === 'command' || (definition.type === 'promptString' && definition.password);
}

/**
 * Removes secrets from logs, records and answers: the values of secret inputs, and whatever looks like a credential.
 */
export class SecretFilter {
  readonly #inputs: SecretInputs;

  constructor(inputs: SecretInputs) {
    this.#inputs = inputs;
  }

  readonly text = (text: string): string => redactValues(text, this.#inputs.secrets);

  /** As `text`; of a long log, the last lines are kept. */
  readonly log = (text: string): string => redactLog(text, this.#inputs.secrets);

  record(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return redactDetails(record, this.text);
  }
}
