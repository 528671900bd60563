import type { JsonObject, JsonPath } from '../json/json-value.js';
import type { TransportType } from '../model/server-config.js';
import type { ProblemList } from '../problems.js';

/** The values of `type` and `transport` that tools write, in lower case. */
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

/** Decides between the two HTTP transports when an entry has a URL but no `type`. */
export type TransportOfUrl = (url: string) => 'streamable_http' | 'sse';

/** A server entry with its path in the document. */
export interface LocatedEntry {
  readonly entry: JsonObject;
  readonly path: JsonPath;
}

/**
 * The transport of an entry: the declared one (`transport` or `type`), which the other fields must not contradict, or
 * otherwise the one that its fields imply. undefined after an error.
 */
export function transportOfEntry(
  { entry, path }: LocatedEntry,
  problems: ProblemList,
  transportOfUrl: TransportOfUrl,
): TransportType | undefined {
  let declared: TransportType | undefined;
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
    if (declared && declared !== type) {
      problems.error([...path, field], '"transport" and "type" contradict each other');
      return undefined;
    }
    declared = type;
  }
  const implied = impliedByFields(entry, transportOfUrl);
  if (declared && implied && isHttp(declared) !== isHttp(implied)) {
    const field = entry.type == null ? 'transport' : 'type';
    problems.error([...path, field], `"${field}" is ${declared}, but the other fields belong to ${implied} servers`);
    return undefined;
  }
  if (!declared && !implied) {
    problems.error(path, 'no transport is defined for this server', {
      allowed: ['command', 'url', 'unix_path', 'type'],
    });
  }
  return declared ?? implied;
}

function impliedByFields(entry: JsonObject, transportOfUrl: TransportOfUrl): TransportType | undefined {
  if (entry.command != null || entry.argv != null || (Array.isArray(entry.args) && entry.args.length > 0))
    return 'stdio';
  if (entry.unix_path != null) return 'unix';
  if (typeof entry.url === 'string') return transportOfUrl(entry.url);
  return entry.sse_url != null || entry.http_url != null ? 'streamable_http' : undefined;
}

function isHttp(type: TransportType): boolean {
  return type === 'streamable_http' || type === 'sse';
}
