import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import type { InputDefinition } from '../model/input-definition.js';
import type { ProblemList } from '../problems.js';
import { readInput } from './a2c-inputs.js';
import { entriesOf } from './mcp-servers.js';
import { EMPTY_PARTS, lastOfEach, type Reader } from './reader.js';
import { type EntryDialect, readServerEntries } from './server-entry.js';

const dialect: EntryDialect = {
  lenient: true,
  transportOfUrl: () => 'streamable_http',
  ignoredKeys: ['dev', 'gallery', 'version'],
};
const ROOT_KEYS = ['servers', 'inputs', '$schema'];

/** VS Code's `mcp.json`: `servers` and `inputs`, with comments and trailing commas. */
export const vscodeReader: Reader = {
  format: 'vscode',
  jsonc: true,
  read(value, context) {
    const { problems } = context;
    const { servers = {}, inputs = [], ...rest } = value as JsonObject;
    for (const key of Object.keys(rest)) {
      if (!ROOT_KEYS.includes(key)) problems.unknownKey('warning', [key], ROOT_KEYS);
    }
    if (!isObject(servers)) problems.error(['servers'], 'expected an object with a server under each name');
    if (!Array.isArray(inputs)) problems.error(['inputs'], 'expected a list of inputs');
    return {
      ...EMPTY_PARTS,
      servers: isObject(servers) ? readServerEntries(entriesOf(servers, ['servers']), context, dialect) : [],
      inputs: Array.isArray(inputs) ? readVscodeInputs(inputs, ['inputs'], problems) : [],
    };
  },
};

export function readVscodeInputs(
  inputs: readonly JsonValue[],
  base: JsonPath,
  problems: ProblemList,
): InputDefinition[] {
  const entries = inputs.flatMap((value, index) => {
    const path = [...base, index];
    const input = readInput(toA2cInput(value, path, problems), path, problems);
    return input ? [{ key: input.id, path, item: input }] : [];
  });
  return lastOfEach(entries, problems, 'input');
}

/**
 * Options may be objects with a label in VS Code. A `command` is a command of the editor, not a program, so the person
 * is asked for the value instead.
 */
function toA2cInput(value: JsonValue, path: JsonPath, problems: ProblemList): JsonValue {
  if (!isObject(value)) return value;
  if (value.type === 'command') {
    problems.warn([...path, 'type'], 'only VS Code can run this command; you will be asked for the value instead');
    return { type: 'promptString', id: value.id ?? '', description: value.description ?? '' };
  }
  if (value.type === 'pickString' && Array.isArray(value.options)) {
    const options = value.options.map((option) => {
      if (!isObject(option)) return option;
      const { label = option.value, value: text = label } = option;
      return { label, value: text } as JsonObject;
    });
    return { ...value, options };
  }
  return value;
}
