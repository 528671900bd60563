import type { ServerConfig, TrustGuard } from '@a2c/config';
import { GuardedHttpClient } from './guarded-http-client.js';
import { HttpRequestError } from './http-client.js';
import { originOf, routeTo } from './route.js';

export interface DownloadOptions {
  readonly maxBytes: number;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Downloads a file from an address that an MCP server named. The trust in the configuration covers only the origin that
 * the configuration names. Everything else is checked as an address of an untrusted source, also after redirects.
 */
export async function download(
  { name, transport }: ServerConfig,
  url: string,
  guard: TrustGuard,
  { maxBytes, connectTimeoutMs, signal }: DownloadOptions,
): Promise<Buffer> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new HttpRequestError('expected an http:// or https:// address');
  const own = 'url' in transport && URL.canParse(transport.url) ? new URL(transport.url).origin : undefined;
  const approveUrl: TrustGuard['approveUrl'] = (address) =>
    (new URL(address).origin === own ? guard : guard.asUntrusted()).approveUrl(address, name);
  const http = new GuardedHttpClient(name, { approveUrl }, connectTimeoutMs);
  try {
    const headers = { accept: '*/*', 'accept-encoding': 'identity' };
    const request = { method: 'GET', headers, body: undefined, signal, id: undefined, isBounded: false };
    const { answer, route } = await http.send(routeTo(url), request, undefined);
    const { statusCode = 0 } = answer;
    if (statusCode !== 200) throw new HttpRequestError(`${originOf(route)} answered with HTTP ${statusCode}`);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) throw new HttpRequestError(`${originOf(route)} sends more than ${maxBytes} bytes`);
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  } finally {
    http.destroy();
  }
}
