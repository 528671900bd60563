/** Where to connect: Socket.IO takes the path as an option, and would read one in the URL as a namespace. */
export interface ServerUrl {
  readonly origin: string;
  readonly path: string;
}

/** What a member was told cannot be: a fault of the caller, known before anything is sent. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

const PROTOCOLS: readonly string[] = ['http:', 'ws:', 'https:', 'wss:'];

/** Refuses, among others, to send tokens and results in the clear to another host. */
export function readServerUrl(text: string, allowInsecure = false): ServerUrl {
  if (!URL.canParse(text)) throw new OptionsError(`"${text}" is not a URL; expected https://host[:port]`);
  const url = new URL(text);
  if (!PROTOCOLS.includes(url.protocol))
    throw new OptionsError(`cannot connect over "${url.protocol}"; expected https://host[:port]`);
  if (url.username !== '' || url.password !== '') {
    throw new OptionsError('credentials do not belong in the URL; pass them as a key, auth or headers');
  }
  if (!allowInsecure && travelsInTheClear(url)) {
    throw new OptionsError(
      `refusing a connection without TLS to ${url.host}: credentials and results would travel in the clear; use https://, or allow it (allowInsecure, --insecure)`,
    );
  }
  return { origin: `${url.protocol}//${url.host}`, path: url.pathname === '/' ? '/socket.io/' : url.pathname };
}

/** Refuses what HTTP cannot send. The value is not told: it may be a credential. */
export function checkHeaders(headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new OptionsError(`the header "${name}" cannot be sent: its name or value has characters that HTTP forbids`);
    }
  }
}

/** Credentials and results would pass where others can read them: no TLS, and not to this very machine. */
function travelsInTheClear({ protocol, hostname }: URL): boolean {
  return (protocol === 'http:' || protocol === 'ws:') && !LOOPBACK.test(hostname);
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
