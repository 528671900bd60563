import { OfficeToolbox } from '@a2c/proxy';
import { agentOptions, type ConnectionOptions } from '../agent/agent-options.js';
import { printError } from '../output.js';
import type { ToolSource } from './proxy.js';

/** How long to wait for the first tools: many clients list the tools only once. */
const FIRST_TOOLS_MS = 1_500;

/** The Computers of an office. While the Server is unreachable, the proxy serves its state and retries. */
export async function officeSource(options: ConnectionOptions): Promise<ToolSource> {
  const toolbox = new OfficeToolbox({
    ...agentOptions(options),
    callSeconds: options.timeout,
    onWarning: printError,
  });
  await toolbox.settled(AbortSignal.timeout(FIRST_TOOLS_MS));
  return { toolbox, settings: null, [Symbol.asyncDispose]: () => toolbox.close() };
}
