import { Command, InvalidArgumentError } from 'commander';
import { addJsonLinesOption } from '../json-lines-option.js';
import { addAgentOptions } from './agent-options.js';
import { call } from './call.js';
import { CANCEL_HELP, cancel } from './cancel.js';
import { config, desktop, room, tools } from './look.js';
import { watch } from './watch.js';

/** `a2c agent`: an Agent from a shell. Every subcommand joins, does one thing, and leaves. */
export function agentCommand(): Command {
  const agent = new Command('agent').addHelpText('after', '\nExample:\n  $ a2c agent tools --office demo');
  const subcommand = (signature: string, summary: string, example: string, addJson?: typeof addJsonLinesOption) => {
    const command = addAgentOptions(agent.command(signature).description(summary), addJson);
    return example === '' ? command : command.addHelpText('after', `\nExample:\n  $ a2c agent ${example}`);
  };
  subcommand('room', 'who sits in the office', 'room --office demo').action(room);
  subcommand('tools [computer]', 'the tools of all Computers, or of one', 'tools pc --office demo --json').action(
    tools,
  );
  subcommand(
    'call <computer> <tool> [args...]',
    'call a tool; ARGS are a JSON object, @FILE, or KEY=VALUE …',
    'call pc now timezone=Asia/Shanghai --office demo',
  )
    .option('--out <dir>', 'write the images and files of the result into this folder')
    .option('--req-id <id>', 'the id of the call (default: a new one); the same id again is the same call')
    .action(call);
  subcommand('config <computer>', 'what a Computer is configured with', 'config pc --office demo').action(config);
  subcommand('desktop <computer>', 'the windows of a Computer', 'desktop pc --size 3 --office demo')
    .option('--size <number>', 'how many windows at most', wholeNumber)
    .option('--window <uri>', 'only this window')
    .action(desktop);
  subcommand('cancel <req-id>', 'cancel a call', '').addHelpText('after', CANCEL_HELP).action(cancel);
  const summary = 'print what happens in the office until interrupted';
  subcommand('watch', summary, 'watch --office demo --json', addJsonLinesOption).action(watch);
  return agent;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('expected a whole number, above 0');
}
