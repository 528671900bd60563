import type { JsonObject, JsonPath } from '../json/json-value.js';
import type { TransportType } from '../model/server-config.js';
import type { ProblemList } from '../problems.js';

/** The spellings of `type` (and of `transport`) that tools write, in lower case. */
const SPELLINGS: Readonly<Record<string, TransportType>> = {
  stdio: 'stdio',
  unix: 'unix',
  http: 'streamable_http',
  streamable: 'streamable_http',
  streamablehttp: 'streamable_http',
  'streamable-http': 'streamable_http',
  streamable_http: 'streamable_http',
  sse: 'sse',
};

/**
 * What an entry is: what it says it is, which its fields must not contradict, else what its fields show. undefined after
 * an error.
 */
export function transportOfEntry(
  entry: JsonObject,
  path: JsonPath,
  problems: ProblemList,
  protocolOfUrl: (url: string) => 'streamable_http' | 'sse',
): TransportType | undefined {
  const said: TransportType[] = [];
  for (const field of ['transport', 'type']) {
    const spelling = typeof entry[field] === 'string' ? entry[field].trim().toLowerCase() : '';
    if (spelling === '') continue;
    const type = Object.hasOwn(SPELLINGS, spelling) ? SPELLINGS[spelling] : undefined;
    if (!type) {
      problems.error([...path, field], `this ${field} is not supported`, {
        allowed: ['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp', 'streamable_http', 'unix'],
        near: spelling,
      });
      return undefined;
    }
    if (said[0] && said[0] !== type) {
      problems.error([...path, field], '"transport" and "type" contradict each other');
      return undefined;
    }
    said.push(type);
  }
  const shown = shownByFields(entry, protocolOfUrl);
  if (said[0] && shown && isHttp(said[0]) !== isHttp(shown)) {
    const field = entry.type == null ? 'transport' : 'type';
    problems.error([...path, field], `"${field}" says ${said[0]}, but the other fields are those of ${shown}`);
    return undefined;
  }
  if (!said[0] && !shown) {
    problems.error(path, 'nothing says how to reach this server', { allowed: ['command', 'url', 'unix_path', 'type'] });
  }
  return said[0] ?? shown;
}

function shownByFields(
  entry: JsonObject,
  protocolOfUrl: (url: string) => 'streamable_http' | 'sse',
): TransportType | undefined {
  if (entry.command != null || entry.argv != null || (Array.isArray(entry.args) && entry.args.length > 0))
    return 'stdio';
  if (entry.unix_path != null) return 'unix';
  if (typeof entry.url === 'string') return protocolOfUrl(entry.url);
  return entry.sse_url != null || entry.http_url != null ? 'streamable_http' : undefined;
}

function isHttp(type: TransportType): boolean {
  return type === 'streamable_http' || type === 'sse';
}
