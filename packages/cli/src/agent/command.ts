import { Command, Option } from 'commander';
import { addExamples, addJsonLinesOption, positiveInteger } from '../options.js';
import { addAgentOptions } from './agent-options.js';
import { call } from './call.js';
import { CANCEL_HELP, cancel } from './cancel.js';
import { put, resources, skill, skills } from './files.js';
import { config, desktop, room, tools } from './queries.js';
import { watch } from './watch.js';

/** `a2c agent`: act as an Agent from a shell. Every subcommand joins the office, sends its request, and leaves. */
export function agentCommand(): Command {
  const agent = addExamples(new Command('agent'), 'a2c agent tools --office demo');
  const subcommand = (signature: string, summary: string, addJson?: typeof addJsonLinesOption) =>
    addAgentOptions(agent.command(signature).description(summary), addJson);

  addExamples(subcommand('room', 'list the members of the office'), 'a2c agent room --office demo').action(room);

  addExamples(
    subcommand('tools [computer]', 'list the tools of all Computers, or of one'),
    'a2c agent tools pc --office demo --json',
  ).action(tools);

  addExamples(
    subcommand('call <computer> <tool> [args...]', 'call a tool; ARGS: a JSON object, @FILE, or KEY=VALUE …'),
    'a2c agent call pc now timezone=Asia/Shanghai --office demo',
  )
    .option('--save <dir>', 'write the images and files of the result into this folder')
    .addOption(new Option('--out <dir>', 'same as --save').hideHelp())
    .option('--req-id <id>', 'id of the call (default: random); reuse an id to get that call’s result')
    .action(call);

  addExamples(
    subcommand('config <computer>', 'print the configuration of a Computer'),
    'a2c agent config pc --office demo',
  ).action(config);

  addExamples(
    subcommand('desktop <computer>', 'print the windows of a Computer'),
    'a2c agent desktop pc --size 3 --office demo',
  )
    .option('--size <number>', 'maximum number of windows', positiveInteger)
    .option('--window <uri>', 'only this window')
    .action(desktop);

  addExamples(
    subcommand('resources <computer> <server> [uri]', 'list the resources of an MCP server, or read one'),
    'a2c agent resources pc files --office demo',
    'a2c agent resources pc files file:///notes.md --office demo',
  )
    .option('--cursor <text>', 'continue after this page')
    .action(resources);

  addExamples(
    subcommand('skills <computer>', 'list the skills of a Computer'),
    'a2c agent skills pc --office demo',
  ).action(skills);

  addExamples(
    subcommand('skill <computer> <name> [path]', 'print a file of a skill (default: SKILL.md)'),
    'a2c agent skill pc letters --office demo',
  )
    .option('--out <file>', 'write it to this file')
    .action(skill);

  addExamples(
    subcommand('put <computer> <file>', 'send a file to a Computer; prints its path there'),
    'a2c agent put pc photo.png --office demo',
  )
    .option('--as <name>', 'the name to send it under (default: its own)')
    .action(put);

  subcommand('cancel <req-id>', 'cancel a call').addHelpText('after', CANCEL_HELP).action(cancel);

  addExamples(
    subcommand('watch', 'print the events of the office until interrupted', addJsonLinesOption),
    'a2c agent watch --office demo --json',
  ).action(watch);
  return agent;
}
