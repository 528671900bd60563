import type { ConfigFormat } from '../model/formats.js';
import type { OAuthSettings } from '../model/oauth-settings.js';
import type { ServerConfig, Transport } from '../model/server-config.js';
import { hasPlaceholder } from './syntax.js';

/** The fields of a server that contain a placeholder, as messages name them. */
export function placeholderFields({ transport, origin }: ServerConfig): string[] {
  return expandableTexts(transport, origin.format)
    .filter(([, text]) => hasPlaceholder(text))
    .map(([field]) => field);
}

/** The field that an element of `argv` was written in: v1 has `argv`, the other formats have `command` and `args`. */
export function argvField(format: ConfigFormat, index: number): string {
  if (format === 'v1') return `argv[${index}]`;
  return index === 0 ? 'command' : `args[${index - 1}]`;
}

function expandableTexts(transport: Transport, format: ConfigFormat): [field: string, text: string][] {
  switch (transport.type) {
    case 'stdio':
      return [
        ...transport.argv.map((text, index): [string, string] => [argvField(format, index), text]),
        ...labelled('env', transport.env),
        ...present('cwd', transport.cwd),
        ...present('env_file', transport.env_file),
        ...(transport.sandbox?.read ?? []).map((text): [string, string] => ['sandbox.read', text]),
        ...(transport.sandbox?.write ?? []).map((text): [string, string] => ['sandbox.write', text]),
      ];
    case 'unix':
      return [];
    case 'sse':
      return [['url', transport.url], ...labelled('header', transport.http_headers), ...oauthTexts(transport)];
    case 'streamable_http':
      return [
        ['url', transport.url],
        ...present('sse_url', transport.sse_url),
        ...labelled('header', transport.http_headers),
        ...oauthTexts(transport),
      ];
  }
}

function oauthTexts({ oauth = {} }: { oauth?: OAuthSettings }): [string, string][] {
  return Object.entries(oauth).flatMap(([field, value]) =>
    [value].flat().flatMap((text): [string, string][] => (typeof text === 'string' ? [[`oauth.${field}`, text]] : [])),
  );
}

function labelled(noun: string, map: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(map).map(([key, text]) => [`${noun} ${key}`, text]);
}

function present(field: string, text: string | null): [string, string][] {
  return text === null ? [] : [[field, text]];
}
