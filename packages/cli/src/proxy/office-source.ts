import { OfficeToolbox } from '@a2c/proxy';
import { agentOptions, type ConnectionOptions } from '../agent/agent-options.js';
import { printError } from '../output.js';
import type { ToolSource } from './proxy.js';

/** Many clients list the tools only once: wait shortly for the first ones. */
const FIRST_LOOK_MS = 1_500;

/** The Computers of an office. The proxy starts without the office and joins it when it is available. */
export async function officeSource(options: ConnectionOptions): Promise<ToolSource> {
  const toolbox = new OfficeToolbox({
    ...agentOptions(options),
    callSeconds: options.timeout,
    onWarning: printError,
  });
  await toolbox.settled(AbortSignal.timeout(FIRST_LOOK_MS));
  return { toolbox, settings: null, [Symbol.asyncDispose]: () => toolbox.close() };
}
