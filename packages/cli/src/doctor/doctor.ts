import type { ConfigOptions } from '../config-options.js';
import { EXIT } from '../exit-codes.js';
import { print, printJson } from '../output.js';
import { type Finding, findings } from './findings.js';

export interface DoctorOptions extends ConfigOptions {
  readonly url?: string;
}

export async function doctor(options: DoctorOptions): Promise<void> {
  const found: Finding[] = [];
  for await (const finding of findings(options)) {
    found.push(finding);
    if (!options.json) print(describe(finding));
  }
  if (options.json) printJson({ ok: found.every(({ ok }) => ok), findings: found });
  if (found.some(({ ok }) => !ok)) process.exitCode = EXIT.failed;
}

function describe({ ok, what, detail, remedy }: Finding): string {
  const lines = [`${ok ? 'ok  ' : 'FAIL'} ${what}: ${detail}`];
  if (remedy !== undefined) lines.push(`     → ${remedy}`);
  return lines.join('\n');
}
