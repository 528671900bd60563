import { TrustStore } from '@a2c/config';
import { type ConfigOptions, loadFrom } from '../config-options.js';
import { print, printJson } from '../output.js';

export async function trust(file: string, options: ConfigOptions): Promise<void> {
  const { source } = await loadFrom(options, file);
  await new TrustStore().trust(source);
  if (options.json) printJson({ trusted: source.files });
  else for (const { file: path, sha256 } of source.files) print(`trusted ${path} (sha256 ${sha256})`);
}
