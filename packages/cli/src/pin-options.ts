import { type PinOptions, PinStore } from '@a2c/hub';
import { type Command, Option } from 'commander';

/** The value of `--pins`. */
export type PinChoice = 'off' | 'warn' | 'block';

/** Adds `--pins` to a command that shows tools to a model. */
export function addPinOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--pins <mode>',
      'tools that changed since they were approved: block keeps the approved text, warn shows the new one (see `a2c tools`)',
    )
      .choices(['off', 'warn', 'block'] satisfies readonly PinChoice[])
      .default('block'),
  );
}

/** The option of a hub. */
export function pinOptions(mode: PinChoice): PinOptions | null {
  return mode === 'off' ? null : { store: new PinStore(), mode };
}
