import { defaultLogger, OfficeLink } from '@a2c/computer';
import { EXIT, UsageError } from '../exit-codes.js';
import { print } from '../output.js';
import { stopSignal } from '../signals.js';
import { unlessInterrupted } from './interruption.js';
import { allStartedLine, farewell, startedOrLate, startingLine, stillStarting } from './patience.js';
import { createComputer, type Start } from './start.js';

/** Serves an office until a signal, without a prompt: inputs come from the environment, consent from `--confirm`. */
export async function runHeadless(start: Start): Promise<void> {
  const { options, link: how } = start;
  const { url, office, json } = options;
  if (url === undefined || office === undefined) throw new UsageError('--headless needs --url and --office');
  const stopping = new AbortController();
  const { signal } = stopping;
  void stopSignal().then(() => stopping.abort());
  const logger = defaultLogger();
  const computer = createComputer(start, { logger });
  const link = new OfficeLink(computer, { logger, ...how, url });
  try {
    const refused = new Promise<never>((_, reject) => link.on('refused', reject));
    // In parallel: the Computer joins although an MCP server hangs. Tools of late servers are announced.
    const started = computer.boot();
    const serving = Promise.all([startedOrLate(started), join(link, office, signal)]);
    await unlessInterrupted(Promise.race([serving, refused]), signal);
    const starting = stillStarting(computer);
    const ready = { event: 'ready', url: link.url.origin, office, computer: computer.name, starting };
    print(json ? JSON.stringify(ready) : `ready ${link.url.origin}`);
    if (starting.length > 0) {
      logger.info({ starting }, startingLine(starting));
      await unlessInterrupted(Promise.race([started, refused]), signal);
      logger.info({}, allStartedLine(computer));
    }
    await unlessInterrupted(refused, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    link.disconnect();
    await farewell(computer.close());
  }
  process.exit(EXIT.done);
}

/** Waits for a Server that is not running yet. Only a final refusal or the signal ends the attempts. */
async function join(link: OfficeLink, office: string, signal: AbortSignal): Promise<void> {
  const patient = { retryForMs: Number.POSITIVE_INFINITY, signal };
  await link.connect(office, patient);
  await link.joinOffice(office, patient);
}
