import { SCHEMA_NAMES, WRITABLE_FORMATS } from '@a2c/config';
import { Argument, Command, Option } from 'commander';
import { addJsonOption, addRootOptions, addTrustOptions } from '../config-options.js';
import { check } from './check.js';
import { convert } from './convert.js';
import { schema } from './schema.js';
import { show } from './show.js';
import { trust } from './trust.js';

/** `a2c config`: what a configuration says, whether it is right, and whether it is trusted. */
export function configCommand(): Command {
  const config = new Command('config').addHelpText('after', example('a2c config check mcp.json'));

  addJsonOption(addTrustOptions(addRootOptions(config.command('check'))))
    .argument('[file...]', 'files to check; without any, what --config or the root has')
    .description('tell everything that is wrong with configuration files; exit code 2 if anything is')
    .addHelpText('after', example('a2c config check .mcp.json ~/.cursor/mcp.json'))
    .action(check);

  addJsonOption(addTrustOptions(addRootOptions(config.command('show'))))
    .argument('[file]', 'file to show; without it, what --config or the root has')
    .description('print the servers and inputs of a configuration, secrets masked')
    .addHelpText('after', example('a2c config show --json'))
    .action(show);

  addJsonOption(addRootOptions(config.command('convert')))
    .argument('<file>', 'file to convert')
    .addOption(new Option('--to <format>', 'the format to write').choices(WRITABLE_FORMATS).makeOptionMandatory())
    .description('print a configuration in another format; what it cannot express is told on stderr')
    .addHelpText('after', example('a2c config convert .mcp.json --to vscode > .vscode/mcp.json'))
    .action(convert);

  addJsonOption(config.command('schema'))
    .addArgument(new Argument('[name]', 'which schema; without it, their names').choices(SCHEMA_NAMES))
    .description('print the JSON Schema of a format, for editors')
    .addHelpText('after', example('a2c config schema v1 > mcp.schema.json'))
    .action(schema);

  addJsonOption(addRootOptions(config.command('trust')))
    .argument('<file>', 'file to trust as it is now')
    .description('trust a configuration file until its content changes')
    .addHelpText('after', example('a2c config trust .mcp.json'))
    .action(trust);

  return config;
}

function example(line: string): string {
  return `\nExample:\n  $ ${line}`;
}
