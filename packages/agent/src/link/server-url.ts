import { travelsInTheClear } from '@a2c/protocol';
import { OptionsError } from '../options.js';

/** Where to connect: Socket.IO takes the path as an option, and would read one in the URL as a namespace. */
export interface ServerUrl {
  readonly origin: string;
  readonly path: string;
}

const PROTOCOLS: readonly string[] = ['http:', 'ws:', 'https:', 'wss:'];

/** Refuses, among others, to send tokens and results in the clear to another host. */
export function readServerUrl(text: string, allowInsecure: boolean): ServerUrl {
  if (!URL.canParse(text)) throw new OptionsError(`"${text}" is not a URL; expected https://host[:port]`);
  const url = new URL(text);
  if (!PROTOCOLS.includes(url.protocol))
    throw new OptionsError(`cannot connect over "${url.protocol}"; expected https://host[:port]`);
  if (url.username !== '' || url.password !== '') {
    throw new OptionsError('credentials do not belong in the URL; pass them as `apiKey`, `auth` or `headers`');
  }
  if (!allowInsecure && travelsInTheClear(url)) {
    throw new OptionsError(
      `refusing a connection without TLS to ${url.host}: credentials and results would travel in the clear; use https://, or allow it (allowInsecure)`,
    );
  }
  return { origin: `${url.protocol}//${url.host}`, path: url.pathname === '/' ? '/socket.io/' : url.pathname };
}
