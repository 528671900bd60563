import { OfficeLink } from '@a2c/computer';
import { createLogger } from '@a2c/log';
import { raceSignal } from '@a2c/protocol';
import { announceConsole } from '../console/host-console.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { print } from '../output.js';
import { abortOnSignal } from '../process-signals.js';
import { createComputer, type Start } from './start.js';
import { allStartedLine, closedOrTimeout, startedOrTimeout, startingLine, startingServers } from './start-timeouts.js';

/** Serves an office until a signal, without a prompt: inputs come from the environment, consent from `--confirm`. */
export async function runHeadless(start: Start): Promise<void> {
  const { url, office, json } = start.options;
  if (url === undefined || office === undefined) throw new UsageError('--headless needs --url and --office');
  const signal = abortOnSignal();
  const logger = createLogger('a2c-computer');
  const computer = createComputer(start, { logger });
  const link = new OfficeLink(computer, { logger, ...start.link, url });
  start.console?.watchLink(link);
  try {
    const refused = new Promise<never>((_, reject) => link.on('refused', reject));
    // In parallel: the Computer joins although an MCP server hangs. Tools of late servers are announced.
    const started = computer.boot();
    const serving = Promise.all([startedOrTimeout(started), join(link, office, signal)]);
    await raceSignal(Promise.race([serving, refused]), signal);
    const console = await start.console?.open(computer, logger);
    const waiting = startingServers(computer);
    const starting = waiting.map(({ name }) => name);
    const ready = { event: 'ready', url: link.url.origin, office, computer: computer.name, console, starting };
    if (console !== undefined && !json) announceConsole(console, logger);
    print(json ? JSON.stringify(ready) : `ready ${link.url.origin}`);
    if (starting.length > 0) {
      logger.info({ starting }, startingLine(waiting));
      await raceSignal(Promise.race([started, refused]), signal);
      logger.info({}, allStartedLine(computer));
    }
    await raceSignal(refused, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    link.disconnect();
    await start.console?.close();
    await closedOrTimeout(computer.close());
  }
  process.exit(EXIT.done);
}

/** Waits for a Server that is not running yet. Only a final refusal or the signal ends the attempts. */
async function join(link: OfficeLink, office: string, signal: AbortSignal): Promise<void> {
  const retry = { retryForMs: Number.POSITIVE_INFINITY, signal };
  await link.connect(office, retry);
  await link.joinOffice(office, retry);
}
