import { UsageError } from '../exit-codes.js';
import { runHeadless } from './headless.js';
import { runPipe } from './pipe.js';
import { languageOf } from './shell/language.js';
import { createView, type View } from './shell/view.js';
import type { Start } from './start.js';
import { type ComputerRunOptions, linkOptions, loadStartFiles } from './start-options.js';
import { runTerminal } from './terminal-shell.js';

/** `officeWasNamed`: on the command line, rather than in the environment. */
export async function run(options: ComputerRunOptions, officeWasNamed: boolean): Promise<void> {
  if (officeWasNamed && options.url === undefined) throw new UsageError('--office needs --url');
  const files = await loadStartFiles(options);
  const start: Start = { options, files, view: viewOf(options), link: linkOptions(options) };
  if (options.headless) await runHeadless(start);
  else if (process.stdin.isTTY && process.stdout.isTTY) await runTerminal(start);
  else await runPipe(start);
}

function viewOf({ lang, color }: ComputerRunOptions): View {
  const { stdout, env } = process;
  return createView({
    language: lang ?? languageOf(env),
    colour: color && stdout.isTTY && !env.NO_COLOR,
    ...(stdout.isTTY && { width: () => stdout.columns || 80 }),
  });
}
