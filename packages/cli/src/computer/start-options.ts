import { resolve } from 'node:path';
import type { OfficeLinkOptions } from '@a2c/computer';
import type { InputDefinition, LoadedConfig } from '@a2c/config';
import { loadFrom, printWarnings, storedInputs } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { type OfficeOptions, readOfficeOptions } from '../office-options.js';
import type { PinChoice } from '../pin-options.js';
import type { SkillChoice } from '../skill-options.js';
import { fileArgument, readText, ShellError } from './shell/command-line.js';
import type { Language } from './shell/language.js';
import { readInputs } from './shell/read-config.js';

export type ConfirmMode = 'ask' | 'allow' | 'deny';

export interface ComputerRunOptions extends OfficeOptions, SkillChoice {
  readonly config?: string;
  readonly inputs?: string;
  readonly root?: string;
  readonly url?: string;
  readonly office?: string;
  readonly name: string;
  readonly autoConnect: boolean;
  readonly autoReconnect: boolean;
  readonly confirm: ConfirmMode;
  readonly historyFile?: string;
  /** A port; true for a free one. */
  readonly console?: number | true;
  readonly pins: PinChoice;
  /** True for the file in the state folder. */
  readonly durable?: string | true;
  readonly landingRoot?: string;
  readonly headless?: true;
  readonly json?: true;
  readonly failFast?: true;
  readonly lang?: Language;
  /** False after `--no-color`. */
  readonly color: boolean;
}

export interface StartFiles {
  readonly config: LoadedConfig | undefined;
  readonly inputs: readonly InputDefinition[];
  readonly storedInputs: Readonly<Record<string, string>>;
}

/** Loads the files named on the command line and prints their warnings. An invalid file ends the start. */
export async function loadStartFiles({ config, inputs, root = '.' }: ComputerRunOptions): Promise<StartFiles> {
  const loaded = config === undefined ? undefined : await loadFrom({ root, config: pathOf(config) });
  const stored = loaded ? await storedInputs(loaded) : {};
  const own = loaded?.inputs ?? [];
  const more = inputs === undefined ? [] : await loadInputs(resolve(root, pathOf(inputs)));
  return { config: loaded, inputs: [...own, ...more], storedInputs: stored };
}

async function loadInputs(path: string): Promise<readonly InputDefinition[]> {
  try {
    const { inputs, warnings } = readInputs(JSON.parse(await readText(path)), path);
    printWarnings(warnings);
    return inputs;
  } catch (error) {
    if (error instanceof ShellError) throw new UsageError(error.message, { cause: error });
    if (error instanceof SyntaxError) throw new UsageError(`${path}: not JSON: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Accepts `@path` and `path`. */
function pathOf(text: string): string {
  return fileArgument(text) ?? text;
}

export function linkOptions(options: ComputerRunOptions): Partial<OfficeLinkOptions> {
  const { url } = options;
  return { ...(url !== undefined && { url }), ...readOfficeOptions(options) };
}
