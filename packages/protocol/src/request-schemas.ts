import { z } from 'zod';
import { MAX_WINDOW_URI_LENGTH } from './desktop/window-uri.js';
import type { NotificationEvent, RequestEvent } from './events.js';
import { type Generation, isGeneration } from './generations.js';
import { isRecord } from './json.js';
import { DEFAULT_TIMEOUT_SECONDS, MAX_PROGRESS_LENGTH, WIRE_LIMITS, type WireLimits } from './limits.js';
import type { NotificationOf, RequestOf } from './messages/contract.js';
import { deceptiveName } from './names.js';

// Objects are loose: unknown fields are kept, so that extensions survive the relay. `parse.ts` has already removed null
// fields and renamed the fields of older peers.

type RequestSchemas = { readonly [E in RequestEvent]: z.ZodType<RequestOf<E>> };
type NotificationSchemas = { readonly [E in NotificationEvent]: z.ZodType<NotificationOf<E>> };

/** An object that is passed on by reference: arguments may be large and are not copied. */
const anyRecord = z.custom<Record<string, unknown>>(isRecord, 'expected an object');

const agentScope = z.looseObject({
  tools: z.array(z.string()).exactOptional(),
  servers: z.array(z.string()).exactOptional(),
});

const role = z.enum(['agent', 'computer'], 'expected "agent" or "computer"');

/** One custom check instead of four zod checks, for speed: most parsed fields are identifiers. */
function identifier(maxLength: number, check?: (text: string) => string | undefined) {
  const problem = (value: unknown) => identifierProblem(value, maxLength, check);
  return z.custom<string>((value) => problem(value) === undefined, { error: ({ input }) => problem(input) ?? '' });
}

function identifierProblem(value: unknown, maxLength: number, check = controlCharacter): string | undefined {
  if (typeof value !== 'string') return 'expected a string';
  if (value === '') return 'must not be empty';
  if (value.length > maxLength) return `must not be longer than ${maxLength} characters`;
  const found = check(value);
  return found && `must not ${found}`;
}

function text(maxLength: number) {
  return z.string('expected a string').max(maxLength, `must not be longer than ${maxLength} characters`);
}

/** Control characters could forge lines in logs. A loop: for the short identifiers of every call it is the fastest. */
function controlCharacter(text: string): string | undefined {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return 'contain control characters';
  }
  return undefined;
}

/** Peers send integers, floats and decimal strings. NaN for anything else. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : Number.NaN;
}

const DECIMAL = /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/;

/** Whole seconds, rounded up, within the limit; the default when absent. */
function seconds({ timeoutSeconds }: WireLimits) {
  const whole = z.unknown().transform((value, context) => {
    const asked = numberOf(value);
    if (asked > 0) return Math.min(Math.ceil(asked), timeoutSeconds);
    context.addIssue({ code: 'custom', message: 'expected a positive number of seconds' });
    return z.NEVER;
  });
  return whole.default(Math.min(DEFAULT_TIMEOUT_SECONDS, timeoutSeconds));
}

const wholeNumber = z.unknown().transform((value, context) => {
  const number = Math.trunc(numberOf(value));
  if (Number.isFinite(number)) return number;
  context.addIssue({ code: 'custom', message: 'expected a number' });
  return z.NEVER;
});

const progressFields = {
  progress: z.number('expected a number'),
  total: z.number('expected a number').exactOptional(),
  message: z.string('expected a string').max(MAX_PROGRESS_LENGTH).exactOptional(),
};

