import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { FileError, readFileSafely } from '../files/read-file-safely.js';
import { InputError } from '../inputs/input-resolver.js';
import { deepFreeze, type JsonObject, type JsonValue } from '../json/json-value.js';
import type { ConfigFormat } from '../model/formats.js';
import type { OAuthSettings } from '../model/oauth-settings.js';
import type { SandboxSettings, ServerConfig, SseTransport, StdioTransport, Transport } from '../model/server-config.js';
import { HTTP_URL_ERROR, headerText, httpUrl } from '../schemas/field-schemas.js';
import { parseEnvFile } from './env-file.js';
import { expandPlaceholders, type InputSource, type PlaceholderContext, PlaceholderError } from './expand.js';
import { argvField } from './placeholder-fields.js';

/** Where `resolveServer` takes values from. */
export interface ResolveContext {
  /** Whether the configuration is trusted. When false, no placeholder is expanded and a needed secret is an error. */
  readonly trusted: boolean;
  /** The folder that relative paths are resolved against. */
  readonly root: string;
  /** The environment; that of the process by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user; that of the system by default. */
  readonly home?: string;
  /** The values of inputs, such as an `InputResolver`. */
  readonly inputs?: InputSource;
  /** Receives warnings about placeholders that are not expanded. */
  readonly warn?: (message: string) => void;
}

/**
 * A server cannot be resolved. The message has one line per field and names fields and variables, but no values. The
 * error is permanent: resolving again fails until the configuration or the environment changes.
 */
export class ResolveError extends Error {
  override readonly name = 'ResolveError';
}

/**
 * Prepares a server for starting: expands placeholders, makes paths absolute, adds secrets of the environment to the
 * headers and the variables of `env_file` to `env`. The result contains secrets: connect with it, do not show or store
 * it.
 *
 * @throws ResolveError when a value is missing or invalid; it lists all fields.
 *
 * @example
 * ```ts
 * const inputs = new InputResolver(config.inputs);
 * const ready = await resolveServer(server, { trusted: true, root: process.cwd(), inputs });
 * ```
 */
export async function resolveServer(server: ServerConfig, context: ResolveContext): Promise<ServerConfig> {
  const texts = new TextExpander(server, context);
  const transport = await resolveTransport(server.transport, texts, context);
  const expandAll = server.origin.format === 'a2c' && context.trusted;
  const resolved: ServerConfig = {
    ...server,
    transport,
    // The a2c format has placeholders in every field, the other formats in the transport only.
    ...(expandAll
      ? {
          forbidden_tools: await texts.list('forbidden_tools', server.forbidden_tools),
          tool_meta: (await texts.json('tool_meta', server.tool_meta as JsonObject)) as ServerConfig['tool_meta'],
          default_tool_meta: (await texts.json(
            'default_tool_meta',
            server.default_tool_meta as JsonObject | null,
          )) as ServerConfig['default_tool_meta'],
          vrl: server.vrl === null ? null : await texts.text('vrl', server.vrl),
        }
      : {}),
  };
  texts.throwIfFailed();
  return deepFreeze(resolved);
}

async function resolveTransport(
  transport: Transport,
  texts: TextExpander,
  context: ResolveContext,
): Promise<Transport> {
  switch (transport.type) {
    case 'unix':
      return { ...transport, unix_path: resolve(context.root, transport.unix_path) };
    case 'stdio':
      return resolveStdio(transport, texts, context);
    case 'sse':
      return {
        ...transport,
        url: await texts.url('url', transport.url),
        ...(await resolveHeaders(transport, texts, context)),
      };
    case 'streamable_http':
      return {
        ...transport,
        url: await texts.url('url', transport.url),
        sse_url: transport.sse_url === null ? null : await texts.url('sse_url', transport.sse_url),
        ...(await resolveHeaders(transport, texts, context)),
      };
  }
}

async function resolveStdio(
  stdio: StdioTransport,
  texts: TextExpander,
  { root, trusted }: ResolveContext,
): Promise<StdioTransport> {
  const [program, ...args] = stdio.argv;
  const named = await texts.text(texts.argvField(0), program);
  if (named.trim() === '') texts.fail(texts.argvField(0), 'the program is empty');
  const argv: [string, ...string[]] = [named];
  for (const [index, text] of args.entries()) argv.push(await texts.text(texts.argvField(index + 1), text));
  const env = await texts.map('env', stdio.env);
  const env_file = stdio.env_file === null ? null : resolve(root, await texts.text('env_file', stdio.env_file));
  const read = env_file !== null && trusted;
  return {
    ...stdio,
    argv,
    env: read ? { ...(await readEnvFile(env_file, texts)), ...env } : env,
    env_file: read ? null : env_file,
    cwd: stdio.cwd === null ? root : resolve(root, await texts.text('cwd', stdio.cwd)),
    stdout_log: stdio.stdout_log && { ...stdio.stdout_log, path: resolve(root, stdio.stdout_log.path) },
    ...(stdio.sandbox && { sandbox: await resolveSandbox(stdio.sandbox, texts, root) }),
  };
}

