import type { ConfigFormat } from '../model/formats.js';

const PLACEHOLDER = /\$\{([^}]*)\}/g;

/** The placeholders `${name}` of a text, with the name as the first group. */
export function placeholdersIn(text: string): readonly RegExpExecArray[] {
  return [...text.slice(0, endOfPlaceholders(text)).matchAll(PLACEHOLDER)];
}

/** Replaces the placeholders of a text. */
export function replacePlaceholders(text: string, replace: (placeholder: string, name: string) => string): string {
  const end = endOfPlaceholders(text);
  return text.slice(0, end).replaceAll(PLACEHOLDER, replace) + text.slice(end);
}

/** No placeholder ends later. For each `${` after it, the rest of the text would be searched in vain. */
function endOfPlaceholders(text: string): number {
  return text.lastIndexOf('}') + 1;
}

export function hasPlaceholder(text: string): boolean {
  return text.includes('${');
}

/**
 * These formats keep an unknown `${x}` as plain text, because it may be meant for the program that receives the text.
 */
export function keepsUnknownPlaceholders(format: ConfigFormat): boolean {
  return format === 'a2c' || format === 'vscode';
}

/** A copy of a JSON-like value in which every string was replaced. Keys are kept. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const map = (inner: unknown): unknown => {
    if (typeof inner === 'string') return change(inner);
    if (Array.isArray(inner)) return inner.map(map);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [key, map(item)]));
  };
  return map(value) as T;
}
