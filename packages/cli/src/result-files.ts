import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallToolResult, ContentBlock } from '@a2c/agent';

/** The file in a content block: bytes, or a text with a type. */
interface FileContent {
  readonly bytes: Buffer;
  readonly mimeType: string;
  /** The URI that the tool gave the resource. */
  readonly uri?: string;
}

type FileName = readonly [stem: string, extension: string];

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
export async function writeFiles(result: CallToolResult, folder: string, tool: string): Promise<CallToolResult> {
  const files = new NewFiles(folder);
  const content: ContentBlock[] = [];
  for (const block of result.content) {
    const file = contentOf(block);
    const { type } = block;
    content.push(
      file ? { type, mimeType: file.mimeType, file: await files.write(nameOf(file, tool), file.bytes) } : block,
    );
  }
  return { ...result, content };
}

/** Writes the files of one result. Never overwrites a file, because the tool chooses the names. */
class NewFiles {
  readonly #folder: string;
  /** How often each name was tried: a result may have thousands of files of one name. */
  readonly #tries = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the path of the new file. */
  async write([stem, extension]: FileName, bytes: Buffer): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    const name = `${stem}${extension}`;
    for (;;) {
      const copy = this.#tries.get(name) ?? 0;
      this.#tries.set(name, copy + 1);
      const path = join(this.#folder, copy === 0 ? name : `${stem}-${copy}${extension}`);
      try {
        await writeFile(path, bytes, { flag: 'wx' });
        return path;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }
}

const MAX_STEM = 80;

/** Builds a file name from the end of the URI or the tool's name. Without slashes, it cannot leave the folder. */
function nameOf({ uri, mimeType }: FileContent, tool: string): FileName {
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
