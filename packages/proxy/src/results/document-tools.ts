import { isRecord } from '@a2c/protocol';
import { wordsOf } from '../search/words.js';
import type { ToolboxTool } from '../toolbox.js';

/** The call whose result is rendered. */
export interface RenderedCall {
  readonly tool: Pick<ToolboxTool, 'name' | 'title' | 'description'>;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const FILE = new Set(wordsOf('file filename filepath filesystem'));
/** What is done with a file as a whole, or what is returned of it. */
const READING = new Set(wordsOf('read reads view cat open download content contents text raw source'));

/** Words of names of tools that return data about files and not the files. */
const LISTING = new Set(wordsOf('list tree directory folder search find info metadata statistics'));

/** Files whose text is JSON. */
const JSON_FILE =
  /\.(?:json[c5l]?|jsonld|geojson|topojson|ipynb|har|map|webmanifest|code-workspace|lock|avsc|tfstate)$/i;
const PATH = /^(?:file:\/\/|~?\.{0,2}\/|[a-z]:[\\/])|^[\w.-]+(?:[\\/][\w.@ -]+)*\.\w{1,8}$/i;

/**
 * Whether the text of the result is a document that was asked for as it is, to be quoted or edited: a JSON file that an
 * argument names, or any file of a tool whose text says that it reads files. Everything else is data.
 */
export function returnsDocument({ tool, arguments: args }: RenderedCall): boolean {
  const values = textsIn(args);
  if (values.some((value) => JSON_FILE.test(value))) return true;
  if (returnsListing({ tool })) return false;
  const name = wordsOf(`${tool.name} ${tool.title ?? ''}`);
  const words = [...name, ...wordsOf(firstSentence(tool.description ?? ''))];
  const isAboutFiles = name.some((word) => FILE.has(word)) || values.some((value) => PATH.test(value));
  return isAboutFiles && words.some((word) => FILE.has(word)) && words.some((word) => READING.has(word));
}

/** Whether the tool lists or describes files: `directory_tree`, `get_file_info`. */
export function returnsListing({ tool }: Pick<RenderedCall, 'tool'>): boolean {
  return wordsOf(tool.name).some((word) => LISTING.has(word));
}

/** The texts that the structured content holds itself: such a text is a value and not data. */
export function textsOf(structure: unknown): ReadonlySet<unknown> {
  return new Set(isRecord(structure) ? Object.values(structure).filter((value) => typeof value === 'string') : []);
}

/** Texts in arguments and in lists of them; deeper ones are rarely names of files. */
function textsIn(args: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(args)
    .flat()
    .filter((value): value is string => typeof value === 'string' && value.length < 1_024);
}

function firstSentence(text: string): string {
  return text.slice(0, 300).split(/[.!?](?:\s|$)|\n\n/, 1)[0] ?? '';
}
