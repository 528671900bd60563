import { z } from 'zod';
import { closed } from './vocabulary.js';

/** Both spellings of each tag: the Python and VS Code one, and the Rust one. */
const id = z.string().regex(/^[^}]+$/, 'must not be empty or contain "}"');
const description = z.string().nullish();
const args = z.record(z.string(), z.string()).nullish();

const promptString = closed({
  type: z.enum(['promptString', 'PromptString']),
  id,
  description,
  default: z.string().nullish(),
  password: z.boolean().nullish(),
});

const pickString = closed({
  type: z.enum(['pickString', 'PickString']),
  id,
  description,
  options: z.array(z.string()).nullish(),
  default: z.string().nullish(),
});

const command = closed({
  type: z.enum(['command', 'Command']),
  id,
  description,
  command: z.string().regex(/\S/, 'must not be blank'),
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
