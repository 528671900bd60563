import { resolve } from 'node:path';
import type { SkillOptions } from '@a2c/computer';
import { approvalLists, readSettings, skillFolder } from '@a2c/config';
import { type Command, Option } from 'commander';

/** Options about skills, of `a2c computer` and `a2c proxy`. */
export interface SkillChoice {
  /** The skill folder; false after `--no-skills`. */
  readonly skills?: string | boolean;
  readonly skillMount?: readonly string[];
  readonly plugin?: readonly string[];
}

/** Adds the options of `SkillChoice`. */
export function addSkillOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--skills <dir>', 'the folder with your skills, in user/<name>/SKILL.md')
        .env('A2C_SKILL_HOME')
        .default(undefined, 'the skill folder of your account'),
    )
    .option('--no-skills', 'offer no skills')
    .option('--skill-mount <dir...>', 'folders from which MCP servers may offer skills')
    .option('--plugin <name@marketplace...>', 'offer the skills of these plugins');
}

/** The plugins that `--plugin` names, and those that `a2c plugin enable` switched on. */
export async function enabledPlugins(named: readonly string[] = []): Promise<readonly string[]> {
  const { enabledPlugins: states } = await readSettings();
  const { blockedMarketplaces } = await approvalLists();
  const enabled = Object.entries(states).flatMap(([id, isEnabled]) => (isEnabled ? [id] : []));
  const isBlocked = (id: string) => blockedMarketplaces.includes(id.split('@')[1] ?? '');
  return [...new Set([...named, ...enabled])].filter((id) => !isBlocked(id));
}

/** Returns undefined after `--no-skills`. */
export function skillOptions({ skills, skillMount = [], plugin = [] }: SkillChoice): SkillOptions | undefined {
  if (skills === false) return undefined;
  return {
    home: skillHome(skills),
    plugins: () => enabledPlugins(plugin),
    mountFolders: skillMount.map((folder) => resolve(folder)),
    polling: Boolean(process.env.A2C_SKILL_WATCH_POLLING),
  };
}

/** The folder of `--skills`, or that of the account. */
export function skillHome(skills: SkillChoice['skills']): string {
  return typeof skills === 'string' ? resolve(skills) : skillFolder();
}
