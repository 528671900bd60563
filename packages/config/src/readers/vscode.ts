import { isObject, type JsonObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import type { InputDefinition } from '../model/input-definition.js';
import type { ProblemList } from '../problems.js';
import { readInput } from './a2c-inputs.js';
import type { ForeignDialect } from './foreign-entry.js';
import { readServerMap } from './mcp-servers.js';
import { lastOfEach, NOTHING, type Reader } from './reader.js';

const dialect: ForeignDialect = {
  lenient: true,
  protocolOfUrl: () => 'streamable_http',
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
      ...NOTHING,
      servers: isObject(servers) ? readServerMap(servers, ['servers'], context, dialect).servers : [],
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
    const input = readInput(asOurs(value, path, problems), path, problems);
    return input ? [{ key: input.id, path, item: input }] : [];
  });
  return lastOfEach(entries, problems, 'input');
}

/**
 * VS Code's options may be objects with a label, and its `command` names a command of the editor, not a program: running
 * it would be wrong, so such an input is asked for instead.
 */
function asOurs(value: JsonValue, path: JsonPath, problems: ProblemList): JsonValue {
  if (!isObject(value)) return value;
  if (value.type === 'command') {
    problems.warn([...path, 'type'], 'only VS Code can run this command; the value will be asked for instead');
    return { type: 'promptString', id: value.id ?? '', description: value.description ?? '' };
  }
  if (value.type === 'pickString' && Array.isArray(value.options)) {
    const options = value.options.map((option) => (isObject(option) ? (option.value ?? option.label ?? null) : option));
    return { ...value, options };
  }
  return value;
}
