import { isRecord } from '@a2c/protocol';
import { splitMark } from '../text/tool-marks.js';
import type { ToolboxServer, ToolboxTool } from '../toolbox.js';

/** A part of a tool that is searched, and how much a word in it counts. */
export interface Field {
  readonly weight: number;
  /** How much a long text dilutes each of its words: 0 not at all, 1 in full. */
  readonly dilution: number;
}

export const FIELDS = {
  name: { weight: 4, dilution: 0.4 },
  title: { weight: 2.5, dilution: 0.4 },
  summary: { weight: 1.8, dilution: 0.5 },
  description: { weight: 0.5, dilution: 0.75 },
  parameters: { weight: 0.6, dilution: 0.75 },
  values: { weight: 0.25, dilution: 0.75 },
  server: { weight: 1.4, dilution: 0.5 },
  /** What people say for the words of the name. */
  nameHints: { weight: 1.4, dilution: 0.5 },
  /** What people say for the words of the summary. */
  summaryHints: { weight: 0.4, dilution: 0.5 },
} as const satisfies Record<string, Field>;

type FieldName = keyof typeof FIELDS;
/** The fields whose texts the tool has. */
export type TextField = Exclude<FieldName, 'nameHints' | 'summaryHints'>;

/** Words in the names of servers that say nothing about them. */
const GENERIC = /mcp|server/gi;

/** The name of a server without words that many have. */
export function productName(server: ToolboxServer): string {
  return server.name.slice(0, MAX_LABEL).replaceAll(GENERIC, ' ');
}

/** Longer texts are cut: what a tool is for is said at the beginning. */
const MAX_DESCRIPTION = 1_000;
const MAX_LABEL = 300;
const MAX_PARAMETERS = 30;
/** Only the texts of the first parameters are searched. */
const MAX_EXPLAINED = 12;
const MAX_PARAMETER_TEXT = 100;
const MAX_ENUM = 20;

/** The texts of a tool by field. Each parameter is a text of its own, because many tools have the same. */
export interface ToolTexts {
  readonly texts: Readonly<Record<TextField, readonly string[]>>;
  /** The name of the tool, with its compound words taken apart. */
  readonly spacedName: string;
}

export function fieldsOf(server: ToolboxServer, tool: ToolboxTool): ToolTexts {
  const description = splitMark(tool.description ?? '').text.slice(0, MAX_DESCRIPTION);
  const summary = firstSentence(description);
  const parameters = parametersOf(tool.inputSchema);
  const name = tool.name.slice(0, MAX_LABEL);
  const compounds = compoundsOf(name, summary);
  return {
    texts: {
      name: [name, ...compounds.values()],
      title: [tool.title ?? '', tool.annotations?.title ?? ''].map((title) => title.slice(0, MAX_LABEL)),
      summary: [summary],
      description: [description.slice(summary.length)],
      parameters: parameters.names,
      values: parameters.texts,
      server: [productName(server), firstSentence((server.instructions ?? '').slice(0, MAX_DESCRIPTION))],
    },
    spacedName: compounds.size === 0 ? name : name.replaceAll(LONG_WORD, (word) => compounds.get(word) ?? word),
  };
}

const LONG_WORD = /[a-z]{7,}/gi;
const MIN_PART = 3;
const NO_COMPOUNDS: ReadonlyMap<string, string> = new Map();

/** The words that a name has without a space and the description with one: `keyvault` and "key vault". */
function compoundsOf(name: string, description: string): ReadonlyMap<string, string> {
  const words = name.toLowerCase().match(LONG_WORD);
  if (!words) return NO_COMPOUNDS;
  const compounds = new Map<string, string>();
  const text = description.toLowerCase();
  const unspaced = text.replaceAll(' ', '');
  for (const word of words) {
    if (!unspaced.includes(word)) continue;
    for (let at = MIN_PART; at <= word.length - MIN_PART; at += 1) {
      const parts = `${word.slice(0, at)} ${word.slice(at)}`;
      if (text.includes(parts)) compounds.set(word, parts);
    }
  }
  return compounds;
}

function firstSentence(text: string): string {
  const end = /[.!?。！？](?=\s|$)|\n\s*\n/u.exec(text);
  return text.slice(0, end ? end.index + 1 : 300).slice(0, 300);
}

/** The names of the parameters, those inside an object or a list of objects too, and the texts of the first ones. */
function parametersOf(schema: unknown): { readonly names: readonly string[]; readonly texts: readonly string[] } {
  const names: string[] = [];
  const texts: string[] = [];
  if (!isRecord(schema) || !isRecord(schema.properties)) return { names, texts };
  for (const name of Object.keys(schema.properties).slice(0, MAX_PARAMETERS)) {
    const value = schema.properties[name];
    if (names.length < MAX_EXPLAINED) texts.push(textOf(value));
    names.push(name.slice(0, MAX_PARAMETER_TEXT));
    const inner = isRecord(value) && isRecord(value.items) ? value.items : value;
    if (!isRecord(inner) || !isRecord(inner.properties)) continue;
    for (const key of Object.keys(inner.properties).slice(0, MAX_PARAMETERS)) {
      names.push(key.slice(0, MAX_PARAMETER_TEXT));
    }
  }
  return { names, texts };
}

function textOf(schema: unknown): string {
  if (!isRecord(schema)) return '';
  const description = typeof schema.description === 'string' ? schema.description.slice(0, MAX_PARAMETER_TEXT) : '';
  if (!Array.isArray(schema.enum)) return description;
  const choices = schema.enum.slice(0, MAX_ENUM);
  const texts = choices.filter((choice) => typeof choice === 'string' || typeof choice === 'number');
  return [description, ...texts.map((text) => String(text).slice(0, MAX_PARAMETER_TEXT))].join(' ');
}
