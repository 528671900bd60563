import { oneLine } from '@a2c/protocol';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';

/**
 * Throws if a question asks a person to open something else than a web page, such as a file or a script, or a URL whose
 * beginning looks like another host (`https://github.com@evil.example/`). The server gets the error.
 */
export function checkElicitedUrl({ mode, url }: { readonly mode?: unknown; readonly url?: unknown }): void {
  if (mode !== 'url') return;
  const parsed = URL.canParse(String(url)) ? new URL(String(url)) : undefined;
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
  if (parsed && isWeb && parsed.username === '' && parsed.password === '') return;
  const what = oneLine(String(url).slice(0, 200));
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `the URL to open must begin with https:// or http:// and have no user name: ${what}`,
  );
}
