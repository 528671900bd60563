import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const FOLDER = new URL('../dist/page/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** No script, style or connection but those of this host, and no script that a text could contain. */
const SECURITY_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    'media-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const compress = promisify(gzip);

interface PageFile {
  readonly body: Buffer;
  readonly compressed: Buffer;
  readonly etag: string;
}

/** The files of the page, read once. */
const files = new Map<string, PageFile>();

/** Serves a file of the page. The name is what follows `/console/` in the URL. */
export async function servePage(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [header, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(header, value);
  const path = name === '' ? 'index.html' : name;
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
  const file = type !== undefined && /^(assets\/)?[\w-]+(\.[\w-]+)*$/.test(path) ? await load(path) : undefined;
  if (!file || type === undefined) {
    const isMissing = path === 'index.html';
    response.writeHead(isMissing ? 503 : 404, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(isMissing ? 'The console was not built. Run `npm run build` in the source folder.\n' : 'not found\n');
    return;
  }
  // The names of assets contain a hash of their content.
  const caching = path === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable';
  const headers = { 'Content-Type': type, ETag: file.etag, 'Cache-Control': caching, Vary: 'Accept-Encoding' };
  if (request.headers['if-none-match'] === file.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const isCompressed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  response.writeHead(200, { ...headers, ...(isCompressed && { 'Content-Encoding': 'gzip' }) });
  response.end(request.method === 'HEAD' ? undefined : isCompressed ? file.compressed : file.body);
}

/** Only files that exist are kept: a missing page may be built while the host runs. */
async function load(path: string): Promise<PageFile | undefined> {
  const file = files.get(path) ?? (await read(path));
  if (file) files.set(path, file);
  return file;
}

/** What the file system says of names that are no file of the page. */
const NO_FILE = ['ENOENT', 'ENAMETOOLONG', 'EISDIR', 'ENOTDIR'];

async function read(path: string): Promise<PageFile | undefined> {
  try {
    const body = await readFile(fileURLToPath(new URL(path, FOLDER)));
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    return { body, compressed: await compress(body), etag };
  } catch (error) {
    if (NO_FILE.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
