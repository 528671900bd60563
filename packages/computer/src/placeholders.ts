import { homedir } from 'node:os';
import {
  environmentNameWithValue,
  expandPlaceholders,
  type JsonValue,
  resolveServer,
  type ServerConfig,
  secretValues,
} from '@a2c/config';
import type { SecretInputs } from './secrets.js';

export interface PlaceholderOptions {
  readonly inputs: SecretInputs;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly root: string;
  /** Whether the configuration is trusted. */
  readonly trusted: boolean;
}

/** Fills in the placeholders of configurations: inputs, variables, folders. */
export class Placeholders {
  readonly #options: PlaceholderOptions;

  constructor(options: PlaceholderOptions) {
    this.#options = options;
  }

  /** A configuration with its placeholders filled in. Its variables and headers are remembered as secrets. */
  async fillIn(server: ServerConfig, warn: (message: string) => void): Promise<ServerConfig> {
    const { inputs } = this.#options;
    const resolved = await resolveServer(server, {
      ...this.#options,
      inputs: { has: (id) => inputs.has(id), resolve: (id) => inputs.resolve(id, server.name) },
      warn,
    });
    inputs.rememberSecrets(secretValues(resolved));
    return resolved;
  }

  /** Any value with its placeholders filled in. The result may contain secrets. */
  render(value: JsonValue, warn: (message: string) => void): Promise<JsonValue> {
    const { env, root, inputs } = this.#options;
    return expandPlaceholders(value, { format: 'a2c', env, root, home: homedir(), inputs, warn });
  }

  /** Whether the environment has a value for this input, by which it is resolved. */
  hasEnvironmentValue(id: string): boolean {
    return environmentNameWithValue(id, this.#options.env) !== undefined;
  }
}
