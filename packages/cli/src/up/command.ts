import { hostname } from 'node:os';
import { Command, Option } from 'commander';
import { addJsonLinesOption } from '../json-lines-option.js';
import { portNumber } from '../numbers.js';
import { nameOf } from '../office-options.js';
import { up } from './up.js';

/** `a2c up`: everything on this machine, in one process. */
export function upCommand(): Command {
  const command = new Command('up')
    .option('--config <path>', 'host the MCP servers of this file, which is thereby trusted (default: a demo server)')
    .option('--port <number>', 'the port on 127.0.0.1 (default: 7000, or a free one when that is taken)', portNumber)
    .addOption(
      new Option('--office <id>', 'the office to open')
        .env('A2C_OFFICE')
        .argParser(nameOf('--office (or A2C_OFFICE)'))
        .default('demo'),
    )
    .option('--name <name>', 'the name of this Computer', nameOf('--name'), plainName(hostname()))
    .addOption(
      new Option('--confirm <answer>', 'calls of tools without auto_apply: true')
        .choices(['allow', 'deny'])
        .default('deny'),
    )
    .addHelpText('after', '\nExample:\n  $ a2c up\n  $ a2c up --config mcp.json --confirm allow')
    .action(up);
  return addJsonLinesOption(command);
}

/** Host names may hold dots and more; a name that is typed on command lines should not. */
function plainName(host: string): string {
  return host.split('.')[0]?.replace(/[^A-Za-z0-9_-]/g, '-') || 'computer';
}
