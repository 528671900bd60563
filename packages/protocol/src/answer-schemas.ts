import { z } from 'zod';
import { isRecord } from './errors.js';
import type { RequestEvent } from './events.js';
import type { ResultOf, SMCPTool } from './messages.js';
import { readToolResult } from './tool-result.js';
import { scalar } from './tools.js';

/** Events whose good answer is an object; the others acknowledge with a verdict or with nothing. */
export type AnsweredEvent = { [E in RequestEvent]: ResultOf<E> extends undefined ? never : E }[RequestEvent];

const record = z.custom<Record<string, unknown>>(isRecord, 'expected an object');

const metaValue = z.unknown().transform(scalar);

const tool: z.ZodType<SMCPTool> = z.looseObject({
  name: z.string('expected a string').min(1, 'must not be empty'),
  description: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  params_schema: record.nullish().transform((schema) => schema ?? { type: 'object' }),
  return_schema: record.nullish().transform((schema) => schema ?? null),
  meta: z
    .record(z.string(), metaValue)
    .nullish()
    .transform((meta) => meta ?? {}),
});

/** The Rust Computer reports its servers as `[name, active, state]` rows instead of a map of configurations. */
const serverRows = z
  .array(z.tuple([z.string(), z.boolean(), z.string()]))
  .transform((rows) => Object.fromEntries(rows.map(([name, active, state]) => [name, { name, active, state }])));

const session = z.looseObject({
  sid: z.string(),
  name: z.string(),
  role: z.enum(['agent', 'computer']),
  office_id: z.string(),
  a2c_version: z.string().exactOptional(),
});

export const answerSchemas: { readonly [E in AnsweredEvent]: z.ZodType<ResultOf<E>> } = {
  'client:tool_call': z
    .looseObject({
      content: z.array(z.unknown(), 'expected an array').exactOptional(),
      isError: z.boolean('expected true or false').exactOptional(),
      is_error: z.boolean('expected true or false').exactOptional(),
    })
    .transform(readToolResult),
  'client:get_tools': z.looseObject({ tools: z.array(tool), req_id: z.string() }),
  'client:get_config': z.looseObject({
    servers: z.union([record, serverRows], 'expected the servers by name'),
    inputs: z.array(z.unknown()).exactOptional(),
  }),
  'client:get_desktop': z.looseObject({ desktops: z.array(z.string()), req_id: z.string() }),
  'server:list_room': z.looseObject({ sessions: z.array(session), req_id: z.string() }),
};
