import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallToolResult, ContentBlock } from '@a2c/agent';

/** The file in a content block: bytes, or a text with a type. */
interface FileContent {
  readonly bytes: Buffer;
  readonly mimeType: string;
  /** The URI that the tool gave the resource. */
  readonly uri?: string;
}

/** Returns the file of an image, audio or resource block; undefined for other blocks. */
export function contentOf(block: ContentBlock): FileContent | undefined {
  const { type, data, mimeType } = block;
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    return { bytes: Buffer.from(data, 'base64'), mimeType: textOr(mimeType, 'application/octet-stream') };
  }
  const resource = type === 'resource' ? (block.resource as Record<string, unknown> | undefined) : undefined;
  if (!resource) return undefined;
  const { blob, text, uri } = resource;
  const bytes = typeof blob === 'string' ? Buffer.from(blob, 'base64') : Buffer.from(textOr(text, ''));
  const fallback = typeof blob === 'string' ? 'application/octet-stream' : 'text/plain';
  return { bytes, mimeType: textOr(resource.mimeType, fallback), ...(typeof uri === 'string' && { uri }) };
}

/** Writes every file of the result into the folder. In the returned result, the path replaces the data of its block. */
export function writeFiles(result: CallToolResult, folder: string, tool: string): CallToolResult {
  const content = result.content.map((block) => {
    const file = contentOf(block);
    if (!file) return block;
    return { type: block.type, mimeType: file.mimeType, file: writeNew(folder, nameOf(file, tool), file.bytes) };
  });
  return { ...result, content };
}

/** Never overwrites a file, because the tool chooses the name. */
function writeNew(folder: string, [stem, extension]: readonly [string, string], bytes: Buffer): string {
  mkdirSync(folder, { recursive: true });
  for (let copy = 0; ; copy++) {
    const path = join(folder, `${stem}${copy === 0 ? '' : `-${copy}`}${extension}`);
    try {
      writeFileSync(path, bytes, { flag: 'wx' });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

const MAX_STEM = 80;

/** Builds a file name from the end of the URI or the tool's name. Without slashes, it cannot leave the folder. */
function nameOf({ uri, mimeType }: FileContent, tool: string): readonly [stem: string, extension: string] {
  const last = uri?.split(/[?#]/, 1)[0]?.split('/').at(-1);
  const name = fileName(last ?? '') || fileName(tool) || 'result';
  const [, stem = name, extension] = /^(.+)(\.[A-Za-z0-9]{1,8})$/.exec(name) ?? [];
  return [stem.slice(0, MAX_STEM), extension ?? `.${EXTENSIONS.get(mimeType) ?? subtypeOf(mimeType)}`];
}

function fileName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '_').replace(/^[.-]+/, '');
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/svg+xml', 'svg'],
  ['audio/mpeg', 'mp3'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['application/octet-stream', 'bin'],
]);

/** For most types the subtype is the usual extension: `image/png` → `png`. */
function subtypeOf(mimeType: string): string {
  return /^[\w-]+\/(?:x-)?([A-Za-z0-9]{1,8})(?:;|$)/.exec(mimeType)?.[1] ?? 'bin';
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
