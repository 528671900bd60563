import type { JsonObject, JsonValue } from '../json/json-value.js';
import type { SseTransport, StdoutLog, StreamableHttpTransport } from '../model/server-config.js';

/** Leaves out null and, because a short file is a readable file, nothing else. */
export function withoutUnsaid(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== null && entry[1] !== undefined),
  );
}

/** An empty map is as good as none. */
export function filled(map: Readonly<Record<string, string>>): JsonObject | null {
  return Object.keys(map).length > 0 ? { ...map } : null;
}

export function logFields({ path, max_bytes_per_part, max_parts }: StdoutLog): JsonObject {
  return { path, max_bytes_per_part, max_parts: max_parts ?? 0 };
}

export function headerSources(transport: SseTransport | StreamableHttpTransport): JsonObject {
  return withoutUnsaid({
    bearer_token_env_var: transport.bearer_token_env_var,
    env_http_headers: filled(transport.env_http_headers),
  });
}

/** Both addresses when they differ, else the one. */
export function urlFields({ url, sse_url }: StreamableHttpTransport): JsonObject {
  return sse_url === null ? { url } : { sse_url, http_url: url };
}
