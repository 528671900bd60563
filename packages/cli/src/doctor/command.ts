import { shellWords, visibleText } from '@a2c/protocol';
import { Command, Option } from 'commander';
import { wrappedMessage } from '../computer/shell/display-width.js';
import { stdoutView } from '../computer/shell/view.js';
import { addRootOptions, addTrustOptions, type ConfigOptions } from '../config-options.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { tlsCaOption } from '../office-options.js';
import { addExamples, addJsonOption, addTimeoutOption } from '../options.js';
import { printColoured, printJson } from '../output.js';
import { type Finding, findings } from './findings.js';

export interface DoctorOptions extends ConfigOptions {
  readonly url?: string;
  readonly tlsCa?: string;
  /** Seconds. */
  readonly timeout?: number;
}

/** `a2c doctor`: checks the installation and says how to repair what fails. */
export function doctorCommand(): Command {
  const command = new Command('doctor')
    .addOption(new Option('--url <url>', 'also check the health of this signalling server').env('A2C_URL'))
    .addOption(tlsCaOption());
  addTimeoutOption(addTrustOptions(addRootOptions(command)), 'time limit for the start of a server (default: 60)');
  return addExamples(addJsonOption(command), 'a2c doctor --config mcp.json', 'a2c doctor --url http://127.0.0.1:7000')
    .allowExcessArguments()
    .action((options: DoctorOptions, { args: [word] }: Command) => {
      if (word !== undefined)
        throw new UsageError(`"${word}" is not an option; did you mean --config ${shellWords([word])}?`);
      return doctor(options);
    });
}

async function doctor(options: DoctorOptions): Promise<void> {
  const found: Finding[] = [];
  for await (const finding of findings(options)) {
    found.push(finding);
    // The servers of an untrusted file all have the same remedy.
    const first = finding.remedy && found.find(({ remedy }) => remedy === finding.remedy);
    const remedy = first && first !== finding ? `as for ${first.what}` : finding.remedy;
    if (!options.json) printColoured(describe({ ...finding, remedy }));
  }
  if (options.json) {
    const printed = found.map(({ isUsageError: _, ...finding }) => finding);
    printJson({ ok: found.every(({ ok }) => ok), findings: printed });
  }
  if (found.some(({ ok }) => !ok)) process.exitCode = found.some((one) => one.isUsageError) ? EXIT.wrong : EXIT.failed;
}

/** A finding with the remedy to print. */
type Shown = Omit<Finding, 'remedy'> & { readonly remedy: string | undefined };

/** As wide as a label and a blank. */
const INDENT = ' '.repeat(5);

function describe({ ok, warning, what, detail, remedy }: Shown): string {
  const { paint, width } = stdoutView('en');
  const passed = warning ? paint('yellow', 'WARN') : paint('green', 'ok  ');
  const text = wrappedMessage(visibleText(`${what}: ${detail}`), width, INDENT);
  const lines = [`${ok ? passed : paint('red', 'FAIL')} ${text}`];
  const rest = `${INDENT}  `;
  const wrap = (line: string) => wrappedMessage(line, width, rest);
  if (remedy !== undefined) lines.push(`${INDENT}→ ${visibleText(remedy).split('\n').map(wrap).join(`\n${rest}`)}`);
  return lines.join('\n');
}
