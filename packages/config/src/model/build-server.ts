import type {
  EncodingErrorHandler,
  Origin,
  ServerConfig,
  SseTransport,
  StdioTransport,
  StdoutLog,
  StreamableHttpTransport,
} from './server-config.js';

/** Builds models from what files say, where null and absent both mean "unsaid". Every default of the model stands here. */
type Said<T> = { readonly [Key in keyof T]?: T[Key] | null | undefined };

const DEFAULT_LOG_PART_BYTES = 1024 * 1024;
const DEFAULT_LOG_PARTS = 32;

export function buildServer(
  said: Pick<ServerConfig, 'name' | 'transport' | 'origin'> &
    Said<Omit<ServerConfig, 'timeouts'>> & {
      readonly timeouts?: Said<ServerConfig['timeouts']>;
    },
): ServerConfig {
  return {
    name: said.name,
    transport: said.transport,
    disabled: said.disabled ?? false,
    forbidden_tools: said.forbidden_tools ?? [],
    tool_meta: said.tool_meta ?? {},
    default_tool_meta: said.default_tool_meta ?? null,
    vrl: said.vrl ?? null,
    timeouts: {
      timeout: said.timeouts?.timeout ?? null,
      sse_read_timeout: said.timeouts?.sse_read_timeout ?? null,
    },
    origin: said.origin,
  };
}

export interface SaidLog {
  readonly path: string;
  readonly max_bytes_per_part?: number | null | undefined;
  /** 0 keeps every part. */
  readonly max_parts?: number | null | undefined;
}

export function buildStdio(
  said: Pick<StdioTransport, 'argv' | 'inherit_env'> &
    Said<Omit<StdioTransport, 'type' | 'stdout_log'>> & { readonly stdout_log?: SaidLog | null | undefined },
): StdioTransport {
  return {
    type: 'stdio',
    argv: said.argv,
    env: said.env ?? {},
    env_file: said.env_file ?? null,
    inherit_env: said.inherit_env,
    cwd: said.cwd ?? null,
    encoding: said.encoding ?? 'utf-8',
    encoding_error_handler: said.encoding_error_handler ?? ('strict' satisfies EncodingErrorHandler),
    stdout_log: said.stdout_log ? buildLog(said.stdout_log) : null,
  };
}

function buildLog({ path, max_bytes_per_part, max_parts }: SaidLog): StdoutLog {
  return {
    path,
    max_bytes_per_part: max_bytes_per_part ?? DEFAULT_LOG_PART_BYTES,
    max_parts: max_parts === 0 ? null : (max_parts ?? DEFAULT_LOG_PARTS),
  };
}

export function buildStreamableHttp(
  said: Pick<StreamableHttpTransport, 'url'> & Said<Omit<StreamableHttpTransport, 'type'>>,
): StreamableHttpTransport {
  return {
    type: 'streamable_http',
    url: said.url,
    sse_url: said.sse_url ?? null,
    ...headersOf(said),
    terminate_on_close: said.terminate_on_close ?? true,
  };
}

export function buildSse(said: Pick<SseTransport, 'url'> & Said<Omit<SseTransport, 'type'>>): SseTransport {
  return { type: 'sse', url: said.url, ...headersOf(said) };
}

function headersOf(said: Said<Omit<SseTransport, 'type' | 'url'>>) {
  return {
    http_headers: said.http_headers ?? {},
    bearer_token_env_var: said.bearer_token_env_var ?? null,
    env_http_headers: said.env_http_headers ?? {},
  };
}

/**
 * What an unsaid `inherit_env` means. mcp-kit's formats inherit everything; A2C's own servers have always been given a
 * small environment, and their secrets come through inputs.
 */
export function inheritsByDefault({ format }: Origin): boolean {
  return format !== 'a2c';
}
