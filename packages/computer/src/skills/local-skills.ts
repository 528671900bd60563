import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isSkillSegment } from '@a2c/protocol';
import { locatePlugin, parsePluginId } from '../plugins/catalogue.js';
import { ENTRY, readEntry, type Skill, toSkill } from './skill-folder.js';

type Warn = (message: string) => void;

/** The skills of the user: `<home>/user/<skill>/SKILL.md`, in place. The folder gives the name. */
export function userSkills(home: string, warn: Warn): Promise<Skill[]> {
  return skillsBelow(join(home, 'user'), warn, (skill) => ({ name: skill, source: 'user' }));
}

/** The skills of enabled plugins, each written `plugin@marketplace`. */
export async function pluginSkills(home: string, enabled: readonly string[], warn: Warn): Promise<Skill[]> {
  const lists = enabled.map(async (text) => {
    try {
      const { name, marketplace } = parsePluginId(text);
      const { folder, version } = await locatePlugin(home, { name, marketplace });
      return await skillsBelow(join(folder, 'skills'), warn, (skill) => ({
        name: `${name}:${skill}`,
        source: `marketplace:${marketplace}`,
        ...(version !== undefined && { version }),
      }));
    } catch (error) {
      warn(`the plugin "${text}" is left out: ${(error as Error).message}`);
      return [];
    }
  });
  return (await Promise.all(lists)).flat();
}

/** Every folder with a SKILL.md exactly one level below. A malformed one is reported and hides no other. */
async function skillsBelow(
  folder: string,
  warn: Warn,
  own: (skill: string) => { name: string; source: string; version?: string },
): Promise<Skill[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  const skills = names.toSorted().map(async (name) => {
    const path = join(folder, name);
    try {
      const document = await readEntry(path);
      if (!isSkillSegment(name)) throw new Error('its folder needs a name of lower-case words with hyphens');
      return [toSkill(document, { ...own(name), path: await realpath(path) })];
    } catch (error) {
      if ((error as { reason?: string }).reason === 'not_found') return []; // No skill: it has no SKILL.md.
      warn(`the skill ${join(path, ENTRY)} is left out: ${(error as Error).message}`);
      return [];
    }
  });
  return (await Promise.all(skills)).flat();
}