export function requestSchemas(limits: WireLimits): RequestSchemas {
  const id = identifier(limits.identifierLength);
  /** Checked once, when a member joins: other members see these names. */
  const newName = identifier(limits.identifierLength, deceptiveName);
  const longName = identifier(limits.toolNameLength);
  const handle = identifier(limits.handleLength);
  const agentCall = z.looseObject({ agent: id, req_id: id });
  const generation = z.custom<Generation>(isGeneration, 'expected a generation of the protocol');
  const computerRequest = agentCall.extend({
    computer: id,
    agent_generation: generation.exactOptional(),
    agent_scope: agentScope.exactOptional(),
  });
  const update = z.looseObject({ computer: id });
  const displayNames = z.literal('display', 'expected "display"').exactOptional();
  return {
    'client:tool_call': computerRequest.extend({
      tool_name: longName,
      bundle_id: text(limits.toolNameLength).exactOptional(),
      tool_names: displayNames,
      params: anyRecord.default(() => ({})),
      timeout: seconds(limits),
      accept_blobs: z.boolean('expected true or false').exactOptional(),
      progress: z.boolean('expected true or false').exactOptional(),
      repeated_after_ms: wholeNumber.exactOptional(),
      computer_epoch: id.exactOptional(),
    }),
    'client:get_tools': computerRequest.extend({ tool_names: displayNames }),
    'client:get_config': computerRequest,
    'client:get_desktop': computerRequest.extend({
      desktop_size: wholeNumber.exactOptional(),
      window: z.string('expected a string').max(MAX_WINDOW_URI_LENGTH).exactOptional(),
    }),
    'client:get_resources': computerRequest.extend({ mcp_server: longName, cursor: handle.exactOptional() }),
    'client:get_skills': computerRequest,
    // The name and the path are checked by the Computer, which answers 4016 and 4017.
    'client:get_skill': computerRequest.extend({
      name: text(limits.toolNameLength),
      rel_path: text(limits.handleLength).exactOptional(),
    }),
    'client:get_blob': computerRequest.extend({
      blob_handle: handle,
      chunk_offset: wholeNumber.exactOptional(),
      max_chunk_bytes: wholeNumber.exactOptional(),
    }),
    // The values are checked by the Computer, which answers 4019.
    'client:put_blob': computerRequest.extend({
      upload_id: id.exactOptional(),
      chunk_offset: wholeNumber,
      eof: z.boolean('expected true or false'),
      blob: z.string('expected a string'),
      total_size: wholeNumber.exactOptional(),
      sha256: text(limits.identifierLength).exactOptional(),
      name_hint: text(limits.handleLength).exactOptional(),
    }),
    'server:join_office': z.looseObject({ role, name: newName, office_id: newName }),
    'server:leave_office': z.looseObject({ office_id: id, role: role.exactOptional(), name: id.exactOptional() }),
    'server:list_room': agentCall.extend({ office_id: id }),
    'server:tool_call_cancel': agentCall,
    'server:tool_call_progress': agentCall.extend({ computer: id, ...progressFields }),
    'server:update_config': update,
    'server:update_tool_list': update,
    'server:update_desktop': update,
    'server:update_skills': update,
  };
}

/**
 * Whether the schema would return this tool call unchanged. Most requests are such calls, and for them zod takes longer
 * than everything else that the Server does.
 */
export function isPlainToolCall(fields: Readonly<Record<string, unknown>>, limits: WireLimits): boolean {
  const { identifierLength, toolNameLength, timeoutSeconds } = limits;
  let required = 0;
  for (const key in fields) {
    const value = fields[key];
    switch (key) {
      case 'agent':
      case 'req_id':
      case 'computer':
      case 'tool_name':
        required++;
        if (identifierProblem(value, key === 'tool_name' ? toolNameLength : identifierLength) !== undefined)
          return false;
        break;
      case 'params':
        required++;
        if (!isRecord(value)) return false;
        break;
      case 'timeout':
        required++;
        if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > timeoutSeconds) return false;
        break;
      case 'bundle_id':
        if (typeof value !== 'string' || value.length > toolNameLength) return false;
        break;
      case 'accept_blobs':
      case 'progress':
        if (typeof value !== 'boolean') return false;
        break;
      case 'tool_names':
        if (value !== 'display') return false;
        break;
      default:
        return false;
    }
  }
  return required === REQUIRED_OF_TOOL_CALL;
}

/** `agent`, `req_id`, `computer`, `tool_name`, `params` and `timeout`. */
const REQUIRED_OF_TOOL_CALL = 6;

export const notificationSchemas: NotificationSchemas = (() => {
  const id = identifier(WIRE_LIMITS.identifierLength);
  const membership = z
    .looseObject({ office_id: id, computer: id.exactOptional(), agent: id.exactOptional() })
    .refine(({ computer, agent }) => computer !== undefined || agent !== undefined, {
      error: 'expected the name of the member, under "computer" or "agent"',
      path: ['computer'],
    });
  const update = z.looseObject({ computer: id });
  return {
    'notify:enter_office': membership,
    'notify:leave_office': membership,
    'notify:update_config': update,
    'notify:update_tool_list': update,
    'notify:update_desktop': update,
    'notify:update_skills': update,
    'notify:tool_call_cancel': z.looseObject({ agent: id, req_id: id }),
    'notify:tool_call_progress': z.looseObject({ agent: id, req_id: id, computer: id, ...progressFields }),
  };
})();
