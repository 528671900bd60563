import { REDACTED, redactDetails, redactSecrets } from '@a2c/protocol';
import type { SecretInputs } from './secret-inputs.js';

/** Shorter values would take ordinary words out of ordinary texts. */
const SHORTEST_SECRET = 4;

/**
 * Takes secrets out of what is logged, recorded or answered: whatever looks like one, and the values that inputs of this
 * Computer really have or had, whatever they look like.
 */
export class SecretFilter {
  readonly #inputs: SecretInputs;

  constructor(inputs: SecretInputs) {
    this.#inputs = inputs;
  }

  readonly text = (text: string): string => {
    let clean = text;
    for (const secret of this.#inputs.secrets)
      if (secret.length >= SHORTEST_SECRET) clean = clean.replaceAll(secret, REDACTED);
    return redactSecrets(clean);
  };

  record(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return redactDetails(record, this.text);
  }
}
