import { randomBytes } from 'node:crypto';

/** The names of this machine in a `Host` header: those that every machine has, and those of {@link freshLocalName}. */
const LOCAL_HOST = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|a2c-[\da-f]{10}\.localhost)(:\d+)?$/i;

/** The addresses that browsers use for names under `localhost`. */
const LOCALHOST_ADDRESSES = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * A name of this machine that no one has used before. Browsers resolve all names under `localhost` to it. What other
 * programs left in a browser under the same port, such as service workers and cached scripts, belongs to other origins.
 */
export function freshLocalName(): string {
  return `a2c-${randomBytes(5).toString('hex')}.localhost`;
}

/** Whether a `Host` header names this machine. */
export function isLocalHost(header: string): boolean {
  return LOCAL_HOST.test(header);
}

/** Whether names under `localhost` lead to this origin. With TLS, the certificate has another name. */
export function isReachedAsLocalhost({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOCALHOST_ADDRESSES.includes(hostname);
}
