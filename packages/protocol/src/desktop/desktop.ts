import { isRecord } from '../errors.js';
import { isWindowUri, parseWindowUri, type WindowUri, withoutQuery } from './window-uri.js';

/**
 * Window metadata has two generations: in the URI's query (`0.1`), or in the resource's annotations and `_meta` (`0.3`).
 * Both are read always; the generation decides how a desktop is shown.
 */
export type DesktopGeneration = '0.1' | '0.3';

/** An MCP resource with a `window://` URI. Annotations come from a stranger's server and may be anything. */
export interface WindowResource {
  readonly uri: string;
  readonly annotations?: unknown;
  readonly _meta?: unknown;
}

/** One item of an MCP `resources/read` answer. */
export interface WindowContent {
  readonly text?: string;
  readonly blob?: string;
}

/** A window as it was discovered: on which server, and what it holds. */
export interface Window {
  readonly server: string;
  readonly resource: WindowResource;
  readonly contents: readonly WindowContent[];
}

export interface WindowMetadata {
  /** 0 to 1, whichever generation it came from. */
  readonly priority: number;
  readonly fullscreen: boolean;
}

/** The resource's own metadata where it has some, else the URI's. */
export function windowMetadata(resource: WindowResource): WindowMetadata {
  const fromUri = readUri(resource.uri);
  const annotated = isRecord(resource.annotations) ? resource.annotations.priority : undefined;
  const marked = isRecord(resource._meta) ? resource._meta.fullscreen : undefined;
  return {
    priority: annotated === undefined || annotated === null ? (fromUri.priority ?? 0) / 100 : unitInterval(annotated),
    fullscreen: typeof marked === 'boolean' ? marked : (fromUri.fullscreen ?? false),
  };
}

/** A query of the older generation that makes no sense says nothing; the window itself is still a window. */
function readUri(uri: string): WindowUri {
  return parseWindowUri(isWindowUri(uri) ? uri : withoutQuery(uri));
}

function unitInterval(priority: unknown): number {
  return typeof priority === 'number' && priority >= 0 && priority <= 1 ? priority : 0;
}

export interface DesktopOptions {
  /** At most this many windows; absent means all. */
  readonly size?: number | undefined;
  /** Only the window with this URI. */
  readonly window?: string | undefined;
  /** Servers of past tool calls, oldest first: what was used last comes first. */
  readonly history?: readonly string[];
  readonly generation?: DesktopGeneration;
}

interface Candidate extends Window {
  readonly metadata: WindowMetadata;
}

/**
 * The desktop an Agent sees, as texts. Servers: most recently used first, the rest by name. Within a server: by priority.
 * A server with a fullscreen window shows that one alone.
 */
export function organiseDesktop(windows: readonly Window[], options: DesktopOptions = {}): string[] {
  const { size = Number.POSITIVE_INFINITY, history = [], generation = '0.1' } = options;
  const candidates = selectWindow(windows, options.window).filter((window) => isShowable(window, generation));
  const byServer = new Map<string, Candidate[]>();
  for (const window of candidates) {
    const candidate = { ...window, metadata: windowMetadata(window.resource) };
    const siblings = byServer.get(window.server);
    if (siblings) siblings.push(candidate);
    else byServer.set(window.server, [candidate]);
  }
  return serverOrder([...byServer.keys()], history)
    .flatMap((server) => arrange(byServer.get(server) ?? [], generation))
    .slice(0, Math.max(0, size))
    .map((window) => render(window, generation));
}

/** An exact URI wins; only where there is none are spellings compared that mean the same. */
export function selectWindow<W extends Window>(windows: readonly W[], uri: string | undefined): readonly W[] {
  if (uri === undefined) return windows;
  const exact = windows.filter(({ resource }) => resource.uri === uri);
  if (exact.length > 0) return exact;
  const wanted = normalised(uri);
  return windows.filter(({ resource }) => normalised(resource.uri) === wanted);
}

function normalised(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri;
}

function isShowable({ resource, contents }: Window, generation: DesktopGeneration): boolean {
  if (contents.length === 0) return false;
  if (generation === '0.1') return isWindowUri(resource.uri);
  // The newer generation has no query to be wrong, and leaves out what it cannot show as text.
  return isWindowUri(withoutQuery(resource.uri)) && contents.some(({ text }) => text !== undefined);
}

function serverOrder(servers: readonly string[], history: readonly string[]): string[] {
  const present = new Set(servers);
  const recent = history.toReversed().filter((server) => present.has(server));
  return [...new Set([...recent, ...servers.toSorted(compare)])];
}

/** By code unit: the order must not depend on the host's locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function arrange(windows: readonly Candidate[], generation: DesktopGeneration): readonly Candidate[] {
  const byPriority = windows.toSorted((a, b) => b.metadata.priority - a.metadata.priority);
  // Of several fullscreen windows the older generation takes the most important, the newer one the first listed.
  const fullscreen = (generation === '0.1' ? byPriority : windows).find(({ metadata }) => metadata.fullscreen);
  return fullscreen ? [fullscreen] : byPriority;
}

function render({ resource, contents }: Window, generation: DesktopGeneration): string {
  const uri = generation === '0.1' ? resource.uri : withoutQuery(resource.uri);
  const body = contents
    .flatMap(({ text }) => (text ? [text] : []))
    .join('\n\n')
    .trim();
  return body === '' ? uri : `${uri}\n\n${body}`;
}
