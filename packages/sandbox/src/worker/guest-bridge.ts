/** What the engine's side may ask of the worker. Only strings and numbers cross. */
export interface GuestHost {
  /** `<id>\n<JSON of the path>\n<JSON of the arguments>` in one text, because every value that crosses takes time. */
  call(message: string): void;
  sleep(id: number, ms: number): void;
  /** The JSON of a text. */
  print(json: string): void;
  /** `rejected`: JSON of failed calls that the code did not read. `errors`: JSON of {@link ErrorDescription}s. */
  end(how: GuestEnd, text: string | undefined, rejected: string, errors: string): void;
}

/** `value`: JSON of the result. `error`: JSON of an {@link ErrorDescription}. The others: a message. */
export type GuestEnd = 'value' | 'error' | 'invalid' | 'too-large';

export interface ErrorDescription {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** The code threw null, or the engine did. */
  readonly isNull?: boolean;
}

export interface GuestConfig {
  readonly functions: readonly string[];
  readonly namespaces: readonly string[];
  readonly resultBytes: number;
  readonly argumentBytes: number;
  readonly outputBytes: number;
  readonly depth: number;
}

/** What the worker may ask of the engine's side. */
export interface GuestBridge {
  /** Runs the code and reports its end through `host.end`. */
  start(main: (watcher: unknown) => unknown): void;
  /** Settles a call: with the JSON of its result, or with the JSON of an error (`name`, `message`, `code`). */
  settle(id: number, fulfilled: boolean, json: string | undefined): void;
  /** JSON of an {@link ErrorDescription}, whatever was thrown. */
  describe(error: unknown): string;
}
