import { sep } from 'node:path';
import type { JsonValue } from '../json/json-value.js';
import type { ConfigFormat } from '../model/formats.js';
import { keepsUnknownPlaceholders, placeholdersIn } from './syntax.js';

/** Resolves inputs; `InputResolver` implements it. */
export interface InputSource {
  /** Whether an input with this id is defined. */
  has(id: string): boolean;
  /** The value of a defined input. */
  resolve(id: string): Promise<JsonValue>;
}

/** Where the values of placeholders come from. */
export interface PlaceholderContext {
  /** The format of the text. It decides how unknown placeholders are treated. */
  readonly format: ConfigFormat;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The value of `${MCP_ROOT}`, `${CLAUDE_PLUGIN_ROOT}` and `${workspaceFolder}`. */
  readonly root: string;
  /** The value of `${userHome}`. */
  readonly home: string;
  /** The values of `${input:id}`. An id for which `has` returns false is not expanded, with a warning. */
  readonly inputs?: InputSource;
  /** Receives warnings about placeholders that are not expanded. */
  readonly warn: (message: string) => void;
}

/** A placeholder cannot be expanded. The message names the placeholder, but not the text around it. */
export class PlaceholderError extends Error {
  override readonly name = 'PlaceholderError';
}

/** Values nested deeper than this are not expanded; the root is level 0. */
export const MAX_PLACEHOLDER_DEPTH = 10;

const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Expands the placeholders in every text of a JSON value; keys are not expanded. A text that consists of one
 * placeholder takes the value with its type; otherwise values are inserted as text. Inserted values are not expanded
 * again.
 *
 * @throws PlaceholderError when a variable is not set or a placeholder is malformed.
 */
export async function expandPlaceholders(value: JsonValue, context: PlaceholderContext, depth = 0): Promise<JsonValue> {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return value;
  if (depth > MAX_PLACEHOLDER_DEPTH) {
    context.warn(`placeholders nested deeper than ${MAX_PLACEHOLDER_DEPTH} levels are not expanded`);
    return value;
  }
  if (typeof value === 'string') return expandText(value, context);
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) items.push(await expandPlaceholders(item, context, depth + 1));
    return items;
  }
  const entries: [string, JsonValue][] = [];
  for (const [key, inner] of Object.entries(value))
    entries.push([key, await expandPlaceholders(inner, context, depth + 1)]);
  return Object.fromEntries(entries);
}

async function expandText(text: string, context: PlaceholderContext): Promise<JsonValue> {
  const matches = placeholdersIn(text);
  const last = matches.at(-1);
  const rest = text.slice(last ? last.index + last[0].length : 0);
  if (rest.includes('${') && !keepsUnknownPlaceholders(context.format)) {
    throw new PlaceholderError('a "${" is never closed');
  }
  if (matches.length === 1 && last?.[0] === text) return valueOfPlaceholder(last, context);
  let expanded = '';
  let from = 0;
  for (const match of matches) {
    const value = await valueOfPlaceholder(match, context);
    expanded += text.slice(from, match.index) + (typeof value === 'string' ? value : JSON.stringify(value));
    from = match.index + match[0].length;
  }
  return expanded + text.slice(from);
}

/** The definition of every placeholder; docs/config/placeholders.md lists them. */
async function valueOfPlaceholder(
  [placeholder, name = '']: RegExpExecArray,
  context: PlaceholderContext,
): Promise<JsonValue> {
  const { format, env, root, home, inputs, warn } = context;
  if (name.startsWith('input:')) {
    const id = name.slice('input:'.length);
    if (inputs?.has(id)) return inputs.resolve(id);
    warn(`input "${id}" is not defined; its placeholder is not expanded`);
    return placeholder;
  }
  if (name.startsWith('env:')) return variable(name.slice('env:'.length), undefined, env);
  if (name === 'MCP_ROOT' || name === 'CLAUDE_PLUGIN_ROOT' || name === 'workspaceFolder') return root;
  if (name === 'userHome') return home;
  if (name === 'pathSeparator' && keepsUnknownPlaceholders(format)) return sep;
  if (keepsUnknownPlaceholders(format)) {
    // Only the name is shown: a default after it may be a secret.
    warn(`\${${/^\w*/.exec(name)?.[0]}…} is not a placeholder of this format and is not expanded`);
    return placeholder;
  }
  const [, variableName, fallback] = VARIABLE.exec(name) ?? [];
  if (variableName === undefined) throw new PlaceholderError('a placeholder has a name that is not allowed');
  return variable(variableName, fallback, env);
}

function variable(name: string, fallback: string | undefined, env: PlaceholderContext['env']): string {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  // As in a shell, the default of `:-` also applies to a variable that is set but empty.
  if (fallback !== undefined && !value) return fallback;
  if (value === undefined) throw new PlaceholderError(`the environment variable ${name} is not set`);
  return value;
}
