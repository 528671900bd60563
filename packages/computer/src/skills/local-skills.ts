import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isInsideFolder, readFileSafely } from '@a2c/config';
import { isRecord, isSkillSegment } from '@a2c/protocol';
import { isPathBelow } from './confined-file.js';
import { ENTRY, readEntry, type Skill, toSkill } from './skill-folder.js';

type Warn = (message: string) => void;

/** The skills of the user: `<home>/user/<skill>/SKILL.md`, in place. The folder gives the name. */
export function userSkills(home: string, warn: Warn): Promise<Skill[]> {
  return skillsBelow(join(home, 'user'), warn, (skill) => ({ name: skill, source: 'user' }));
}

/** A plugin that the owner enabled. */
interface Plugin {
  readonly name: string;
  readonly marketplace: string;
}

/** The skills of enabled plugins, each written `plugin@marketplace`. */
export async function pluginSkills(home: string, enabled: readonly string[], warn: Warn): Promise<Skill[]> {
  const lists = enabled.map(async (text) => {
    const [name = '', marketplace = '', ...rest] = text.split('@');
    try {
      if (rest.length > 0 || !isSkillSegment(name) || !isSkillSegment(marketplace))
        throw new Error('expected "plugin@marketplace", both in lower case');
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

/** Finds the folder of a plugin: within its marketplace, or beside it if the catalogue names another repository. */
async function locatePlugin(home: string, { name, marketplace }: Plugin) {
  const catalogueFolder = join(home, 'marketplace', marketplace);
  const catalogue = await readObject(join(catalogueFolder, MANIFESTS, 'marketplace.json'));
  const plugins = Array.isArray(catalogue.plugins) ? catalogue.plugins : [];
  const entry = plugins.filter(isRecord).find((plugin) => plugin.name === name);
  if (!entry) throw new Error(`the marketplace "${marketplace}" has no such plugin`);
  const isLocal = typeof entry.source === 'string';
  const base = isLocal ? catalogueFolder : join(home, 'marketplace', '.plugins', marketplace);
  const path = isLocal ? localPath(entry.source as string, catalogue) : name;
  if (!isPathBelow(path)) throw new Error(`its source "${path}" is not a path inside the marketplace`);
  const [root, folder] = await Promise.all([realpath(base), realpath(join(base, path))]);
  if (!isInsideFolder(root, folder)) throw new Error('its source leads out of the marketplace');
  const manifest = await readObject(join(folder, MANIFESTS, 'plugin.json')).catch(
    () => ({}) as Record<string, unknown>,
  );
  const version = [manifest.version, entry.version].find((text) => typeof text === 'string') as string | undefined;
  return { folder, version };
}

const MANIFESTS = '.tfrobot-plugin';

/** A bare name is below `pluginRoot`; a path that starts with `./` is below the marketplace. */
function localPath(source: string, { metadata }: Record<string, unknown>): string {
  const root = isRecord(metadata) && typeof metadata.pluginRoot === 'string' ? metadata.pluginRoot : './plugins';
  const path = source.startsWith('./') ? source : `${root}/${source}`;
  return path.replace(/^\.\//, '').replace(/\/$/, '');
}

async function readObject(path: string): Promise<Record<string, unknown>> {
  const value: unknown = JSON.parse((await readFileSafely(path)).text);
  if (!isRecord(value)) throw new Error(`${path} is not a JSON object`);
  return value;
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
