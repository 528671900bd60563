import { readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isInsideFolder } from '@a2c/config';
import { isSkillSegment } from '@a2c/protocol';
import { locatePlugin, parsePluginId } from '../plugins/catalogue.js';
import { isSecret } from './confined-file.js';
import { ENTRY, readEntry, type Skill, toSkill } from './skill-folder.js';

type Warn = (message: string) => void;

/** The skills of the user: `<home>/user/<skill>/SKILL.md`, in place, also as links. The folder gives the name. */
export function userSkills(home: string, warn: Warn): Promise<Skill[]> {
  return skillsBelow(join(home, 'user'), { warn, own: (skill) => ({ name: skill, source: 'user' }) });
}

/** The skills of enabled plugins, each written `plugin@marketplace`. Links lead to other folders of the plugin only. */
export async function pluginSkills(home: string, enabled: readonly string[], warn: Warn): Promise<Skill[]> {
  const lists = enabled.map(async (text) => {
    try {
      const { name, marketplace } = parsePluginId(text);
      const { folder, version } = await locatePlugin(home, { name, marketplace });
      const own = (skill: string) => ({
        name: `${name}:${skill}`,
        source: `marketplace:${marketplace}`,
        ...(version !== undefined && { version }),
      });
      return await skillsBelow(join(folder, 'skills'), { warn, own, within: folder });
    } catch (error) {
      warn(`the plugin "${text}" is left out: ${(error as Error).message}`);
      return [];
    }
  });
  return (await Promise.all(lists)).flat();
}

interface LocalSource {
  readonly warn: Warn;
  readonly own: (skill: string) => { name: string; source: string; version?: string };
  /** The folder that no link may lead out of: a real path. */
  readonly within?: string;
}

/** Every folder with a SKILL.md exactly one level below. A malformed one is reported and hides no other. */
async function skillsBelow(folder: string, { warn, own, within }: LocalSource): Promise<Skill[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  const skills = names.toSorted().map(async (name) => {
    const path = join(folder, name);
    try {
      const real = await realpath(path);
      if (within !== undefined && !isWithin(within, real)) throw new Error('its folder leads out of the plugin');
      const document = await readEntry(real);
      if (!isSkillSegment(name)) throw new Error('its folder needs a name of lower-case words with hyphens');
      return [toSkill(document, { ...own(name), path: real })];
    } catch (error) {
      const { reason, code } = error as { reason?: string; code?: string };
      if (reason === 'not_found' || code === 'ENOENT') return []; // No skill: it has no SKILL.md, or leads nowhere.
      warn(`the skill ${join(path, ENTRY)} is left out: ${(error as Error).message}`);
      return [];
    }
  });
  return (await Promise.all(skills)).flat();
}

function isWithin(folder: string, path: string): boolean {
  return isInsideFolder(folder, path) && !relative(folder, path).split(sep).some(isSecret);
}
