import type { JsonValue } from '../json/json-value.js';
import type { ConfigFormat } from '../model/formats.js';

/** Where the values of placeholders come from. */
export interface PlaceholderContext {
  /** The format the text came from: each has its own idea of what is a placeholder. */
  readonly format: ConfigFormat;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `${MCP_ROOT}`, `${CLAUDE_PLUGIN_ROOT}`, `${workspaceFolder}`. */
  readonly root: string;
  /** `${userHome}`. */
  readonly home: string;
  /** `${input:id}`; `has` tells an unknown id from one that cannot be had. */
  readonly inputs?: { has(id: string): boolean; resolve(id: string): Promise<JsonValue> };
  readonly warn: (message: string) => void;
}

/** A placeholder that cannot be filled in. The message names it and never the text around it. */
export class PlaceholderError extends Error {
  override readonly name = 'PlaceholderError';
}

/** Beyond this many levels a value is left as it is; the root is level 0. */
export const MAX_PLACEHOLDER_DEPTH = 10;

const PLACEHOLDER = /\$\{([^}]*)\}/g;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Fills in the placeholders of every text in a JSON value; keys and other values stay. A text that is exactly one
 * placeholder becomes its value with its own type, otherwise values are inserted as text. What was inserted is not looked
 * at again, so a value cannot smuggle in a placeholder.
 */
export async function expandPlaceholders(value: JsonValue, context: PlaceholderContext, depth = 0): Promise<JsonValue> {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return value;
  if (depth > MAX_PLACEHOLDER_DEPTH) {
    context.warn(`placeholders deeper than ${MAX_PLACEHOLDER_DEPTH} levels are left as they are`);
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
  const matches = [...text.matchAll(PLACEHOLDER)];
  const last = matches.at(-1);
  const rest = text.slice(last ? last.index + last[0].length : 0);
  if (rest.includes('${') && !isOpen(context.format)) throw new PlaceholderError('a "${" is never closed');
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

/** The one place that knows every placeholder; docs/config/placeholders.md is its table. */
async function valueOfPlaceholder(
  [whole, name = '']: RegExpExecArray,
  context: PlaceholderContext,
): Promise<JsonValue> {
  const { format, env, root, home, inputs, warn } = context;
  if (name.startsWith('input:')) {
    const id = name.slice('input:'.length);
    if (inputs?.has(id)) return inputs.resolve(id);
    warn(`input "${id}" is not defined; its placeholder is left as it is`);
    return whole;
  }
  if (name.startsWith('env:')) return variable(name.slice('env:'.length), undefined, env);
  if (name === 'MCP_ROOT' || name === 'CLAUDE_PLUGIN_ROOT' || name === 'workspaceFolder') return root;
  if (name === 'userHome') return home;
  if (isOpen(format)) {
    // Only the name: what follows it may be a default, and a default may be a secret.
    warn(`\${${/^\w*/.exec(name)?.[0]}…} is not a placeholder here and is left as it is`);
    return whole;
  }
  const [, variableName, fallback] = VARIABLE.exec(name) ?? [];
  if (variableName === undefined) throw new PlaceholderError('a placeholder has a name that is not allowed');
  return variable(variableName, fallback, env);
}

function variable(name: string, fallback: string | undefined, env: PlaceholderContext['env']): string {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  // As in a shell, `:-` also stands in for a variable that is set but empty.
  if (fallback !== undefined && !value) return fallback;
  if (value === undefined) throw new PlaceholderError(`the environment variable ${name} is not set`);
  return value;
}

/** These formats keep what they do not know, since `${x}` may be meant for the program that gets the text. */
function isOpen(format: ConfigFormat): boolean {
  return format === 'a2c' || format === 'vscode';
}

export function hasPlaceholder(text: string): boolean {
  return text.includes('${');
}
