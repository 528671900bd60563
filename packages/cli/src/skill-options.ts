import { resolve } from 'node:path';
import type { SkillOptions } from '@a2c/computer';
import { skillFolder } from '@a2c/config';
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

/** Returns undefined after `--no-skills`. */
export function skillOptions({ skills, skillMount = [], plugin = [] }: SkillChoice): SkillOptions | undefined {
  if (skills === false) return undefined;
  return {
    home: typeof skills === 'string' ? resolve(skills) : skillFolder(),
    plugins: plugin,
    mountFolders: skillMount.map((folder) => resolve(folder)),
    polling: Boolean(process.env.A2C_SKILL_WATCH_POLLING),
  };
}
