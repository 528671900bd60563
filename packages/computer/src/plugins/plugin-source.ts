import { isRecord } from '@a2c/protocol';
import { isPathBelow } from '../skills/confined-file.js';

/** Where the files of a plugin are: below the marketplace, or in a repository of its own. */
export type PluginSource =
  | { readonly kind: 'local'; readonly path: string }
  | {
      readonly kind: 'git';
      readonly url: string;
      readonly ref?: string;
      readonly sha?: string;
      /** The folder of the plugin in its repository; empty for all of it. */
      readonly path: string;
    };

const HOSTS: Readonly<Record<string, string>> = { github: 'github.com', cnb: 'cnb.cool' };
const SHORT = /^[\w.-]+\/[\w.-]+$/;

/**
 * Reads the `source` of an entry in a catalogue.
 *
 * @throws Error for any other form.
 */
export function pluginSource(source: unknown, catalogue: Readonly<Record<string, unknown>>): PluginSource {
  if (typeof source === 'string') return { kind: 'local', path: inside(localPath(source, catalogue)) };
  if (!isRecord(source)) throw new Error('its "source" is neither a path nor an object');
  const url = gitUrl(source);
  const { ref, sha, path } = source;
  if (ref !== undefined && (typeof ref !== 'string' || !/^[\w./-]+$/.test(ref) || ref.startsWith('-')))
    throw new Error('its "ref" is not the name of a branch or tag');
  if (sha !== undefined && (typeof sha !== 'string' || !/^[0-9a-f]{40}$/i.test(sha)))
    throw new Error('its "sha" is not a full commit id');
  return {
    kind: 'git',
    url,
    ...(typeof ref === 'string' && { ref }),
    ...(typeof sha === 'string' && { sha: sha.toLowerCase() }),
    path: source.source === 'git-subdir' ? inside(String(path ?? '').replace(/^\.\//, '')) : '',
  };
}

function gitUrl({ source, url, repo }: Readonly<Record<string, unknown>>): string {
  if (source === 'url' && typeof url === 'string') return url;
  if (source === 'git-subdir' && typeof url === 'string')
    return SHORT.test(url) ? `https://github.com/${url}.git` : url;
  const host = typeof source === 'string' ? HOSTS[source] : undefined;
  if (host && typeof repo === 'string' && SHORT.test(repo)) return `https://${host}/${repo.replace(/\.git$/, '')}.git`;
  throw new Error('its "source" is not one of: a path, url, github, cnb, git-subdir');
}

/** A bare name is below `pluginRoot`; a path that starts with `./` is below the marketplace. */
function localPath(source: string, { metadata }: Readonly<Record<string, unknown>>): string {
  const root = isRecord(metadata) && typeof metadata.pluginRoot === 'string' ? metadata.pluginRoot : './plugins';
  return source.startsWith('./') ? source : `${root}/${source}`;
}

function inside(path: string): string {
  const clean = path.replace(/^\.\//, '').replace(/\/$/, '');
  if (!isPathBelow(clean)) throw new Error(`its source "${clean}" is not a path inside the repository`);
  return clean;
}
