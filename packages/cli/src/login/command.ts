import { Command } from 'commander';
import { addRootOptions, addTrustOptions } from '../config-options.js';
import { addExamples, addJsonOption } from '../options.js';
import { printLogins } from './list.js';
import { type LoginOptions, login, logout } from './login.js';

function addServerOptions(command: Command): Command {
  addTrustOptions(addRootOptions(command))
    .argument('[server]', 'name of the MCP server; may be left out if only one supports login')
    .option('--url <url>', 'use this MCP server instead of a configured one; leave SERVER out')
    .option('--account <name>', 'one of several accounts; choose it with oauth.account in the configuration');
  return addJsonOption(command);
}

/** `a2c login`: logs in to an MCP server with OAuth, or lists the logins. */
export function loginCommand(): Command {
  const command = addServerOptions(new Command('login'))
    .option('--paste', 'print the address, and read the redirected URL from the terminal')
    .option('--device', 'print a code to type in on another device')
    .option('--issuer <url>', 'the only authorization server that may receive credentials; default: oauth.issuer')
    .option('--list', 'print the logins and where they are stored')
    .action((server: string | undefined, options: LoginOptions & { readonly list?: true }) =>
      options.list ? printLogins(options) : login(server, options),
    );
  return addExamples(command, 'a2c login notes', 'a2c login notes --paste', 'a2c login --list');
}

/** `a2c logout`: deletes a login and revokes its tokens. */
export function logoutCommand(): Command {
  return addExamples(addServerOptions(new Command('logout')).action(logout), 'a2c logout notes');
}
