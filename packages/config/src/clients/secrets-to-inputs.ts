import type { InputDefinition, PromptStringInput } from '../model/input-definition.js';
import {
  isSecretName,
  isUrl,
  looksRandom,
  PLACEHOLDER,
  type Replace,
  replaceInArguments,
  replaceInUrl,
  withoutScheme,
} from '../model/secrets.js';
import type { ServerConfig, Transport } from '../model/server-config.js';

interface Taken {
  readonly definition: InputDefinition;
  /** What tells two inputs of one name apart; kept here and nowhere else. */
  readonly content: string;
}

/** Takes the secrets out of servers and leaves `${input:id}` where they were. The values are not kept. */
export class SecretsToInputs {
  readonly #taken = new Map<string, Taken>();

  get inputs(): readonly InputDefinition[] {
    return [...this.#taken.values()].map(({ definition }) => definition);
  }

  /** An input that the client's file defines already. Returns the id it has here. */
  adopt(input: InputDefinition): string {
    // The default of a password is a password.
    const definition = input.type === 'promptString' && input.password ? { ...input, default: null } : input;
    return this.#take([input.id, `${input.id}_2`], JSON.stringify(definition), (id) => ({ ...definition, id }));
  }

  clean(server: ServerConfig): ServerConfig {
    return { ...server, transport: this.#cleanTransport(server) };
  }

  #cleanTransport({ name, transport }: ServerConfig): Transport {
    const replace: Replace = ({ text, label, likely }) =>
      likely ? this.#text(text, name, `${name} ${label}`, label) : this.#defaults(text, name);
    const value = (label: string, ids: string, text: string): string => {
      if ((isSecretName(label) && !isSwitch(text)) || looksRandom(withoutScheme(text).rest))
        return this.#text(text, name, ids, label);
      return this.#defaults(isUrl(text) ? replaceInUrl(text, replace) : text, name);
    };
    const url = (text: string) => this.#defaults(replaceInUrl(text, replace), name);
    switch (transport.type) {
      case 'unix':
        return transport;
      case 'stdio': {
        const argv = replaceInArguments(transport.argv, replace).map((text) => this.#defaults(text, name));
        return {
          ...transport,
          argv: argv as [string, ...string[]],
          env: mapValues(transport.env, (key, text) => value(key, key, text)),
        };
      }
      default: {
        const http_headers = mapValues(transport.http_headers, (key, text) => value(key, `${name} ${key}`, text));
        if (transport.type === 'sse') return { ...transport, url: url(transport.url), http_headers };
        const { sse_url } = transport;
        return { ...transport, url: url(transport.url), sse_url: sse_url && url(sse_url), http_headers };
      }
    }
  }

  /** Everything of a secret text but its scheme and its placeholders. */
  #text(text: string, server: string, ids: string, label: string): string {
    const { scheme, rest } = withoutScheme(text);
    const pieces = rest.split(/(\$\{[^}]*\})/);
    return (
      scheme +
      pieces
        .map((piece) => {
          if (piece.trim() === '') return piece;
          return piece.startsWith('${') ? this.#defaults(piece, server, true) : this.#secret(piece, server, ids, label);
        })
        .join('')
    );
  }

  #secret(secret: string, server: string, ids: string, label: string): string {
    const candidates = [toId(ids), toId(`${server} ${label}`)];
    return this.#placeholder(candidates, secret, {
      type: 'promptString',
      description: `${label.replace(/^-+/, '')} of ${server}`,
      default: null,
      password: true,
    });
  }

  /** `${NAME:-default}` has no spelling in our format; an input with a default says the same. */
  #defaults(text: string, server: string, isSecret = false): string {
    return text.replaceAll(PLACEHOLDER, (whole, content: string) => {
      const [, name, fallback] = /^([A-Za-z_][A-Za-z0-9_]*):-(.*)$/s.exec(content) ?? [];
      if (name === undefined || fallback === undefined) return whole;
      const password = isSecret || isSecretName(name) || looksRandom(fallback);
      return this.#placeholder([toId(name), toId(`${server} ${name}`)], whole, {
        type: 'promptString',
        description: `${name} of ${server}`,
        default: password ? null : fallback,
        password,
      });
    });
  }

  #placeholder(ids: readonly string[], content: string, definition: Omit<PromptStringInput, 'id'>): string {
    return `\${input:${this.#take(ids, content, (id) => ({ id, ...definition }))}}`;
  }

  /** The first id that is free or holds the very same; then numbers. */
  #take(ids: readonly string[], content: string, define: (id: string) => InputDefinition): string {
    const last = ids.at(-1) ?? '';
    for (let number = 0; ; number += 1) {
      const id = ids[number] ?? `${last}_${number + 1}`;
      const taken = this.#taken.get(id);
      if (taken && taken.content !== content) continue;
      if (!taken) this.#taken.set(id, { definition: define(id), content });
      return id;
    }
  }
}

/** In capitals, so that one environment variable, and no second spelling, gives the value. */
function toId(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '');
  return plain === '' ? 'SECRET' : plain.toUpperCase();
}

/** `AUTH_ENABLED=true` has the name of a secret and is none. */
function isSwitch(text: string): boolean {
  return /^(?:true|false|yes|no|on|off|0|1)$/i.test(text);
}

function mapValues(
  map: Readonly<Record<string, string>>,
  change: (key: string, value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(key, value)]));
}
