import { hostname } from 'node:os';
import { Command, Option } from 'commander';
import { nameParser } from '../office-options.js';
import { addExamples, addJsonLinesOption, portNumber } from '../options.js';
import { up } from './up.js';

/** `a2c up`: a signalling server and a Computer on this machine, in one process. */
export function upCommand(): Command {
  const command = new Command('up')
    .option('--config <path>', 'host the MCP servers of this file, which is trusted (default: a demo server)')
    .option('--port <number>', 'port on 127.0.0.1 (default: 7000, or a free one if it is taken)', portNumber)
    .addOption(
      new Option('--office <id>', 'the office to open')
        .env('A2C_OFFICE')
        .argParser(nameParser('--office (or A2C_OFFICE)'))
        .default('demo'),
    )
    .option('--name <name>', 'the name of this Computer', nameParser('--name'), computerName(hostname()))
    .addOption(
      new Option(
        '--confirm <mode>',
        'consent for tools without auto_apply (default: ask in the console; without it, deny)',
      ).choices(['ask', 'allow', 'deny']),
    )
    .option('--no-console', 'serve no web console')
    .action(up);
  return addExamples(addJsonLinesOption(command), 'a2c up', 'a2c up --config mcp.json --confirm allow');
}

/** The host name up to its first dot, without characters that a shell would treat specially. */
function computerName(host: string): string {
  return host.split('.')[0]?.replace(/[^A-Za-z0-9_-]/g, '-') || 'computer';
}
