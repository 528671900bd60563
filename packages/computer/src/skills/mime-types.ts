import { extname } from 'node:path';

/** By extension only, so that every machine gives the same answer. */
const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  rst: 'text/x-rst',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  ico: 'image/vnd.microsoft.icon',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  tar: 'application/x-tar',
  wasm: 'application/wasm',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

const TEXT_TYPES = new Set(
  ['json', 'xml', 'yaml', 'x-yaml', 'toml', 'javascript'].map((subtype) => `application/${subtype}`),
);

/** The MIME type of a file name. */
export function mimeTypeOf(name: string): string {
  const extension = extname(name).slice(1).toLowerCase();
  return Object.hasOwn(TYPES, extension) ? (TYPES[extension] as string) : 'application/octet-stream';
}

/** Whether the content of this type is text. Parameters are ignored. */
export function isTextType(mimeType: string): boolean {
  const [type = ''] = mimeType.split(';').map((part) => part.trim().toLowerCase());
  return type.startsWith('text/') || /\+(?:json|xml|yaml)$/.test(type) || TEXT_TYPES.has(type);
}
