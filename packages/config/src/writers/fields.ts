import type { JsonObject, JsonValue } from '../json/json-value.js';
import type { SandboxSettings, SseTransport, StdoutLog, StreamableHttpTransport } from '../model/server-config.js';

/** Leaves out the fields that are null or undefined. */
export function withoutNulls(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== null && entry[1] !== undefined),
  );
}

/** A copy of the map, or null when it is empty, so that `withoutNulls` leaves it out. */
export function nonEmpty(map: Readonly<Record<string, string>>): JsonObject | null {
  return Object.keys(map).length > 0 ? { ...map } : null;
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

export function sandboxFields(sandbox: SandboxSettings | undefined): JsonValue {
  if (!sandbox) return null;
  const { read, write, network } = sandbox;
  const list = (paths: readonly string[]) => (paths.length > 0 ? [...paths] : null);
  const fields = withoutNulls({ read: list(read), write: list(write), network: network || null });
  return Object.keys(fields).length > 0 ? fields : true;
}

export function logFields({ path, max_bytes_per_part, max_parts }: StdoutLog): JsonObject {
  return { path, max_bytes_per_part, max_parts: max_parts ?? 0 };
}

/** The fields that name environment variables for header values, and those of the login. */
export function headerVariables(transport: SseTransport | StreamableHttpTransport): JsonObject {
  return withoutNulls({
    bearer_token_env_var: transport.bearer_token_env_var,
    env_http_headers: nonEmpty(transport.env_http_headers),
    oauth: (transport.oauth ?? null) as JsonObject | null,
  });
}

/** Both addresses when they differ, otherwise `url` alone. */
export function urlFields({ url, sse_url }: StreamableHttpTransport): JsonObject {
  return sse_url === null ? { url } : { sse_url, http_url: url };
}
