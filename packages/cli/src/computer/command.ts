import { Command, Option } from 'commander';
import { addJsonLinesOption } from '../json-lines-option.js';
import { addOfficeOptions, nameOf, serverUrl } from '../office-options.js';
import { run } from './run.js';
import { LANGUAGES } from './shell/language.js';
import type { ComputerRunOptions } from './start-options.js';

/** `a2c computer`: host MCP servers, and let Agents of an office use them. */
export function computerCommand(): Command {
  const command = new Command('computer').addHelpText('after', EXAMPLES);
  const runCommand = addJsonLinesOption(command.command('run', { isDefault: true }))
    .description('host MCP servers: a prompt on a terminal, commands line by line from a pipe, or --headless')
    .option('-c, --config <@file>', 'servers, in any of the known formats; a file named here is trusted')
    .option('-i, --inputs <@file>', 'inputs: one or an array')
    .option('--root <dir>', 'what relative paths start from (default: here)')
    .addOption(new Option('--url <url>', 'the signalling server to connect to').env('A2C_URL').argParser(serverUrl))
    .addOption(
      new Option('--office <id>', 'the office to join there')
        .env('A2C_OFFICE')
        .argParser(nameOf('--office (or A2C_OFFICE)')),
    )
    .option('--name <name>', 'how Agents address this Computer', nameOf('--name'), 'friday_hands');
  addOfficeOptions(runCommand)
    .option('--auto-connect', 'start servers when they are added', true)
    .option('--no-auto-connect', 'start servers when told to')
    .option('--auto-reconnect', 'come back after a lost connection to a server', true)
    .option('--no-auto-reconnect', 'stay away after a lost connection')
    .addOption(
      new Option('--confirm <mode>', 'tools without auto_apply: ask the person, allow or deny')
        .choices(['ask', 'allow', 'deny'])
        .default('ask'),
    )
    .option('--history-file <path>', 'write tool calls to this file, one JSON line each')
    .option('--headless', 'serve an office until SIGINT or SIGTERM')
    .option('--fail-fast', 'commands from a pipe: stop at the first error')
    .addOption(new Option('--lang <language>', 'language of messages (default: by locale)').choices(LANGUAGES))
    .option('--no-color', 'no colours')
    // `run` may be left out, so a misspelt command arrives here as a word too many.
    .allowExcessArguments()
    .addHelpText('after', EXAMPLES)
    .action((options: ComputerRunOptions) => {
      const [word] = runCommand.args;
      if (word !== undefined)
        command.error(`error: unknown command '${word}'; there is only "run", which may be left out`);
      // An exported A2C_OFFICE is meant for those who go to an office; who names one here means this command.
      return run(options, runCommand.getOptionValueSource('office') === 'cli');
    });
  return command;
}

const EXAMPLES = `
Examples:
  $ a2c computer run --config @./servers.json --inputs @./inputs.json
  $ echo 'tools' | a2c computer run --config servers.json --json
  $ a2c computer run --headless --config servers.json --url https://office.example.com --office demo --name workshop

Each Computer of an office needs a name of its own: give --name where there are several.`;
