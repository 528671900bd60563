import { Command, Option } from 'commander';
import { addJsonOption, addRootOptions, addTimeoutOption, addTrustOptions } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { shellWords } from '../shell-words.js';
import { type DoctorOptions, doctor } from './doctor.js';

/** `a2c doctor`: what works here, and what to do about what does not. */
export function doctorCommand(): Command {
  const command = new Command('doctor')
    .addOption(new Option('--url <url>', 'also ask this signalling server whether it is well').env('A2C_URL'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ a2c doctor --config mcp.json --trust\n  $ a2c doctor --url http://127.0.0.1:7000',
    );
  return addJsonOption(
    addTimeoutOption(addTrustOptions(addRootOptions(command)), 'how long a server may take to start (default: 30)'),
  )
    .allowExcessArguments()
    .action((options: DoctorOptions, { args: [word] }: Command) => {
      if (word !== undefined)
        throw new UsageError(`"${word}" is no option; did you mean --config ${shellWords([word])}?`);
      return doctor(options);
    });
}
