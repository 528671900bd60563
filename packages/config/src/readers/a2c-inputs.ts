import { isObject, type JsonPath, type JsonValue } from '../json/json-value.js';
import { environmentNames, type InputDefinition, type InputOption, isOption } from '../model/input-definition.js';
import type { ProblemList } from '../problems.js';
import { checkSchema } from '../schemas/check-schema.js';
import { INPUT_TAGS, inputDefinition, type RawInput } from '../schemas/input-schema.js';
import { lastOfEach } from './reader.js';

export function looksLikeInput(value: JsonValue): boolean {
  return isObject(value) && typeof value.id === 'string' && INPUT_TAGS.includes(String(value.type));
}

export function readInputs(values: readonly JsonValue[], base: JsonPath, problems: ProblemList): InputDefinition[] {
  const entries = values.flatMap((value, index) => {
    const path = [...base, index];
    const input = readInput(value, path, problems);
    return input ? [{ key: input.id, path, item: input }] : [];
  });
  const inputs = lastOfEach(entries, problems, 'input');
  checkEnvironmentNames(inputs, base, problems);
  return inputs;
}

export function readInput(value: JsonValue, path: JsonPath, problems: ProblemList): InputDefinition | undefined {
  const raw = checkSchema(inputDefinition, { problems, base: path, value });
  if (!raw) return undefined;
  const input = toDefinition(raw);
  if (input.type === 'pickString' && input.default !== null && !isOption(input, input.default)) {
    const allowed = input.options.map(({ value: option }) => option);
    problems.error([...path, 'default'], 'the default is not one of the options', { allowed });
  }
  return input;
}

function toDefinition(raw: RawInput): InputDefinition {
  const base = { id: raw.id, description: raw.description ?? '' };
  switch (raw.type) {
    case 'promptString':
    case 'PromptString':
      return { type: 'promptString', ...base, default: raw.default ?? null, password: raw.password ?? false };
    case 'pickString':
    case 'PickString':
      return { type: 'pickString', ...base, options: (raw.options ?? []).map(toOption), default: raw.default ?? null };
    case 'command':
    case 'Command':
      return { type: 'command', ...base, command: raw.command, args: raw.args ?? null };
  }
}

function toOption(option: string | InputOption): InputOption {
  return typeof option === 'string' ? { label: option, value: option } : option;
}

/** One environment variable must not set two inputs. In capitals it is only the second choice. */
function checkEnvironmentNames(inputs: readonly InputDefinition[], base: JsonPath, problems: ProblemList): void {
  const owners = new Map<string, string>();
  for (const { id } of inputs) {
    for (const [index, name] of environmentNames(id).entries()) {
      const owner = owners.get(name) ?? id;
      const isExact = index === 0 && environmentNames(owner)[0] === name;
      const message = `inputs "${owner}" and "${id}" share the environment variable ${name}`;
      if (owner !== id) problems[isExact ? 'error' : 'warn'](base, message);
      owners.set(name, owner);
    }
  }
}
