/** Socket.IO takes the path as an option. It would read a path in the URL as a namespace. */
export interface ServerUrl {
  readonly origin: string;
  readonly path: string;
}

/** An option is invalid. Thrown before anything is sent. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

const PROTOCOLS: readonly string[] = ['http:', 'ws:', 'https:', 'wss:'];

/**
 * Reads the URL of a Server.
 *
 * @throws {@link OptionsError} for an invalid URL, credentials in it, or plain text to another host without
 * `allowInsecure`.
 */
export function readServerUrl(text: string, allowInsecure = false): ServerUrl {
  if (!URL.canParse(text)) throw new OptionsError(`"${text}" is not a URL; expected https://host[:port]`);
  const url = new URL(text);
  if (!PROTOCOLS.includes(url.protocol))
    throw new OptionsError(`cannot connect over "${url.protocol}"; expected https://host[:port]`);
  if (url.username !== '' || url.password !== '') {
    throw new OptionsError('credentials do not belong in the URL; pass them as a key, auth or headers');
  }
  if (!allowInsecure && isPlainText(url)) {
    throw new OptionsError(
      `refusing a connection without TLS to ${url.host}: credentials and results would travel in the clear; use https://, or allow it (allowInsecure, --insecure)`,
    );
  }
  return { origin: `${url.protocol}//${url.host}`, path: url.pathname === '/' ? '/socket.io/' : url.pathname };
}

/**
 * Checks that HTTP can carry the headers. The message omits the value: it may be a credential.
 *
 * @throws {@link OptionsError} that names the header.
 */
export function checkHeaders(headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new OptionsError(`the header "${name}" cannot be sent: its name or value has characters that HTTP forbids`);
    }
  }
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** No TLS, and not to this machine. */
function isPlainText({ protocol, hostname }: URL): boolean {
  return (protocol === 'http:' || protocol === 'ws:') && !LOOPBACK.test(hostname);
}
