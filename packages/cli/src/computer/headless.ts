import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { OfficeLink } from '@a2c/computer';
import { createLogger } from '@a2c/log';
import { isFinal, raceSignal, SMCPError } from '@a2c/protocol';
import { EXIT, UsageError } from '../exit-codes.js';
import { print } from '../output.js';
import { stopSignal } from '../process-signals.js';
import { createComputer, type Start } from './start.js';
import { allStartedLine, closedOrTimeout, startedOrTimeout, startingLine, startingServers } from './start-timeouts.js';

/** Serves an office until a signal. Nobody can be asked: inputs come from the environment, consent from `--confirm`. */
export async function runHeadless(start: Start): Promise<void> {
  const { options, link: how } = start;
  const { url, office, json } = options;
  if (url === undefined || office === undefined) throw new UsageError('--headless needs --url and --office');
  const stopping = new AbortController();
  const { signal } = stopping;
  void stopSignal().then(() => stopping.abort());
  const logger = createLogger('a2c-computer');
  const computer = createComputer(start, { logger });
  // A server that is not up yet will be: only a refusal ends the attempt.
  const link = new OfficeLink(computer, { logger, ...how, url, limits: { connectMs: Number.POSITIVE_INFINITY } });
  try {
    const refused = once(link, 'refused').then(([refusal]) => Promise.reject(refusal as Error));
    // Together: an MCP server that hangs keeps nobody out of the office. Its tools are announced when they are there.
    const started = computer.boot();
    const serving = Promise.all([startedOrTimeout(started), takeSeat(link, office, signal)]);
    await raceSignal(Promise.race([serving, refused]), signal);
    const starting = startingServers(computer);
    const ready = { event: 'ready', url: link.url.origin, office, computer: computer.name, starting };
    print(json ? JSON.stringify(ready) : `ready ${link.url.origin}`);
    if (starting.length > 0) {
      logger.info({ starting }, startingLine(starting));
      await raceSignal(Promise.race([started, refused]), signal);
      logger.info({}, allStartedLine(computer));
    }
    await raceSignal(refused, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    link.disconnect();
    await closedOrTimeout(computer.close());
  }
  process.exit(EXIT.done);
}

/** Between two attempts to join. */
const JOIN_AGAIN_MS = 1_000;

/** A connection lost while joining comes back by itself; then the seat is asked for again, unless the Server said no. */
async function takeSeat(link: OfficeLink, office: string, signal: AbortSignal): Promise<void> {
  await link.connect(office);
  while (!signal.aborted) {
    try {
      return await link.joinOffice(office);
    } catch (error) {
      if (!(error instanceof SMCPError) || isFinal(error)) throw error;
    }
    await pause(JOIN_AGAIN_MS, undefined, { signal });
  }
}
