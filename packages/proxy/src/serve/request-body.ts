/**
 * What a request over HTTP says, if its header names this method; the request itself can still be read. Undefined also when it is no
 * JSON: whoever serves the request says so.
 */
export async function bodyOf(request: Request, method: string): Promise<unknown> {
  if (request.headers.get('mcp-method') !== method) return undefined;
  return request
    .clone()
    .json()
    .catch(() => undefined);
}
