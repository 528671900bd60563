import type { JsonObject, JsonPath } from '../json/json-value.js';
import type { ProblemList } from '../problems.js';

/** The rules between the URL fields: one `url`, or the pair `sse_url` and `http_url`. */
export function judgeUrls(server: JsonObject, path: JsonPath, problems: ProblemList): void {
  const has = (field: string) => server[field] !== undefined && server[field] !== null;
  if (has('url')) {
    for (const field of ['sse_url', 'http_url']) {
      if (has(field)) problems.error([...path, field], `"${field}" cannot stand beside "url"`);
    }
  } else if (has('sse_url') !== has('http_url')) {
    const present = has('sse_url') ? 'sse_url' : 'http_url';
    const absent = has('sse_url') ? 'http_url' : 'sse_url';
    problems.error([...path, present], `"${present}" needs "${absent}" beside it`);
  } else if (!has('sse_url')) {
    problems.error(path, '"url" is missing', { allowed: ['url', 'sse_url with http_url'] });
  }
}

/** `headers` is another spelling of `http_headers`; both at once would leave open which one counts. */
export function judgeHeaderSpelling(server: JsonObject, path: JsonPath, problems: ProblemList): void {
  if (server.headers !== undefined && server.http_headers !== undefined) {
    problems.error([...path, 'headers'], '"headers" and "http_headers" are the same field; keep one');
  }
}
