import { resolve } from 'node:path';
import type { SkillOptions } from '@a2c/computer';
import { marketplaceRefusal, type ScopeOptions, scopedSettings, skillFolder } from '@a2c/config';
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

/** The plugins that `--plugin` names, and those that the settings switch on. */
export async function enabledPlugins(named: readonly string[] = [], scopes?: ScopeOptions): Promise<readonly string[]> {
  const settings = await scopedSettings(scopes);
  const enabled = Object.entries(settings.enabledPlugins).flatMap(([id, isEnabled]) => (isEnabled ? [id] : []));
  const isPermitted = (id: string) => marketplaceRefusal(settings, id.split('@')[1] ?? '') === undefined;
  return [...new Set([...named, ...enabled])].filter(isPermitted);
}

/** Returns undefined after `--no-skills`. */
export function skillOptions(
  { skills, skillMount = [], plugin = [] }: SkillChoice,
  scopes?: ScopeOptions,
): SkillOptions | undefined {
  if (skills === false) return undefined;
  return {
    home: skillHome(skills),
    plugins: () => enabledPlugins(plugin, scopes),
    mountFolders: skillMount.map((folder) => resolve(folder)),
    polling: Boolean(process.env.A2C_SKILL_WATCH_POLLING),
  };
}

/** The folder of `--skills`, or that of the account. */
export function skillHome(skills: SkillChoice['skills']): string {
  return typeof skills === 'string' ? resolve(skills) : skillFolder();
}
