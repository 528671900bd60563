import { SMCPError } from '@a2c/protocol';

/** The limits of a JSON body. Parsing and checking a larger one would block the event loop for too long. */
const MAX_DEPTH = 100;
const MAX_VALUES = 20_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = [0x5b, 0x7b];
const CLOSE = [0x5d, 0x7d];

/** Counts the values of a JSON text and its nesting as its bytes arrive, before anything is made of them. */
export class BodySize {
  #depth = 0;
  #values = 1;
  #isInString = false;
  #isEscaped = false;

  /** @throws SMCPError 400 if the text nests too deeply or has too many values */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInString) {
        if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInString = false;
      } else if (byte === QUOTE) this.#isInString = true;
      else if (byte === COMMA) this.#values++;
      else if (byte === OPEN[0] || byte === OPEN[1]) {
        this.#values++;
        this.#depth++;
      } else if (byte === CLOSE[0] || byte === CLOSE[1]) this.#depth--;
      if (this.#depth > MAX_DEPTH) throw new SMCPError('BadRequest', `the body nests deeper than ${MAX_DEPTH} levels`);
      if (this.#values > MAX_VALUES) throw new SMCPError('BadRequest', `the body has more than ${MAX_VALUES} values`);
    }
  }
}