async function resolveSandbox(sandbox: SandboxSettings, texts: TextExpander, root: string): Promise<SandboxSettings> {
  const paths = async (field: 'read' | 'write') => {
    const given = await texts.list(`sandbox.${field}`, sandbox[field]);
    return given.map((path) => resolve(root, path));
  };
  return { ...sandbox, read: await paths('read'), write: await paths('write') };
}

async function readEnvFile(file: string, texts: TextExpander): Promise<Record<string, string>> {
  try {
    return parseEnvFile((await readFileSafely(file)).text);
  } catch (error) {
    if (!(error instanceof FileError || error instanceof SyntaxError)) throw error;
    texts.fail('env_file', error.message);
    return {};
  }
}

type Headers = Pick<SseTransport, 'http_headers' | 'bearer_token_env_var' | 'env_http_headers' | 'oauth'>;

async function resolveHeaders(given: Headers, texts: TextExpander, context: ResolveContext): Promise<Headers> {
  const headers = await texts.map('header', given.http_headers);
  for (const [header, variable] of Object.entries(given.env_http_headers)) {
    const value = texts.secret(`header ${header}`, variable, context);
    if (value !== undefined) setHeader(headers, header, value);
  }
  if (given.bearer_token_env_var !== null) {
    const token = texts.secret('bearer_token_env_var', given.bearer_token_env_var, context);
    if (token !== undefined) setHeader(headers, 'Authorization', `Bearer ${token}`);
  }
  for (const [header, value] of Object.entries(headers)) {
    if (!headerText.safeParse(value).success) texts.fail(`header ${header}`, 'the value is not legal in a header');
  }
  const { oauth } = given;
  return {
    http_headers: headers,
    bearer_token_env_var: null,
    env_http_headers: {},
    ...(oauth && { oauth: (await texts.json('oauth', oauth as JsonObject)) as OAuthSettings }),
  };
}

/** Header names are case-insensitive: another spelling of the same name is removed. */
function setHeader(headers: Record<string, string>, name: string, value: string): void {
  for (const other of Object.keys(headers)) if (other.toLowerCase() === name.toLowerCase()) delete headers[other];
  headers[name] = value;
}

/** One start of a server resolves each input once: the command of an input runs once, however often it is used. */
function resolvedOnce(inputs: InputSource): InputSource {
  const values = new Map<string, Promise<JsonValue>>();
  const resolveOnce = (id: string): Promise<JsonValue> => {
    const value = values.get(id) ?? inputs.resolve(id);
    values.set(id, value);
    return value;
  };
  return { has: (id) => inputs.has(id), resolve: resolveOnce };
}

/** Expands the texts of one server and collects the failures, so that one error reports all of them. */
class TextExpander {
  readonly #server: string;
  readonly #format: ConfigFormat;
  readonly #context: PlaceholderContext | undefined;
  readonly #failures: string[] = [];

  constructor({ name, origin }: ServerConfig, { trusted, root, env, home, inputs, warn }: ResolveContext) {
    this.#server = name;
    this.#format = origin.format;
    if (!trusted) return;
    this.#context = {
      format: origin.format,
      env: env ?? process.env,
      root,
      home: home ?? homedir(),
      ...(inputs ? { inputs: resolvedOnce(inputs) } : {}),
      warn: (message) => warn?.(message),
    };
  }

  async json(field: string, value: JsonValue): Promise<JsonValue> {
    if (!this.#context) return value;
    try {
      return await expandPlaceholders(value, this.#context);
    } catch (error) {
      if (!(error instanceof PlaceholderError || error instanceof InputError)) throw error;
      this.fail(field, error.message);
      return value;
    }
  }

  async text(field: string, text: string): Promise<string> {
    const value = await this.json(field, text);
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  async url(field: string, text: string): Promise<string> {
    const url = await this.text(field, text);
    if (this.#context && !httpUrl.safeParse(url).success) this.fail(field, HTTP_URL_ERROR);
    return url;
  }

  async list(field: string, texts: readonly string[]): Promise<string[]> {
    const expanded: string[] = [];
    for (const [index, text] of texts.entries()) expanded.push(await this.text(`${field}[${index}]`, text));
    return expanded;
  }

  argvField(index: number): string {
    return argvField(this.#format, index);
  }

  async map(noun: string, texts: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const expanded: [string, string][] = [];
    for (const [key, text] of Object.entries(texts)) expanded.push([key, await this.text(`${noun} ${key}`, text)]);
    return Object.fromEntries(expanded);
  }

  secret(field: string, variable: string, { env = process.env }: ResolveContext): string | undefined {
    if (!this.#context) this.fail(field, 'a secret from the environment needs a trusted configuration');
    else if (!Object.hasOwn(env, variable)) this.fail(field, `the environment variable ${variable} is not set`);
    else if (env[variable]?.trim() === '') this.fail(field, `the environment variable ${variable} is empty`);
    else return env[variable];
    return undefined;
  }

  fail(field: string, message: string): void {
    this.#failures.push(`${this.#server}: ${field}: ${message}`);
  }

  throwIfFailed(): void {
    if (this.#failures.length > 0) throw new ResolveError(this.#failures.join('\n'));
  }
}
