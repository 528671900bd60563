import type {
  EncodingErrorHandler,
  SandboxSettings,
  ServerConfig,
  SseTransport,
  StdioTransport,
  StdoutLog,
  StreamableHttpTransport,
} from './server-config.js';

/**
 * The fields as a file gives them: null and undefined both mean "not set". All defaults of the model are in this file.
 */
type Given<T> = { readonly [Key in keyof T]?: T[Key] | null | undefined };

const DEFAULT_LOG_PART_BYTES = 1024 * 1024;
const DEFAULT_LOG_PARTS = 32;

export function buildServer(
  given: Pick<ServerConfig, 'name' | 'transport' | 'origin'> &
    Given<Omit<ServerConfig, 'timeouts'>> & {
      readonly timeouts?: Given<ServerConfig['timeouts']>;
    },
): ServerConfig {
  return {
    name: given.name,
    ...(given.bundle_id != null && { bundle_id: given.bundle_id }),
    transport: given.transport,
    disabled: given.disabled ?? false,
    forbidden_tools: given.forbidden_tools ?? [],
    tool_meta: given.tool_meta ?? {},
    default_tool_meta: given.default_tool_meta ?? null,
    vrl: given.vrl ?? null,
    timeouts: {
      timeout: given.timeouts?.timeout ?? null,
      sse_read_timeout: given.timeouts?.sse_read_timeout ?? null,
    },
    ...(given.start_timeout != null && { start_timeout: given.start_timeout }),
    ...(given.connections != null && { connections: given.connections }),
    ...(given.pins != null && { pins: given.pins }),
    origin: given.origin,
  };
}

export interface GivenLog {
  readonly path: string;
  readonly max_bytes_per_part?: number | null | undefined;
  /** 0 keeps every part. */
  readonly max_parts?: number | null | undefined;
}

/** `true` is a sandbox without folders and network, `false` is none. */
export type GivenSandbox = boolean | Given<SandboxSettings> | null | undefined;

export function buildStdio(
  given: Pick<StdioTransport, 'argv' | 'inherit_env'> &
    Given<Omit<StdioTransport, 'type' | 'stdout_log' | 'sandbox'>> & {
      readonly stdout_log?: GivenLog | null | undefined;
      readonly sandbox?: GivenSandbox;
    },
): StdioTransport {
  return {
    type: 'stdio',
    argv: given.argv,
    env: given.env ?? {},
    env_file: given.env_file ?? null,
    inherit_env: given.inherit_env,
    cwd: given.cwd ?? null,
    encoding: given.encoding ?? 'utf-8',
    encoding_error_handler: given.encoding_error_handler ?? ('strict' satisfies EncodingErrorHandler),
    stdout_log: given.stdout_log ? buildLog(given.stdout_log) : null,
    ...(given.sandbox && { sandbox: buildSandbox(given.sandbox) }),
  };
}

function buildSandbox(given: true | Given<SandboxSettings>): SandboxSettings {
  const { read, write, network } = given === true ? {} : given;
  return { read: read ?? [], write: write ?? [], network: network ?? false };
}

function buildLog({ path, max_bytes_per_part, max_parts }: GivenLog): StdoutLog {
  return {
    path,
    max_bytes_per_part: max_bytes_per_part ?? DEFAULT_LOG_PART_BYTES,
    max_parts: max_parts === 0 ? null : (max_parts ?? DEFAULT_LOG_PARTS),
  };
}

export function buildStreamableHttp(
  given: Pick<StreamableHttpTransport, 'url'> & Given<Omit<StreamableHttpTransport, 'type'>>,
): StreamableHttpTransport {
  return {
    type: 'streamable_http',
    url: given.url,
    sse_url: given.sse_url ?? null,
    ...headersOf(given),
    terminate_on_close: given.terminate_on_close ?? true,
  };
}

export function buildSse(given: Pick<SseTransport, 'url'> & Given<Omit<SseTransport, 'type'>>): SseTransport {
  return { type: 'sse', url: given.url, ...headersOf(given) };
}

function headersOf(given: Given<Omit<SseTransport, 'type' | 'url'>>) {
  return {
    http_headers: given.http_headers ?? {},
    bearer_token_env_var: given.bearer_token_env_var ?? null,
    env_http_headers: given.env_http_headers ?? {},
    ...(given.oauth && { oauth: given.oauth }),
  };
}
