import { isRecord } from '@a2c/protocol';
import type { LISTS } from './list-all.js';

/** Receives the path of each field that is left out. */
type Wrong = (path: string) => void;

/** Returns the valid part of a value; undefined if there is none. */
type Read = (value: unknown, path: string, wrong: Wrong) => unknown;

function is(isValid: (value: unknown) => boolean): Read {
  return (value, path, wrong) => {
    if (isValid(value)) return value;
    if (value !== null && value !== undefined) wrong(path); // Many servers write null for a field they do not have.
    return undefined;
  };
}

/** A value without wrong fields is returned as it is. Fields that are not named are not checked. */
function object(fields: Readonly<Record<string, Read>>, required: readonly string[] = []): Read {
  return (value, path, wrong) => {
    const isValid = isRecord(value) && required.every((field) => typeof value[field] === 'string');
    if (!isValid) return is(() => false)(value, path, wrong);
    const changes = Object.entries(fields)
      .filter(([field]) => Object.hasOwn(value, field))
      .map(([field, read]) => [field, read(value[field], path === '' ? field : `${path}.${field}`, wrong)] as const)
      .filter(([field, valid]) => valid !== value[field]);
    if (changes.length === 0) return value;
    const valid = { ...value, ...Object.fromEntries(changes) };
    for (const [field, change] of changes) if (change === undefined) delete valid[field];
    return valid;
  };
}

function list(read: Read): Read {
  return (value, path, wrong) => {
    if (!Array.isArray(value)) return is(() => false)(value, path, wrong);
    const valid = value.map((item) => read(item, path, wrong)).filter((item) => item !== undefined);
    return valid.every((item, index) => item === value[index]) && valid.length === value.length ? value : valid;
  };
}

const text = is((value) => typeof value === 'string');
const truth = is((value) => typeof value === 'boolean');
const record = is(isRecord);
const oneOf = (...values: readonly unknown[]): Read => is((value) => values.includes(value));

const icons = list(object({ mimeType: text, sizes: list(text), theme: text }, ['src']));
const shown = { title: text, description: text, icons, _meta: record };
const annotations = object({
  audience: list(text),
  priority: is((value) => typeof value === 'number'),
  lastModified: text,
});
const argument = object({ title: text, description: text, required: truth }, ['name']);

/** What MCP says about the optional fields of the items of its lists. */
const ITEMS: Readonly<Record<keyof typeof LISTS, Read>> = {
  tools: object({
    ...shown,
    outputSchema: record,
    annotations: object({
      title: text,
      readOnlyHint: truth,
      destructiveHint: truth,
      idempotentHint: truth,
      openWorldHint: truth,
    }),
    execution: object({ taskSupport: oneOf('required', 'optional', 'forbidden') }),
  }),
  resources: object({ ...shown, mimeType: text, size: is((value) => typeof value === 'number'), annotations }),
  resourceTemplates: object({ ...shown, mimeType: text, annotations }),
  prompts: object({ ...shown, arguments: list(argument) }),
};

/**
 * Leaves out optional fields of the wrong type. Everything after it, and many clients, rely on the types: one number
 * instead of a text would end the list of all servers.
 */
export function withValidFields<T extends Readonly<Record<string, unknown>>>(
  kind: keyof typeof LISTS,
  item: T,
  wrong: Wrong = () => {},
): T {
  return ITEMS[kind](item, '', wrong) as T;
}
