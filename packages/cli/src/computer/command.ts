import { Command, Option } from 'commander';
import { ComputerConsole } from '../console/computer-console.js';
import { UsageError } from '../exit-codes.js';
import { addOfficeOptions, nameParser, serverUrl } from '../office-options.js';
import { addJsonLinesOption, portNumber } from '../options.js';
import { printError } from '../output.js';
import { addPinOption } from '../pin-options.js';
import { addSkillOptions } from '../skill-options.js';
import { runHeadless } from './headless.js';
import { updateMarketplaces } from './marketplace-updates.js';
import { runPipe } from './pipe.js';
import { LANGUAGES, languageOf } from './shell/language.js';
import { gateOnTerminal } from './shell/terminal/gate.js';
import { stdoutView } from './shell/view.js';
import type { Start } from './start.js';
import { type ComputerRunOptions, linkOptions, loadStartFiles } from './start-options.js';
import { runTerminal } from './terminal-shell.js';

/** `a2c computer`: hosts MCP servers and lets the Agents of an office use them. */
export function computerCommand(): Command {
  const command = new Command('computer').addHelpText('after', EXAMPLES);
  const runCommand = addJsonLinesOption(command.command('run', { isDefault: true }))
    .description('host MCP servers, with a prompt, with commands from a pipe, or --headless')
    .option('-c, --config <@file>', 'configuration of the MCP servers; this file is trusted')
    .option('-i, --inputs <@file>', 'inputs: one object or an array')
    .option('--root <dir>', 'relative paths start here (default: current folder)')
    .addOption(new Option('--url <url>', 'the signalling server to connect to').env('A2C_URL').argParser(serverUrl))
    .addOption(
      new Option('--office <id>', 'the office to join')
        .env('A2C_OFFICE')
        .argParser(nameParser('--office (or A2C_OFFICE)')),
    )
    .option('--name <name>', 'the name of this Computer', nameParser('--name'), 'friday_hands');
  addSkillOptions(addPinOption(addOfficeOptions(runCommand)))
    .option('--auto-connect', 'start MCP servers when they are added', true)
    .option('--no-auto-connect', 'start MCP servers only on command')
    .option('--auto-reconnect', 'reconnect to an MCP server after a lost connection', true)
    .option('--no-auto-reconnect', 'do not reconnect')
    .addOption(
      new Option('--confirm <mode>', 'consent for tools without auto_apply: ask the user, allow all or deny all')
        .choices(['ask', 'allow', 'deny'])
        .default('ask'),
    )
    .option('--approve-all-mcp', 'start the MCP servers of enabled plugins and of the project, for this run only')
    .option('--settings <file>', 'further settings, such as enabled plugins')
    .option('--landing-root <dir>', 'accept files of Agents into this folder')
    .option('--history-file <path>', 'write tool calls to this file, one JSON line each')
    .option('--console [port]', 'serve the web console on this port of 127.0.0.1 (default: a free one)', portNumber)
    .option(
      '--durable [path]',
      'write call ids to this file before the calls run, so that none runs twice after a crash',
    )
    .option('--headless', 'serve an office until SIGINT or SIGTERM')
    .option('--fail-fast', 'with commands from a pipe: stop at the first error')
    .addOption(new Option('--lang <language>', 'language of messages (default: from the locale)').choices(LANGUAGES))
    .option('--no-color', 'print without colours')
    // `run` is optional, so an unknown subcommand arrives here as an excess argument.
    .allowExcessArguments()
    .addHelpText('after', EXAMPLES)
    .action((options: ComputerRunOptions) => {
      const [word] = runCommand.args;
      if (word !== undefined)
        command.error(`error: unknown command '${word}'; the only command is "run", which is optional`);
      // An exported A2C_OFFICE may be meant for other commands; --office without --url is a mistake.
      const officeIsGiven = runCommand.getOptionValueSource('office') === 'cli';
      if (officeIsGiven && options.url === undefined) throw new UsageError('--office needs --url');
      return run(options);
    });
  return command;
}

const EXAMPLES = `
Examples:
  $ a2c computer run --config @./servers.json --inputs @./inputs.json
  $ echo 'tools' | a2c computer run --config servers.json --json
  $ a2c computer run --headless -c mcp.json --url https://a2c.example --office demo

The Computers of an office need different names: give each its --name.`;

async function run(options: ComputerRunOptions): Promise<void> {
  const view = stdoutView(options.lang ?? languageOf(process.env), options.color);
  const isTerminal = !options.headless && process.stdin.isTTY && process.stdout.isTTY;
  const report = (message: string) => printError(view.translate(message));
  const inLanguage = (error: Error) => {
    error.message = view.translate(error.message);
    throw error;
  };
  const files = await loadStartFiles(options, report, isTerminal ? gateOnTerminal(view) : undefined).catch(inLanguage);
  const start: Start = {
    options,
    files,
    view,
    link: await linkOptions(options).catch(inLanguage),
    console:
      options.console === undefined ? undefined : new ComputerConsole(options.console === true ? 0 : options.console),
  };
  const updating = updateMarketplaces(options, report);
  try {
    const runMode = options.headless ? runHeadless : isTerminal ? runTerminal : runPipe;
    await runMode(start).catch(inLanguage);
  } finally {
    await updating.stop();
  }
}
