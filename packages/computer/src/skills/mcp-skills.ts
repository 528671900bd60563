import { join } from 'node:path';
import type { JsonObject } from '@a2c/config';
import type { MCPServerManager } from '@a2c/hub';
import { type A2CSkillRef, isRecord, isSkillSegment } from '@a2c/protocol';
import { unpackArchive } from './archive.js';
import { copyMounted } from './mount-folder.js';
import { type FolderDocument, readEntry, type Skill, toSkill } from './skill-folder.js';
import { removeOthers, StagedFolder } from './staging.js';

/** What an MCP server may offer from. */
export interface MCPSkillSource {
  readonly manager: MCPServerManager;
  /** The folder of the copies. */
  readonly copyFolder: string;
  /** The folders that MCP servers may name. */
  readonly mountFolders: readonly string[];
  readonly warn: (server: string, message: string) => void;
}

interface SkillResource {
  readonly uri: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

const SCHEME = 'skill://';
const MODES = ['mounted', 'archive', 'resources'];
const MAX_SKILLS = 200;
const MAX_URI_LENGTH = 4_096;
const MAX_ARCHIVE_URI_LENGTH = 2_048;
const MAX_REASON_LENGTH = 500;

/**
 * The skills of one MCP server, copied into the skill folder. A skill that fails is reported and hides no other; the
 * copy of an unchanged one stays as it is.
 *
 * @param known The skills of the last time.
 */
export async function skillsOfServer(
  server: string,
  known: readonly Skill[],
  source: MCPSkillSource,
): Promise<readonly Skill[]> {
  const { manager, copyFolder, warn } = source;
  const bundleId = manager.bundleIdOf(server);
  const resources = (await manager.listResources(server)).flatMap(skillResource);
  const parent = join(copyFolder, bundleId);
  const skills = new Map<string, Skill>();
  const unchanged = new Set(known.map((skill) => JSON.stringify(skill)));
  const roots = rootsOf(resources, (message) => warn(server, message));
  if (roots.length > MAX_SKILLS) warn(server, `it offers ${roots.length} skills; the first ${MAX_SKILLS} are used`);
  for (const root of roots.slice(0, MAX_SKILLS)) {
    const staged = await StagedFolder.create(parent);
    try {
      await fill(staged, root, resources, server, source);
      const document = { ...(await readEntry(staged.path)), fingerprint: staged.fingerprint() };
      const skill = nameOf(document);
      if (skills.has(skill)) throw new Error(`it has the name "${skill}" twice`);
      const own = { name: `mcp:${bundleId}:${skill}`, source: `mcp:${bundleId}`, uri: root.uri, ...versionOf(root) };
      const found = toSkill(document, { ...own, path: join(parent, skill) });
      if (!unchanged.has(JSON.stringify(found))) await staged.commit(skill);
      skills.set(skill, found);
    } catch (error) {
      warn(server, `the skill ${root.uri} is left out: ${cut((error as Error).message)}`);
    } finally {
      await staged.discard();
    }
  }
  await removeOthers(parent, new Set(skills.keys()));
  return [...skills.values()];
}

/** An error may quote a long host name. Half a word may be half a secret, which is not recognised. */
function cut(reason: string): string {
  return reason.length > MAX_REASON_LENGTH ? reason.slice(0, MAX_REASON_LENGTH).replace(/\S*$/, '…') : reason;
}

function nameOf({ fields: { name } }: FolderDocument): string {
  if (typeof name === 'string' && isSkillSegment(name)) return name;
  throw new Error('the frontmatter needs a "name" of lower-case words with hyphens');
}

function skillResource(resource: JsonObject): SkillResource[] {
  const { uri, _meta } = resource;
  if (typeof uri !== 'string' || !uri.startsWith(SCHEME) || uri.length > MAX_URI_LENGTH) return [];
  return [{ uri: uri.replace(/\/$/, ''), meta: isRecord(_meta) ? _meta : {} }];
}

/**
 * The resources that are skills. One below another is a part of that one, whatever it claims to be. A server may list
 * very many: in the order of their URIs, each skill comes directly before its parts.
 */
function rootsOf(resources: readonly SkillResource[], warn: (message: string) => void): readonly SkillResource[] {
  const candidates = resources.filter(({ meta }) => MODES.includes(meta.source as string));
  const sorted = candidates.map((resource) => ({ resource, folder: `${resource.uri}/` }));
  sorted.sort((a, b) => (a.folder < b.folder ? -1 : 1));
  const parts = new Set<SkillResource>();
  let owner = '';
  for (const { resource, folder } of sorted) {
    if (owner === '' || folder === owner || !folder.startsWith(owner)) owner = folder;
    else {
      parts.add(resource);
      warn(`${resource.uri} is a part of the skill ${owner.slice(0, -1)} and no skill of its own`);
    }
  }
  return candidates.filter((resource) => !parts.has(resource));
}

async function fill(
  staged: StagedFolder,
  root: SkillResource,
  resources: readonly SkillResource[],
  server: string,
  { manager, mountFolders }: MCPSkillSource,
): Promise<void> {
  const { source, mount_dir, archive_uri, archive_format, archive_sha256 } = root.meta;
  if (source === 'mounted') return copyMounted(mount_dir, mountFolders, staged);
  if (source === 'archive') {
    const uri = String(archive_uri);
    if (uri.length > MAX_ARCHIVE_URI_LENGTH)
      throw new Error(`its "archive_uri" has more than ${MAX_ARCHIVE_URI_LENGTH} characters`);
    const fetched = await manager.fetch(server, uri, { maxBytes: MAX_ARCHIVE_BYTES });
    return unpackArchive(fetched, { format: archive_format, sha256: archive_sha256 }, staged);
  }
  for (const { uri } of resources) {
    if (!uri.startsWith(`${root.uri}/`)) continue;
    const path = decodeURIComponent(uri.slice(root.uri.length + 1));
    await staged.write(path, await contentOf(manager, server, uri));
  }
}

const MAX_ARCHIVE_BYTES = 64 * 2 ** 20;

async function contentOf(manager: MCPServerManager, server: string, uri: string): Promise<Buffer> {
  const { contents } = await manager.readResource(server, uri);
  const [content] = Array.isArray(contents) ? contents : [];
  if (isRecord(content) && typeof content.text === 'string') return Buffer.from(content.text);
  if (isRecord(content) && typeof content.blob === 'string') return Buffer.from(content.blob, 'base64');
  throw new Error(`${uri} has no content`);
}

function versionOf({ meta }: SkillResource): Pick<A2CSkillRef, 'version'> {
  return typeof meta.version === 'string' ? { version: meta.version } : {};
}
