import { OfficeToolbox } from '@a2c/proxy';
import { agentOptions, type ConnectionOptions } from '../agent/agent-options.js';
import { printError } from '../output.js';
import type { ToolSource } from './proxy.js';

/** Many clients ask for the tools once and never again: what is there at once, they should see. */
const FIRST_LOOK_MS = 1_500;

/** The Computers of an office. One that is away is told as such in the tools, and joined when it is there. */
export async function officeSource(options: ConnectionOptions): Promise<ToolSource> {
  const toolbox = new OfficeToolbox({
    ...agentOptions(options),
    callSeconds: options.timeout,
    onWarning: printError,
  });
  await toolbox.settled(AbortSignal.timeout(FIRST_LOOK_MS));
  return { toolbox, settings: null, [Symbol.asyncDispose]: () => toolbox.close() };
}
