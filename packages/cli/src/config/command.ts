import { CLIENT_NAMES, PROXY_CLIENTS, SCHEMA_NAMES, WRITABLE_FORMATS } from '@a2c/config';
import { Argument, Command, Option } from 'commander';
import { addJsonOption, addRootOption, addRootOptions, addTrustOptions, collectChoice } from '../config-options.js';
import { serverUrl } from '../office-options.js';
import { check } from './check.js';
import { convert } from './convert.js';
import { exportEntry } from './export.js';
import { importConfig } from './import.js';
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

  addJsonOption(addRootOption(config.command('convert')))
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

  addJsonOption(addRootOption(config.command('trust')))
    .argument('<file>', 'file to trust as it is now')
    .description('trust a configuration file until its content changes')
    .addHelpText('after', example('a2c config trust .mcp.json'))
    .action(trust);

  addJsonOption(config.command('import'))
    .addOption(
      new Option('--from <client>', 'only this client; repeatable')
        .choices(CLIENT_NAMES)
        .argParser(collectChoice(CLIENT_NAMES)),
    )
    .option('--write <file>', 'write what was found into this file, secrets turned into inputs')
    .option('--force', 'overwrite the file')
    .option('--root <dir>', 'the project whose files count beside your own (default: here)')
    .description('find the MCP servers your other clients are configured with, and write one a2c file')
    .addHelpText('after', example('a2c config import --from cursor --from claude-desktop --write servers.json'))
    .action(importConfig);

  addJsonOption(addRootOptions(config.command('export')))
    .argument('[file]', 'configuration for the proxy; without it, what --config or the root has')
    .addOption(
      new Option('--for <client>', 'the client to point at the proxy').choices(PROXY_CLIENTS).makeOptionMandatory(),
    )
    .option('--url <url>', 'an office instead of a file: its signalling server', serverUrl)
    .option('--office <name>', 'and its name')
    .option('--name <name>', 'what the client is to call the proxy', 'a2c')
    .description('print the entry that points an MCP client at a2c proxy, ready to paste')
    .addHelpText('after', example('a2c config export servers.json --for cursor'))
    .action(exportEntry);

  return config;
}

function example(line: string): string {
  return `\nExample:\n  $ ${line}`;
}
