import type { ConfigOptions } from '../config-options.js';
import { EXIT } from '../exit-codes.js';
import { print, printJson } from '../output.js';
import { findings as examine, type Finding } from './findings.js';

export interface DoctorOptions extends ConfigOptions {
  readonly url?: string;
  /** Seconds. */
  readonly timeout?: number;
}

export async function doctor(options: DoctorOptions): Promise<void> {
  const found: Finding[] = [];
  for await (const finding of examine(options)) {
    found.push(finding);
    if (!options.json) print(describe(finding));
  }
  if (options.json) {
    const findings = found.map(({ isOurFault: _, ...finding }) => finding);
    printJson({ ok: found.every(({ ok }) => ok), findings });
  }
  if (found.some(({ ok }) => !ok)) process.exitCode = found.some((one) => one.isOurFault) ? EXIT.wrong : EXIT.failed;
}

function describe({ ok, what, detail, remedy }: Finding): string {
  const lines = [`${ok ? 'ok  ' : 'FAIL'} ${what}: ${detail}`];
  if (remedy !== undefined) lines.push(`     → ${remedy}`);
  return lines.join('\n');
}
