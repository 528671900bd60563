import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type OfficeOptions, OfficeToolbox } from '@a2c/proxy';
import { allowAnonymous, type Listening, type ListenOptions, listen } from '@a2c/server';
import { atEnd } from './doors.js';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A real signalling Server on a free port. */
export async function serve(options: Partial<ListenOptions> = {}): Promise<Listening> {
  const listening = await listen({ authenticate: allowAnonymous, port: 0, logger: quiet, ...options });
  atEnd(() => listening.close());
  return listening;
}

/** The toolbox of office `demo`. */
export function officeAt(url: string, options: Partial<OfficeOptions> = {}): OfficeToolbox {
  const toolbox = new OfficeToolbox({ url, office: 'demo', name: 'proxy', ...options });
  atEnd(() => toolbox.close());
  return toolbox;
}

/** A TCP relay to the Server whose connections can be interrupted. */
export interface Wire {
  readonly url: string;
  /** Closes all connections and rejects new ones; calls `onAttempt` for each new one. */
  cut(onAttempt: () => void): void;
  mend(): void;
}

export async function wireTo(target: string): Promise<Wire> {
  const { port, hostname } = new URL(target);
  const open = new Set<Socket>();
  let onAttempt: (() => void) | undefined;
  const relay = createServer((near) => {
    near.on('error', () => near.destroy());
    if (onAttempt) {
      near.destroy();
      return onAttempt();
    }
    const far = connect(Number(port), hostname);
    far.on('error', () => far.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far).pipe(near);
    open.add(near.once('close', () => open.delete(near)));
  });
  const cut = (next: () => void) => {
    onAttempt = next;
    for (const socket of open) socket.destroy();
  };
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    cut(() => {});
    relay.close();
  });
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      onAttempt = undefined;
    },
  };
}
