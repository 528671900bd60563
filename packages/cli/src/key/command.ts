import type { Role } from '@a2c/server';
import { Command } from 'commander';
import { addExamples, addJsonOption, collect, collectChoice } from '../options.js';
import { newKey } from './new.js';

const ROLES = ['agent', 'computer'] as const satisfies readonly Role[];

/** `a2c key`: API keys of the signalling server. */
export function keyCommand(): Command {
  const command = new Command('new')
    .description('create an API key; it is printed once and only its hash is stored')
    .argument('<subject>', 'holder of the key, as it appears in logs')
    .option('--file <path>', 'add the entry to this key file (see `a2c server --auth-file`)')
    .option('--role <role>', `allow only this role: ${ROLES.join(', ')}; repeatable`, collectChoice(ROLES))
    .option('--office <pattern>', 'allow only these offices; * matches any characters; repeatable', collect)
    .option('--name <pattern>', 'allow only these member names; repeatable', collect)
    .option('--tool <pattern>', 'allow only these tools to its Agents; !pattern denies; repeatable', collect)
    .option('--server <pattern>', 'allow only tools of these MCP servers; !pattern denies; repeatable', collect)
    .option('--operator', 'allow `a2c server sessions`, `a2c server kick` and /metrics')
    .option('--expires <date>', 'end of validity, such as 2030-01-31T00:00:00Z')
    .action(newKey);
  return addExamples(
    new Command('key').addCommand(
      addExamples(addJsonOption(command), 'a2c key new pc --role computer --office demo --file keys.json'),
    ),
    'a2c key new pc --role computer --office demo --file keys.json',
  );
}
