import { isRecord } from '../json.js';
import { isWindowUri, parseWindowUri, type WindowUri, withoutQuery } from './window-uri.js';

/**
 * The generation of the desktop's text form. Window metadata is in the query of the URI (`0.1`) or in the annotations
 * and `_meta` of the resource (`0.3`). Both are always read.
 */
export type DesktopGeneration = '0.1' | '0.3';

/** An MCP resource with a `window://` URI. Annotations and `_meta` are untrusted. */
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

/** A window with its contents. */
export interface Window {
  /** The name of the MCP server. */
  readonly server: string;
  readonly resource: WindowResource;
  readonly contents: readonly WindowContent[];
}

/** How a window is arranged. */
export interface WindowMetadata {
  /** From 0 to 1, in both generations. */
  readonly priority: number;
  readonly fullscreen: boolean;
}

/** The metadata of the resource, or otherwise that of its URI. */
export function windowMetadata(resource: WindowResource): WindowMetadata {
  const fromUri = readUri(resource.uri);
  const annotated = isRecord(resource.annotations) ? resource.annotations.priority : undefined;
  const marked = isRecord(resource._meta) ? resource._meta.fullscreen : undefined;
  return {
    priority: annotated === undefined || annotated === null ? (fromUri.priority ?? 0) / 100 : unitInterval(annotated),
    fullscreen: typeof marked === 'boolean' ? marked : (fromUri.fullscreen ?? false),
  };
}

/** What is wrong with the metadata of a window. It is shown all the same. */
export function windowProblems({ uri, annotations, _meta }: WindowResource): readonly string[] {
  const { priority, audience } = isRecord(annotations) ? annotations : {};
  const fullscreen = isRecord(_meta) ? _meta.fullscreen : undefined;
  const isSet = (value: unknown) => value !== undefined && value !== null;
  const isForOthers = Array.isArray(audience) && !audience.includes('assistant');
  return [
    ...(isSet(priority) && !isUnitInterval(priority)
      ? ['its priority is not a number from 0 to 1 and counts as 0']
      : []),
    ...(isSet(fullscreen) && typeof fullscreen !== 'boolean' ? ['its _meta.fullscreen is neither true nor false'] : []),
    ...(isForOthers ? ['its audience does not include "assistant"'] : []),
  ].map((problem) => `window ${uri}: ${problem}`);
}

/** An invalid query is ignored; the window is kept. */
function readUri(uri: string): WindowUri {
  return parseWindowUri(isWindowUri(uri) ? uri : withoutQuery(uri));
}

function unitInterval(priority: unknown): number {
  return isUnitInterval(priority) ? priority : 0;
}

function isUnitInterval(priority: unknown): priority is number {
  return typeof priority === 'number' && priority >= 0 && priority <= 1;
}

/** Options of `organiseDesktop`. */
export interface DesktopOptions {
  /** The maximum number of windows; absent means all. */
  readonly size?: number | undefined;
  /** Only the window with this URI. */
  readonly window?: string | undefined;
  /** The MCP servers of past tool calls, oldest first. The most recently used server is shown first. */
  readonly history?: readonly string[];
  /** `0.1` by default. */
  readonly generation?: DesktopGeneration;
}

interface Candidate extends Window {
  readonly metadata: WindowMetadata;
}

/**
 * Arranges windows as the texts of a desktop. The most recently used server comes first, unused ones follow by name;
 * the windows of a server are ordered by priority. A fullscreen window hides the other windows of its server.
 *
 * @example
 * ```ts
 * const windows = [
 *   { server: 'notes', resource: { uri: 'window://notes/today?priority=40' }, contents: [{ text: 'buy milk' }] },
 * ];
 * organiseDesktop(windows, { size: 5 }); // ['window://notes/today?priority=40\n\nbuy milk']
 * ```
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

/** The windows with this URI; if there is none, those whose normalised URI is the same. All windows without a URI. */
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
  // The newer generation ignores the query and leaves out windows without text.
  return isWindowUri(withoutQuery(resource.uri)) && contents.some(({ text }) => text !== undefined);
}

function serverOrder(servers: readonly string[], history: readonly string[]): string[] {
  const present = new Set(servers);
  const recent = history.toReversed().filter((server) => present.has(server));
  return [...new Set([...recent, ...servers.toSorted(compare)])];
}

/** Compares code units, so that the order does not depend on the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function arrange(windows: readonly Candidate[], generation: DesktopGeneration): readonly Candidate[] {
  const byPriority = windows.toSorted((a, b) => b.metadata.priority - a.metadata.priority);
  // Of several fullscreen windows, the older generation shows the one with the highest priority, the newer one the
  // first.
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
