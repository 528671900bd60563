import { oneLine } from '@a2c/protocol';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';

/**
 * Throws if a question asks a person to open something else than a web page, such as a file or a script, or a URL whose
 * beginning looks like another host (`https://github.com@evil.example/`, or with a character that looks like a slash).
 * The server gets the error.
 */
export function checkElicitedUrl({ mode, url }: { readonly mode?: unknown; readonly url?: unknown }): void {
  if (mode !== 'url') return;
  const parsed = URL.canParse(String(url)) ? new URL(String(url)) : undefined;
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
  if (parsed && isWeb && isAsWritten(parsed, String(url))) return;
  const what = oneLine(String(url).slice(0, 200));
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `the URL to open must begin with https:// or http:// and an ASCII host, and have no user name: ${what}`,
  );
}

/** Whether a person reads the host that a browser connects to. Other letters look like slashes or ASCII letters. */
function isAsWritten({ host, protocol }: URL, url: string): boolean {
  const written = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();
  return written === host || written === `${host}:${protocol === 'https:' ? 443 : 80}`;
}
