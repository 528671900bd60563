import { z } from 'zod';
import type { RequestEvent } from './events.js';
import { isRecord, withoutNulls } from './json.js';
import { MAX_TOOLS } from './limits.js';
import type { A2CResource, A2CSkillRef, SessionInfo, SMCPTool } from './messages/answers.js';
import type { ResultOf } from './messages/contract.js';
import { readToolResult } from './tool-result.js';
import { scalar } from './tools.js';

/** Events whose answer is an object. The others are acknowledged with `[ok, reason]` or with nothing. */
export type AnsweredEvent = { [E in RequestEvent]: ResultOf<E> extends undefined ? never : E }[RequestEvent];

const record = z.custom<Record<string, unknown>>(isRecord, 'expected an object');

/** A list from which invalid items are dropped: one malformed item must not hide the others. */
function lenientArray<T>(item: z.ZodType<T>, max = Number.POSITIVE_INFINITY) {
  return z
    .array(z.unknown(), 'expected an array')
    .default([])
    .transform((items) =>
      items.slice(0, max).flatMap((value) => {
        const parsed = item.safeParse(isRecord(value) ? withoutNulls(value) : value);
        return parsed.success ? [parsed.data] : [];
      }),
    );
}

const tool: z.ZodType<SMCPTool> = z.looseObject({
  name: z.string().min(1),
  bundle_id: z.string().exactOptional(),
  description: z.string().catch(''),
  params_schema: record.catch(() => ({ type: 'object' })),
  return_schema: record.nullable().catch(null),
  meta: z.record(z.string(), z.unknown().transform(scalar)).catch({}),
});

/** The Rust Computer sends its servers as `[name, active, state]` rows instead of a map of configurations. */
const serverRows = z
  .array(z.tuple([z.string(), z.boolean(), z.string()]))
  .transform((rows) => Object.fromEntries(rows.map(([name, active, state]) => [name, { name, active, state }])));

const session: z.ZodType<SessionInfo> = z.looseObject({
  sid: z.string(),
  name: z.string(),
  role: z.enum(['agent', 'computer']),
  office_id: z.string(),
  a2c_version: z.string().exactOptional(),
  epoch: z.string().exactOptional(),
});

const toolResult = z
  .looseObject({
    content: z.array(z.unknown(), 'expected an array').exactOptional(),
    isError: z.boolean('expected true or false').exactOptional(),
    is_error: z.boolean('expected true or false').exactOptional(),
  })
  // Without this check, a failure in an unknown form would look like a successful empty result.
  .refine(
    (answer) => ['content', 'structuredContent', 'isError', 'is_error'].some((field) => field in answer),
    'expected a tool result',
  )
  .transform(readToolResult);

const resource: z.ZodType<A2CResource> = z.looseObject({ uri: z.string(), name: z.string() });

const skill: z.ZodType<A2CSkillRef> = z.looseObject({
  name: z.string(),
  source: z.string().catch(''),
  path: z.string().catch(''),
  description: z.string().catch(''),
});

const size = z.int('expected a whole number').min(0);

export const answerSchemas: { readonly [E in AnsweredEvent]: z.ZodType<ResultOf<E>> } = {
  'client:tool_call': toolResult,
  'client:get_tools': z.looseObject({ tools: lenientArray(tool, MAX_TOOLS), req_id: z.string('expected a string') }),
  'client:get_config': z.looseObject({
    servers: z.union([record, serverRows], 'expected the servers by name'),
    inputs: z.array(z.unknown(), 'expected an array').exactOptional(),
  }),
  'client:get_desktop': z.looseObject({ desktops: lenientArray(z.string()), req_id: z.string('expected a string') }),
  'client:get_resources': z.looseObject({
    resources: lenientArray(resource),
    next_cursor: z.string('expected a string').exactOptional(),
    req_id: z.string('expected a string'),
  }),
  'client:get_skills': z.looseObject({ skills: lenientArray(skill), req_id: z.string('expected a string') }),
  'client:get_skill': z
    .looseObject({
      name: z.string('expected a string'),
      rel_path: z.string('expected a string'),
      mime_type: z.string().catch('application/octet-stream'),
      total_size: size,
      sha256: z.string('expected a string'),
      body: z.string('expected a string').exactOptional(),
      blob_handle: z.string('expected a string').exactOptional(),
      req_id: z.string('expected a string'),
    })
    .refine(({ body, blob_handle }) => (body === undefined) !== (blob_handle === undefined), {
      error: 'expected either "body" or "blob_handle"',
      path: ['body'],
    }),
  'client:put_blob': z.looseObject({
    upload_id: z.string('expected a string'),
    chunk_offset: size,
    req_id: z.string('expected a string'),
    landing_path: z.string('expected a string').exactOptional(),
    total_size: size.exactOptional(),
    sha256: z.string('expected a string').exactOptional(),
  }),
  'client:get_blob': z.looseObject({
    blob_handle: z.string('expected a string'),
    mime_type: z.string().catch('application/octet-stream'),
    total_size: size,
    sha256: z.string('expected a string'),
    chunk_offset: size,
    eof: z.boolean('expected true or false'),
    blob: z.string('expected a string'),
    req_id: z.string('expected a string'),
  }),
  'server:list_room': z.looseObject({ sessions: lenientArray(session), req_id: z.string('expected a string') }),
};
