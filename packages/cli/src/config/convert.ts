import { convertConfig, formatLoss, formatProblem, type WritableFormat } from '@a2c/config';
import { type ConfigOptions, loadFrom } from '../config-options.js';
import { printError, printJson } from '../output.js';

export async function convert(file: string, options: ConfigOptions & { readonly to: WritableFormat }): Promise<void> {
  const loaded = await loadFrom(options, file);
  const { document, losses } = convertConfig(loaded, options.to);
  for (const warning of loaded.warnings) printError(formatProblem(warning));
  for (const loss of losses) printError(`not carried over: ${formatLoss(loss)}`);
  printJson(options.json ? { document, losses } : document);
}
