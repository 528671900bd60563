import { z } from 'zod';
import { inputId as id, notBlank, strictObject } from './field-schemas.js';

const description = z.string().nullish();
const args = z.record(z.string(), z.string()).nullish();

const OPTION_ERROR = 'expected a text, or an object with "label" and "value"';

// Each type has two spellings: that of Python and VS Code, and that of Rust.
const promptString = strictObject({
  type: z.enum(['promptString', 'PromptString']),
  id,
  description,
  default: z.string().nullish(),
  password: z.boolean().nullish(),
});

const pickString = strictObject({
  type: z.enum(['pickString', 'PickString']),
  id,
  description,
  options: z.array(z.union([z.string(), strictObject({ label: notBlank, value: notBlank })], OPTION_ERROR)).nullish(),
  default: z.string().nullish(),
});

const command = strictObject({
  type: z.enum(['command', 'Command']),
  id,
  description,
  command: notBlank,
  args,
});

export const inputDefinition = z.discriminatedUnion('type', [promptString, pickString, command]);
export type RawInput = z.infer<typeof inputDefinition>;

export const INPUT_TAGS: readonly string[] = [promptString, pickString, command].flatMap(
  ({ shape }) => shape.type.options,
);

export const inputsFile = z
  .union([inputDefinition, z.array(inputDefinition)])
  .meta({ title: 'A2C inputs: one definition or a list' });
