import { PluginStore, PluginTrustError } from '@a2c/computer';
import { TrustGuard, UNTRUSTED } from '@a2c/config';
import { redactLog } from '@a2c/protocol';
import { Command, Option } from 'commander';
import { addTrustOptions, type ConfigOptions, permissionsFrom } from '../config-options.js';
import { UsageError } from '../exit-codes.js';
import { addExamples, addJsonOption } from '../options.js';
import { printError, printJson, printRow } from '../output.js';
import { a2c } from '../pasteable-command.js';
import { skillHome } from '../skill-options.js';

interface PluginOptions extends ConfigOptions {
  readonly skills?: string;
  readonly autoUpdate?: boolean;
  readonly shown?: string;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  list: 'list --json',
  'install <plugin@marketplace>': 'install letters@team',
  'uninstall <plugin@marketplace>': 'uninstall letters@team',
  'enable <plugin@marketplace>': 'enable letters@team',
  'disable <plugin@marketplace>': 'disable letters@team',
  'add <name> <git-url>': 'add team https://git.example.org/plugins.git',
  'update [name]': 'update team',
  'remove <name>': 'remove team',
};

/** `a2c plugin`: marketplaces, and the plugins that they offer. */
export function pluginCommand(): Command {
  const command = new Command('plugin');
  const add = (name: string, description: string, parent = command) =>
    addExamples(
      parent.command(name).description(description),
      `a2c plugin ${parent === command ? '' : 'marketplace '}${EXAMPLES[name]}`,
    ).addOption(
      new Option('--skills <dir>', 'the skill folder')
        .env('A2C_SKILL_HOME')
        .default(undefined, 'the skill folder of your account'),
    );
  addJsonOption(add('list', 'list the plugins of all marketplaces')).action(list);
  addTrustOptions(add('install <plugin@marketplace>', 'fetch a plugin; it stays off')).action(
    async (id: string, options: PluginOptions) => {
      await storeFor(options).install(id);
      printError(`"${id}" is installed and off; switch it on: ${a2c('plugin', 'enable', id)}`);
    },
  );
  add('uninstall <plugin@marketplace>', 'switch a plugin off and delete it').action(
    (id: string, options: PluginOptions) => storeFor(options).uninstall(id),
  );
  add('enable <plugin@marketplace>', 'offer the skills and MCP servers of a plugin')
    .option('--shown <id>', 'trust its MCP servers until they change, if they are those that were listed with this id')
    .option('--trust', 'trust its MCP servers until they change, unseen: they start programs')
    .action(enable);
  add('disable <plugin@marketplace>', 'switch a plugin off').action((id: string, options: PluginOptions) =>
    storeFor(options).disable(id),
  );
  const marketplace = addExamples(
    command.command('marketplace').description('add, update and remove marketplaces'),
    'a2c plugin marketplace list',
  );
  add('add <name> <git-url>', 'clone a marketplace; you trust the address that you name', marketplace)
    .option('--auto-update', 'fetch it again whenever a Computer starts')
    .action((name: string, url: string, options: PluginOptions) =>
      storeFor(options).addMarketplace(name, url, { autoUpdate: options.autoUpdate ?? false }),
    );
  addTrustOptions(
    add('update [name]', 'fetch a marketplace, or all, and the installed plugins again', marketplace)
      .option('--auto-update', 'from now on, fetch it again whenever a Computer starts')
      .option('--no-auto-update', 'do not do so'),
  ).action(update);
  add('remove <name>', 'delete a marketplace', marketplace).action((name: string, options: PluginOptions) =>
    storeFor(options).removeMarketplace(name),
  );
  addJsonOption(add('list', 'list the marketplaces', marketplace)).action(listMarketplaces);
  return addExamples(
    command,
    'a2c plugin marketplace add team https://git.example.org/plugins.git',
    'a2c plugin install letters@team',
    'a2c plugin enable letters@team',
  );
}

/** The address of a marketplace is named by the user. Repositories that its catalogue names follow these rules. */
function storeFor(options: PluginOptions): PluginStore {
  const guard = new TrustGuard({ ...UNTRUSTED, ...permissionsFrom(options) });
  return new PluginStore({ home: skillHome(options.skills), guard });
}

async function enable(id: string, options: PluginOptions): Promise<void> {
  const { trust = false, shown } = options;
  try {
    const starts = await storeFor(options).enable(id, { trust, shown });
    if (trust && starts.length > 0) printError(`trusted MCP servers of "${id}":\n  ${starts.join('\n  ')}`);
  } catch (error) {
    if (!(error instanceof PluginTrustError)) throw error;
    const command = a2c('plugin', 'enable', id, '--shown', error.shown);
    throw new Error(`${error.message}\nTo trust them: ${command}`, { cause: error });
  }
}

async function update(name: string | undefined, options: PluginOptions): Promise<void> {
  const { autoUpdate } = options;
  const store = storeFor(options);
  if (name !== undefined) return store.updateMarketplace(name, autoUpdate === undefined ? {} : { autoUpdate });
  if (autoUpdate !== undefined)
    throw new UsageError('--auto-update and --no-auto-update need the name of a marketplace');
  const failures = await store.syncMarketplaces({ all: true });
  if (failures.length > 0) throw new Error(failures.map((each) => `${each.name}: ${each.reason}`).join('\n'));
}

async function list(options: PluginOptions): Promise<void> {
  const plugins = await storeFor(options).list();
  if (options.json) return printJson(plugins);
  for (const { id, state, version = '', description = '' } of plugins) printRow([id, state, version, description]);
  if (plugins.length === 0) printError(`no marketplace has plugins; add one: ${a2c('plugin', 'marketplace', 'add')}`);
}

async function listMarketplaces(options: PluginOptions): Promise<void> {
  const entries = Object.entries(await storeFor(options).marketplaces());
  const shown = entries.map(([name, { source, ...record }]) => ({
    name,
    ...record,
    source: { ...source, url: redactLog(source.url, []) },
  }));
  if (options.json) return printJson(Object.fromEntries(shown.map(({ name, ...record }) => [name, record])));
  for (const { name, source, commitSha, autoUpdate } of shown)
    printRow([name, source.url, commitSha, autoUpdate ? 'auto-update' : '']);
}
