import { once } from 'node:events';
import { OfficeLink } from '@a2c/computer';
import { UsageError } from '../exit-codes.js';
import { print } from '../output.js';
import { stopSignal } from '../signals.js';
import { interruption } from './interruption.js';
import { createComputer, type Start } from './start.js';

/** Serves an office until a signal. Nobody can be asked: inputs come from the environment, consent from `--confirm`. */
export async function runHeadless(start: Start): Promise<void> {
  const { options, link: how } = start;
  const { url, office, json } = options;
  if (url === undefined || office === undefined) throw new UsageError('--headless needs --url and --office');
  const stopping = new AbortController();
  void stopSignal().then(() => stopping.abort());
  const stopped = interruption(stopping.signal);
  const computer = createComputer(start);
  // A server that is not up yet will be: only a refusal ends the attempt.
  const link = new OfficeLink(computer, { ...how, url, limits: { connectMs: Number.POSITIVE_INFINITY } });
  try {
    await Promise.race([computer.boot(), stopped]);
    if (stopping.signal.aborted) return;
    const served = serve(link, office, () => {
      const ready = { event: 'ready', url: link.url.origin, office, computer: computer.name };
      print(json ? JSON.stringify(ready) : `ready ${link.url.origin}`);
    });
    await Promise.race([served, stopped]);
  } finally {
    link.disconnect();
    await computer.close();
  }
}

/** Resolves never, and rejects when the server will not have us. */
async function serve(link: OfficeLink, office: string, onReady: () => void): Promise<never> {
  await link.connect(office);
  await link.joinOffice(office);
  onReady();
  const [refusal] = (await once(link, 'refused')) as [Error];
  throw refusal;
}
