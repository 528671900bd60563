import {
  CLIENT_NAMES,
  convertConfig,
  formatLoss,
  jsonSchema,
  PROXY_CLIENTS,
  SCHEMA_NAMES,
  type SchemaName,
  TrustStore,
  WRITABLE_FORMATS,
  type WritableFormat,
} from '@a2c/config';
import { Argument, Command, Option } from 'commander';
import { addRootOption, addRootOptions, addTrustOptions, type ConfigOptions, loadFrom } from '../config-options.js';
import { serverUrl } from '../office-options.js';
import { addExamples, addJsonOption, collectChoice } from '../options.js';
import { print, printError, printJson } from '../output.js';
import { check } from './check.js';
import { exportEntry } from './export.js';
import { importConfig } from './import.js';
import { show } from './show.js';

/** `a2c config`: checks, shows, converts, trusts, imports and exports configuration files. */
export function configCommand(): Command {
  const config = addExamples(new Command('config'), 'a2c config check mcp.json');
  const subcommand = (name: string, description: string, example: string) =>
    addExamples(addJsonOption(config.command(name).description(description)), example);

  addTrustOptions(
    addRootOptions(
      subcommand(
        'check',
        'report every problem of configuration files; exit code 2 if there is an error',
        'a2c config check .mcp.json ~/.cursor/mcp.json',
      ),
    ),
  )
    .argument('[file...]', 'files to check (default: --config, or the file found in the root)')
    .action(check);

  addTrustOptions(
    addRootOptions(
      subcommand(
        'show',
        'print the servers and inputs of a configuration, with secrets masked',
        'a2c config show --json',
      ),
    ),
  )
    .argument('[file]', 'file to show (default: --config, or the file found in the root)')
    .action(show);

  addRootOption(
    subcommand(
      'convert',
      'print a configuration in another format; lists on stderr what the format cannot express',
      'a2c config convert .mcp.json --to vscode > .vscode/mcp.json',
    ),
  )
    .argument('<file>', 'file to convert')
    .addOption(new Option('--to <format>', 'output format').choices(WRITABLE_FORMATS).makeOptionMandatory())
    .action(convert);

  subcommand('schema', 'print the JSON Schema of a format, for editors', 'a2c config schema v1 > mcp.schema.json')
    .addArgument(new Argument('[name]', 'the schema; without it, print all names').choices(SCHEMA_NAMES))
    .action(schema);

  addRootOption(
    subcommand('trust', 'trust a configuration file until its content changes', 'a2c config trust .mcp.json'),
  )
    .argument('<file>', 'file to trust with its present content')
    .action(trust);

  subcommand(
    'import',
    'find the MCP servers your other clients are configured with, and write one a2c file',
    'a2c config import --from cursor --from claude-desktop --write servers.json',
  )
    .addOption(
      new Option('--from <client>', 'only this client; repeatable')
        .choices(CLIENT_NAMES)
        .argParser(collectChoice(CLIENT_NAMES)),
    )
    .option('--write <file>', 'write the servers to this file; secrets become inputs')
    .option('--with-secrets', 'store the secrets that were found, in the keychain or in a file that only you may read')
    .option('--force', 'overwrite the file')
    .option('--root <dir>', 'also read the client files of this project (default: current folder)')
    .action(importConfig);

  addRootOptions(
    subcommand(
      'export',
      'print the entry that makes an MCP client use "a2c proxy"',
      'a2c config export servers.json --for cursor',
    ),
  )
    .argument('[file]', 'configuration of the proxy (default: --config, or the file found in the root)')
    .addOption(new Option('--for <client>', 'the MCP client').choices(PROXY_CLIENTS).makeOptionMandatory())
    .option('--url <url>', 'use an office instead of a file: the signalling server', serverUrl)
    .option('--office <id>', 'use an office instead of a file: its id')
    .option('--name <name>', 'name of the entry', 'a2c')
    .action(exportEntry);

  return config;
}

async function convert(file: string, options: ConfigOptions & { readonly to: WritableFormat }): Promise<void> {
  const loaded = await loadFrom(options, file);
  const { document, losses } = convertConfig(loaded, options.to);
  for (const loss of losses) printError(`not carried over: ${formatLoss(loss)}`);
  printJson(options.json ? { document, losses } : document);
}

function schema(name: SchemaName | undefined, { json }: ConfigOptions): void {
  if (name !== undefined) printJson(jsonSchema(name));
  else if (json) printJson(SCHEMA_NAMES);
  else print(SCHEMA_NAMES.join('\n'));
}

async function trust(file: string, options: ConfigOptions): Promise<void> {
  const { source } = await loadFrom(options, file);
  await new TrustStore().trust(source);
  if (options.json) printJson({ trusted: source.files });
  else for (const { file: path, sha256 } of source.files) print(`trusted ${path} (sha256 ${sha256})`);
}
