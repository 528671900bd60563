import type { ConfigFormat } from '../model/formats.js';

/** `${name}`, with the name as the first group. */
export const PLACEHOLDER = /\$\{([^}]*)\}/g;

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
