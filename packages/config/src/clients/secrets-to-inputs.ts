import { environmentNames, type InputDefinition, type PromptStringInput } from '../model/input-definition.js';
import { mapOAuthTexts, OAUTH_SECRETS } from '../model/oauth-settings.js';
import {
  isOrdinaryHeader,
  isSecretName,
  isUrl,
  looksRandom,
  ORDINARY_VALUE,
  type Replace,
  replaceInUrl,
  withoutScheme,
} from '../model/secret-shapes.js';
import { replaceInArguments, replaceInText } from '../model/secrets-in-arguments.js';
import type { ServerConfig, Transport } from '../model/server-config.js';
import { placeholdersIn, replacePlaceholders } from '../placeholders/syntax.js';

/** With these a text can run commands, or be several words. */
const SHELL_CHARACTER = /[\s$`;|&<>(){}^]/;

interface Taken {
  readonly definition: InputDefinition;
  /** The secret itself, and whose it is. It distinguishes two inputs with the same name. */
  readonly content: string;
}

/** The server that an input is for. */
interface Owner {
  readonly server: string;
  /** Servers of projects do not share inputs of the user. */
  readonly isOfProject: boolean;
}

/** How to name the input of one secret. */
interface Label extends Owner {
  /** The variable, header, flag or URL part that holds the secret. */
  readonly label: string;
  /** The preferred id; `server label` is the second choice. */
  readonly id: string;
}

/** Words such as the name of a team, without digits, which most keys have. */
const PLAIN_WORDS = /^[a-z]{1,12}(?:[ ,_-]+[a-z]{1,12})*$/i;

/**
 * Replaces the secrets of servers by `${input:id}` and defines these inputs. The definitions do not contain the values;
 * `values` has them for a caller that stores them.
 */
export class SecretsToInputs {
  /** By the environment variable: inputs whose ids differ only in case would share the value. */
  readonly #taken = new Map<string, Taken>();
  readonly #values = new Map<string, string>();

  /** The secrets that were replaced, by the id of their input. */
  get values(): ReadonlyMap<string, string> {
    return this.#values;
  }

  get inputs(): readonly InputDefinition[] {
    return [...this.#taken.values()].map(({ definition }) => definition);
  }

  /**
   * Takes over an input that the client's file defines. Returns its new id.
   *
   * @param project The folder of the project whose file defines it: it does not share inputs of the user.
   */
  adopt(input: InputDefinition, project: string | null): string {
    // The default of a password is a secret too.
    const definition = input.type === 'promptString' && input.password ? { ...input, default: null } : input;
    const content = JSON.stringify([project, definition]);
    return this.#take([input.id, `${input.id}_2`], content, (id) => ({ ...definition, id }));
  }

  clean(server: ServerConfig, isOfProject: boolean): ServerConfig {
    return { ...server, transport: this.#cleanTransport(server, { server: server.name, isOfProject }) };
  }

  #cleanTransport({ name, transport }: ServerConfig, owner: Owner): Transport {
    const replace: Replace = ({ text, label, likely }) =>
      likely ? this.#replaceSecret(text, { ...owner, label, id: `${name} ${label}` }) : this.#defaults(text, owner);
    const value = (label: string, id: string, text: string): string => {
      if ((isSecretName(label) && !isSwitch(text)) || looksRandom(withoutScheme(text).rest))
        return this.#replaceSecret(text, { ...owner, label, id });
      return this.#defaults(replaceInText(text, label, replace), owner);
    };
    // Headers of other names hold keys too.
    const inHeader = (header: string, text: string): string =>
      isOrdinaryHeader(header) || ORDINARY_VALUE.test(text) || PLAIN_WORDS.test(text) || isUrl(text)
        ? value(header, `${name} ${header}`, text)
        : this.#replaceSecret(text, { ...owner, label: header, id: `${name} ${header}` });
    const url = (text: string) => this.#defaults(replaceInUrl(text, replace), owner);
    switch (transport.type) {
      case 'unix':
        return transport;
      case 'stdio': {
        const argv = replaceInArguments(transport.argv, replace).map((text) => this.#defaults(text, owner));
        return {
          ...transport,
          argv: argv as [string, ...string[]],
          env: mapValues(transport.env, (key, text) => value(key, key, text)),
        };
      }
      default: {
        const http_headers = mapValues(transport.http_headers, inHeader);
        const isSecret = (field: string) => (OAUTH_SECRETS as readonly string[]).includes(field);
        const replaceIn = (field: string, text: string) =>
          isSecret(field) ? value(field, `${name} ${field}`, text) : this.#defaults(text, owner);
        const oauth = transport.oauth && { oauth: mapOAuthTexts(transport.oauth, replaceIn) };
        if (transport.type === 'sse') return { ...transport, url: url(transport.url), http_headers, ...oauth };
        const { sse_url } = transport;
        return { ...transport, url: url(transport.url), sse_url: sse_url && url(sse_url), http_headers, ...oauth };
      }
    }
  }

  /** Replaces a secret text, except for its scheme and its placeholders. */
  #replaceSecret(text: string, label: Label): string {
    const { scheme, rest } = withoutScheme(text);
    const secretIn = (piece: string) => (piece.trim() === '' ? piece : this.#secret(piece, label));
    let replaced = '';
    let from = 0;
    for (const { 0: placeholder, index } of placeholdersIn(rest)) {
      replaced += secretIn(rest.slice(from, index)) + this.#defaults(placeholder, label, true);
      from = index + placeholder.length;
    }
    return scheme + replaced + secretIn(rest.slice(from));
  }

  #secret(secret: string, { server, label, id, isOfProject }: Label): string {
    // A project could hide commands for a shell in what looks like a secret. Its file has the text anyway.
    if (isOfProject && SHELL_CHARACTER.test(secret)) return secret;
    const candidates = [toId(id), toId(`${server} ${label}`)];
    const description = `${label.replace(/^-+/, '')} of ${server}`;
    const definition = { type: 'promptString', description, default: null, password: true } as const;
    const taken = this.#take(candidates, JSON.stringify([isOfProject, secret]), (free) => ({
      id: free,
      ...definition,
    }));
    this.#values.set(taken, secret);
    return `\${input:${taken}}`;
  }

  /** Replaces `${NAME:-default}`, which the a2c format does not have, by an input with a default. */
  #defaults(text: string, { server, isOfProject }: Owner, isSecret = false): string {
    return replacePlaceholders(text, (placeholder, content) => {
      const [, name, fallback] = /^([A-Za-z_][A-Za-z0-9_]*):-(.*)$/s.exec(content) ?? [];
      if (name === undefined || fallback === undefined) return placeholder;
      const password = isSecret || isSecretName(name) || looksRandom(fallback);
      return this.#placeholder([toId(name), toId(`${server} ${name}`)], JSON.stringify([isOfProject, placeholder]), {
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

  /** Uses the first id that is free or already has this content; then ids with a number. */
  #take(ids: readonly string[], content: string, define: (id: string) => InputDefinition): string {
    const last = ids.at(-1) ?? '';
    for (let number = 0; ; number += 1) {
      const id = ids[number] ?? `${last}_${number + 1}`;
      const variable = environmentNames(id).at(-1) as string;
      const taken = this.#taken.get(variable);
      if (taken && taken.content !== content) continue;
      if (!taken) this.#taken.set(variable, { definition: define(id), content });
      return taken?.definition.id ?? id;
    }
  }
}

/** In capitals, so that exactly one environment variable sets the value. */
function toId(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '');
  return plain === '' ? 'SECRET' : plain.toUpperCase();
}

/** `AUTH_ENABLED=true` is named like a secret but is a switch. */
function isSwitch(text: string): boolean {
  return /^(?:true|false|yes|no|on|off|0|1)$/i.test(text);
}

function mapValues(
  map: Readonly<Record<string, string>>,
  change: (key: string, value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(key, value)]));
}
