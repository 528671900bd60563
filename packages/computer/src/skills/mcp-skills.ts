import { join } from 'node:path';
import type { JsonObject } from '@a2c/config';
import type { MCPServerManager } from '@a2c/hub';
import { type A2CSkillRef, isRecord, isSkillSegment } from '@a2c/protocol';
import { sha256Of, unpackArchive } from './archive.js';
import { copyMounted } from './mount-folder.js';
import { type FolderDocument, readEntry, type Skill, toSkill } from './skill-folder.js';
import { removeOthers, STAGING_LIMITS, StagedFolder } from './staging.js';

/** What an MCP server may offer from. */
export interface MCPSkillSource {
  readonly manager: MCPServerManager;
  /** Returns the folder of the copies. With `create`, it is created if there is none. */
  readonly copyFolder: (create: boolean) => Promise<string | undefined>;
  /** The folders that MCP servers may name. */
  readonly mountFolders: readonly string[];
  readonly warn: (server: string, message: string) => void;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

/** What became of an archive. It is not unpacked again while its bytes and what comes before it are the same. */
interface UnpackedArchive {
  readonly key: string;
  readonly sha256: string;
  /** The bytes of the skills up to this one. */
  readonly bytes: number;
  readonly outcome: { readonly document: FolderDocument; readonly name: string } | { readonly failure: string };
}

/** The archives of one MCP server by the URI of their skills. */
export type UnpackedArchives = Map<string, UnpackedArchive>;

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
 * @param archives The archives of the last time; changed.
 */
export async function skillsOfServer(
  server: string,
  known: readonly Skill[],
  archives: UnpackedArchives,
  source: MCPSkillSource,
): Promise<readonly Skill[]> {
  const { manager, copyFolder, warn, signal } = source;
  const bundleId = manager.bundleIdOf(server);
  const resources = (await manager.listResources(server, { signal })).flatMap(skillResource);
  const skills = new Map<string, Skill>();
  const unchanged = new Set(known.map((skill) => JSON.stringify(skill)));
  const roots = rootsOf(resources, (message) => warn(server, message));
  if (roots.length > MAX_SKILLS) warn(server, `it offers ${roots.length} skills; the first ${MAX_SKILLS} are used`);
  const folder = await copyFolder(roots.length > 0);
  if (folder === undefined) return [];
  const parent = join(folder, bundleId);
  let bytes = 0;
  const add = (root: SkillResource, document: FolderDocument) => {
    const name = nameOf(document);
    if (skills.has(name)) throw new Error(`it has the name "${name}" twice`);
    const own = { name: `mcp:${bundleId}:${name}`, source: `mcp:${bundleId}`, uri: root.uri, ...versionOf(root) };
    const skill = toSkill(document, { ...own, path: join(parent, name) });
    skills.set(name, skill);
    return { name, skill };
  };
  for (const root of roots.slice(0, MAX_SKILLS)) {
    if (signal.aborted) break;
    const { source: mode, archive_format: format, archive_sha256: declared } = root.meta;
    const last = archives.get(root.uri);
    const key = JSON.stringify([format, declared, bytes]);
    let staged: StagedFolder | undefined;
    let archive: Buffer | undefined;
    let sha256 = typeof declared === 'string' ? declared : undefined;
    const isSame = () => mode === 'archive' && last?.key === key && last.sha256 === sha256;
    try {
      if (mode === 'archive' && !isSame()) {
        archive = await archiveOf(root, server, source);
        sha256 = await sha256Of(archive);
      }
      if (last && isSame()) {
        bytes = last.bytes;
        if ('failure' in last.outcome) throw new Error(last.outcome.failure);
        add(root, last.outcome.document);
        continue;
      }
      staged = await StagedFolder.create(parent, STAGING_LIMITS, { before: bytes, signal });
      if (archive) await unpackArchive(archive, { format, sha256: declared }, staged);
      else await fill(staged, root, resources, server, source);
      const document = { ...(await readEntry(staged.path)), fingerprint: staged.fingerprint() };
      const { name, skill } = add(root, document);
      if (!unchanged.has(JSON.stringify(skill))) await staged.commit(name);
      bytes = staged.bytes;
      if (archive && sha256) archives.set(root.uri, { key, sha256, bytes, outcome: { document, name } });
    } catch (error) {
      const failure = cut((error as Error).message);
      // What it has unpacked counts, or many of them would be much work.
      bytes = staged?.bytes ?? bytes;
      if (staged && sha256 && !signal.aborted) archives.set(root.uri, { key, sha256, bytes, outcome: { failure } });
      if (!signal.aborted) warn(server, `the skill ${root.uri} is left out: ${failure}`);
    } finally {
      await staged?.discard();
    }
  }
  if (signal.aborted) return known;
  await removeOthers(parent, new Set(skills.keys()));
  for (const [uri, { outcome }] of archives) {
    const isKept =
      'failure' in outcome ? roots.some((root) => root.uri === uri) : skills.get(outcome.name)?.ref.uri === uri;
    if (!isKept) archives.delete(uri);
  }
  return [...skills.values()];
}

function archiveOf({ meta }: SkillResource, server: string, { manager, signal }: MCPSkillSource): Promise<Buffer> {
  const uri = String(meta.archive_uri);
  if (uri.length > MAX_ARCHIVE_URI_LENGTH)
    throw new Error(`its "archive_uri" has more than ${MAX_ARCHIVE_URI_LENGTH} characters`);
  return manager.fetch(server, uri, { maxBytes: MAX_ARCHIVE_BYTES, signal });
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
  { manager, mountFolders, signal }: MCPSkillSource,
): Promise<void> {
  const { source, mount_dir } = root.meta;
  if (source === 'mounted') return copyMounted(mount_dir, mountFolders, staged);
  for (const { uri } of resources) {
    if (!uri.startsWith(`${root.uri}/`)) continue;
    const path = decodeURIComponent(uri.slice(root.uri.length + 1));
    await staged.write(path, await contentOf(manager, server, uri, signal));
  }
}

const MAX_ARCHIVE_BYTES = 64 * 2 ** 20;

async function contentOf(manager: MCPServerManager, server: string, uri: string, signal: AbortSignal): Promise<Buffer> {
  const { contents } = await manager.readResource(server, uri, { signal });
  const [content] = Array.isArray(contents) ? contents : [];
  if (isRecord(content) && typeof content.text === 'string') return Buffer.from(content.text);
  if (isRecord(content) && typeof content.blob === 'string') return Buffer.from(content.blob, 'base64');
  throw new Error(`${uri} has no content`);
}

function versionOf({ meta }: SkillResource): Pick<A2CSkillRef, 'version'> {
  return typeof meta.version === 'string' ? { version: meta.version } : {};
}
